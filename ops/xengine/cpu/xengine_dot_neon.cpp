// SPDX-License-Identifier: Apache-2.0
// ARM's SDOT: four bytes of a row times those of four columns, sixteen products per instruction.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

// clang has these intrinsics in functions with a target attribute from version 16 on.
#if defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16)
#define TESSERA_HAS_SDOT 1
#include <arm_neon.h>
#endif

namespace tessera {

#ifdef TESSERA_HAS_SDOT
namespace {

#define TESSERA_SDOT __attribute__((target("arch=armv8.2-a+dotprod")))

constexpr int kPanel = 8;

/// The imaginary parts are summed in the same pass: bytes times (0, 1, 0, 1).
TESSERA_SDOT void arrange(std::uint32_t* columns, std::uint32_t*, std::uint32_t* turned, int steps,
                          std::int32_t* parts) {
  const uint8x16_t flip = vreinterpretq_u8_u16(vdupq_n_u16(0xff00));
  const int8x16_t imaginary = vreinterpretq_s8_u16(vdupq_n_u16(0x0100));
  int32x4_t sums[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  for (int k = 0; k < steps * kPanel; k += kPanel)
    for (const int half : {0, 1}) {
      const uint8x16_t words = vreinterpretq_u8_u32(vld1q_u32(columns + k + 4 * half));
      const uint8x16_t other = veorq_u8(vrev16q_u8(words), flip);
      vst1q_u32(turned + k + 4 * half, vreinterpretq_u32_u8(other));
      sums[half] = vdotq_s32(sums[half], vreinterpretq_s8_u8(words), imaginary);
    }
  std::int32_t all[kPanel];
  vst1q_s32(all, sums[0]);
  vst1q_s32(all + 4, sums[1]);
  for (int i = 0; i < kPanel; ++i) parts[2 * i + 1] += all[i];
}

/// Four rows, those of the lanes of `a`, times four columns.
TESSERA_SDOT inline __attribute__((always_inline)) void four_rows(int32x4_t (&sums)[8], int row,
                                                                  int8x16_t columns, int8x16_t a) {
  sums[row] = vdotq_laneq_s32(sums[row], columns, a, 0);
  sums[row + 1] = vdotq_laneq_s32(sums[row + 1], columns, a, 1);
  sums[row + 2] = vdotq_laneq_s32(sums[row + 2], columns, a, 2);
  sums[row + 3] = vdotq_laneq_s32(sums[row + 3], columns, a, 3);
}

TESSERA_SDOT inline __attribute__((always_inline)) int8x16_t four_words(const std::uint32_t* at) {
  return vreinterpretq_s8_u32(vld1q_u32(at));
}

/// Eight rows times four columns: 16 sums stay in registers, 5 loads feed 16 instructions.
TESSERA_SDOT void multiply_half(const std::uint32_t* rows, const std::uint32_t* turned,
                                const std::uint32_t* columns, int steps, std::int32_t* tile) {
  int32x4_t re[8], im[8];
#pragma GCC unroll 8
  for (int i = 0; i < kPanel; ++i) {
    re[i] = vld1q_s32(tile + i * kPanel);
    im[i] = vld1q_s32(tile + (kPanel + i) * kPanel);
  }
#pragma GCC unroll 2
  for (int k = 0; k < steps; ++k) {
    const int8x16_t c = four_words(columns + k * kPanel);
    four_rows(re, 0, c, four_words(rows + k * kPanel));
    four_rows(re, 4, c, four_words(rows + k * kPanel + 4));
    four_rows(im, 0, c, four_words(turned + k * kPanel));
    four_rows(im, 4, c, four_words(turned + k * kPanel + 4));
  }
#pragma GCC unroll 8
  for (int i = 0; i < kPanel; ++i) {
    vst1q_s32(tile + i * kPanel, re[i]);
    vst1q_s32(tile + (kPanel + i) * kPanel, im[i]);
  }
}

void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  const std::uint32_t* turned = in.turned + row * in.panel_words;
  for (int c = 0; c < count; ++c)
    for (const int half : {0, 4})
      multiply_half(rows, turned, in.columns + (first + c) * in.panel_words + half, in.steps,
                    tiles + 2 * c * kPanel * kPanel + half);
}

}  // namespace

const DotKernel* neon_dot_kernel() {
  static constexpr DotKernel kernel{"neon-dot",      kPanel, 1,       false,
                                    DotLack::turned, 3,      arrange, multiply};
  return &kernel;
}
#else
const DotKernel* neon_dot_kernel() { return nullptr; }
#endif

}  // namespace tessera
