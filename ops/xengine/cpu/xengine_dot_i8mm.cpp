// SPDX-License-Identifier: Apache-2.0
// ARM's SMMLA: eight bytes of two rows times those of two columns, 32 products per instruction.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

// clang has these intrinsics in functions with a target attribute from version 16 on.
#if defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16)
#define TESSERA_HAS_SMMLA 1
#include <arm_neon.h>
#endif

namespace tessera {

#ifdef TESSERA_HAS_SMMLA
namespace {

#define TESSERA_SMMLA __attribute__((target("arch=armv8.2-a+dotprod+i8mm")))

constexpr int kPanel = 8;

TESSERA_SMMLA inline __attribute__((always_inline)) uint32x4_t turned(uint32x4_t words) {
  const uint8x16_t swapped = vrev16q_u8(vreinterpretq_u8_u32(words));
  return veorq_u32(vreinterpretq_u32_u8(swapped), vdupq_n_u32(0xff00ff00));
}

/// Two steps become [input][two words], so that 16 bytes are two inputs. The imaginary parts are
/// summed in the same pass: bytes times (0, 1, 0, 1).
TESSERA_SMMLA void arrange(std::uint32_t* columns, std::uint32_t*, std::uint32_t* other, int steps,
                           std::int32_t* parts) {
  const int8x16_t imaginary = vreinterpretq_s8_u16(vdupq_n_u16(0x0100));
  int32x4_t sums[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  for (int k = 0; k < steps * kPanel; k += 2 * kPanel) {
    uint32x4_t words[2][2];  // [half of the panel][step]
    for (const int half : {0, 1})
      for (const int step : {0, 1}) {
        words[half][step] = vld1q_u32(columns + k + kPanel * step + 4 * half);
        sums[half] = vdotq_s32(sums[half], vreinterpretq_s8_u32(words[half][step]), imaginary);
      }
    for (const int half : {0, 1}) {
      const uint32x4_t first = vzip1q_u32(words[half][0], words[half][1]);
      const uint32x4_t second = vzip2q_u32(words[half][0], words[half][1]);
      const int to = k + kPanel * half;
      vst1q_u32(columns + to, first);
      vst1q_u32(columns + to + 4, second);
      vst1q_u32(other + to, turned(first));
      vst1q_u32(other + to + 4, turned(second));
    }
  }
  std::int32_t all[kPanel];
  vst1q_s32(all, sums[0]);
  vst1q_s32(all + 4, sums[1]);
  for (int i = 0; i < kPanel; ++i) parts[2 * i + 1] += all[i];
}

/// Sums of two rows and two columns: the tile's rows, two columns each.
TESSERA_SMMLA inline __attribute__((always_inline)) int32x4_t load_pair(const std::int32_t* at) {
  return vcombine_s32(vld1_s32(at), vld1_s32(at + kPanel));
}
TESSERA_SMMLA inline __attribute__((always_inline)) void store_pair(std::int32_t* at,
                                                                    int32x4_t sums) {
  vst1_s32(at, vget_low_s32(sums));
  vst1_s32(at + kPanel, vget_high_s32(sums));
}
TESSERA_SMMLA inline __attribute__((always_inline)) int8x16_t two_inputs(const std::uint32_t* at) {
  return vreinterpretq_s8_u32(vld1q_u32(at));
}

/// Eight rows times four columns: 16 sums stay in registers, 10 loads feed 16 instructions.
TESSERA_SMMLA void multiply_half(const std::uint32_t* rows, const std::uint32_t* other,
                                 const std::uint32_t* columns, int steps, std::int32_t* tile) {
  constexpr int kImaginary = kPanel * kPanel;
  int32x4_t re[4][2], im[4][2];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      re[i][j] = load_pair(tile + 2 * i * kPanel + 2 * j);
      im[i][j] = load_pair(tile + kImaginary + 2 * i * kPanel + 2 * j);
    }
  for (int k = 0; k < steps * kPanel; k += 2 * kPanel) {
    const int8x16_t c[2] = {two_inputs(columns + k), two_inputs(columns + k + 4)};
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const int8x16_t a = two_inputs(rows + k + 4 * i), b = two_inputs(other + k + 4 * i);
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        re[i][j] = vmmlaq_s32(re[i][j], a, c[j]);
        im[i][j] = vmmlaq_s32(im[i][j], b, c[j]);
      }
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      store_pair(tile + 2 * i * kPanel + 2 * j, re[i][j]);
      store_pair(tile + kImaginary + 2 * i * kPanel + 2 * j, im[i][j]);
    }
}

void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  const std::uint32_t* other = in.turned + row * in.panel_words;
  for (int c = 0; c < count; ++c)
    for (const int half : {0, 1})
      multiply_half(rows, other, in.columns + (first + c) * in.panel_words + kPanel * half,
                    in.steps, tiles + 2 * c * kPanel * kPanel + 4 * half);
}

}  // namespace

const DotKernel* i8mm_kernel() {
  static constexpr DotKernel kernel{"neon-i8mm",     kPanel, 2,       false,
                                    DotLack::turned, 5,      arrange, multiply};
  return &kernel;
}
#else
const DotKernel* i8mm_kernel() { return nullptr; }
#endif

}  // namespace tessera
