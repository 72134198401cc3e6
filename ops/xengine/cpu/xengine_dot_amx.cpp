// SPDX-License-Identifier: Apache-2.0
// Intel's AMX: TDPBSSD multiplies 64 bytes of sixteen rows by those of sixteen columns, 16384
// products per instruction.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {

#if defined(__x86_64__)
namespace {

#define TESSERA_AMX __attribute__((target("avx512f,avx512bw,avx512vnni,amx-tile,amx-int8")))

constexpr int kPanel = 16, kSteps = 16;  ///< steps per tile: 64 bytes of K
constexpr int kBlock = kPanel * kSteps;  ///< words per tile

/// Transposes [step][input] words to [input][step]. The masks select everything: without them g++
/// 12 warns about its own header.
TESSERA_AMX void transpose(const std::uint32_t* from, __m512i (&to)[16]) {
  constexpr __mmask16 kAll = 0xffff;
  constexpr __mmask8 kHalf = 0xff;
  __m512i a[16], b[16];
  for (int k = 0; k < 16; ++k) a[k] = _mm512_loadu_si512(from + k * kPanel);
  for (int k = 0; k < 16; k += 2) {
    b[k] = _mm512_maskz_unpacklo_epi32(kAll, a[k], a[k + 1]);
    b[k + 1] = _mm512_maskz_unpackhi_epi32(kAll, a[k], a[k + 1]);
  }
  for (int k = 0; k < 16; k += 4)
    for (const int half : {0, 1}) {
      a[k + 2 * half] = _mm512_maskz_unpacklo_epi64(kHalf, b[k + half], b[k + 2 + half]);
      a[k + 2 * half + 1] = _mm512_maskz_unpackhi_epi64(kHalf, b[k + half], b[k + 2 + half]);
    }
  // a[4 q + r]: steps 4 q to 4 q + 3 of inputs r, 4 + r, 8 + r and 12 + r.
  for (int r = 0; r < 4; ++r) {
    const __m512i low = _mm512_maskz_shuffle_i32x4(kAll, a[r], a[4 + r], 0x88);
    const __m512i high = _mm512_maskz_shuffle_i32x4(kAll, a[r], a[4 + r], 0xdd);
    const __m512i late_low = _mm512_maskz_shuffle_i32x4(kAll, a[8 + r], a[12 + r], 0x88);
    const __m512i late_high = _mm512_maskz_shuffle_i32x4(kAll, a[8 + r], a[12 + r], 0xdd);
    to[r] = _mm512_maskz_shuffle_i32x4(kAll, low, late_low, 0x88);
    to[8 + r] = _mm512_maskz_shuffle_i32x4(kAll, low, late_low, 0xdd);
    to[4 + r] = _mm512_maskz_shuffle_i32x4(kAll, high, late_high, 0x88);
    to[12 + r] = _mm512_maskz_shuffle_i32x4(kAll, high, late_high, 0xdd);
  }
}

/// Rows have their steps together. Imaginary parts are summed in the same pass.
TESSERA_AMX void arrange(std::uint32_t* columns, std::uint32_t* rows, std::uint32_t* turned,
                         int steps, std::int32_t* parts) {
  const __m512i low = _mm512_set1_epi16(0x00ff), high = _mm512_set1_epi16(-0x0100);
  const __m512i imaginary = _mm512_set1_epi16(0x0100);
  __m512i im = _mm512_setzero_si512();
  for (int k = 0; k < steps * kPanel; k += kBlock) {
    for (int s = 0; s < kSteps; ++s)
      im = _mm512_dpbusd_epi32(im, imaginary, _mm512_loadu_si512(columns + k + s * kPanel));
    __m512i inputs[16];
    transpose(columns + k, inputs);
    for (int i = 0; i < kPanel; ++i) {
      const __m512i swapped = _mm512_or_si512(
          _mm512_and_si512(_mm512_srli_epi16(inputs[i], 8), low), _mm512_slli_epi16(inputs[i], 8));
      _mm512_storeu_si512(rows + k + i * kSteps, inputs[i]);
      _mm512_storeu_si512(turned + k + i * kSteps, _mm512_xor_si512(swapped, high));
    }
  }
  std::int32_t all[kPanel];
  _mm512_storeu_si512(all, im);
  for (int i = 0; i < kPanel; ++i) parts[2 * i + 1] += all[i];
}

/// All eight tiles: sixteen rows of 64 bytes.
struct TileConfig {
  unsigned char palette = 1, start = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  unsigned char rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileConfig kConfig{};
static_assert(sizeof kConfig == 64);

/// Two panels of columns: four sums hide the latency of an instruction.
TESSERA_AMX void multiply_two(const std::uint32_t* rows, const std::uint32_t* turned,
                              const std::uint32_t* columns, long long panel_words, int steps,
                              std::int32_t* tile) {
  constexpr int kRow = 64, kPart = kPanel * kPanel;
  _tile_loadd(0, tile, kRow);
  _tile_loadd(1, tile + kPart, kRow);
  _tile_loadd(2, tile + 2 * kPart, kRow);
  _tile_loadd(3, tile + 3 * kPart, kRow);
  for (int k = 0; k < steps * kPanel; k += kBlock) {
    _tile_loadd(4, rows + k, kRow);
    _tile_loadd(6, columns + k, kRow);
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(5, turned + k, kRow);
    _tile_dpbssd(1, 5, 6);
    _tile_loadd(7, columns + panel_words + k, kRow);
    _tile_dpbssd(2, 4, 7);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_stored(0, tile, kRow);
  _tile_stored(1, tile + kPart, kRow);
  _tile_stored(2, tile + 2 * kPart, kRow);
  _tile_stored(3, tile + 3 * kPart, kRow);
}

/// The remaining panel.
TESSERA_AMX void multiply_one(const std::uint32_t* rows, const std::uint32_t* turned,
                              const std::uint32_t* columns, int steps, std::int32_t* tile) {
  constexpr int kRow = 64, kPart = kPanel * kPanel;
  _tile_loadd(0, tile, kRow);
  _tile_loadd(1, tile + kPart, kRow);
  for (int k = 0; k < steps * kPanel; k += kBlock) {
    _tile_loadd(4, rows + k, kRow);
    _tile_loadd(6, columns + k, kRow);
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(5, turned + k, kRow);
    _tile_dpbssd(1, 5, 6);
  }
  _tile_stored(0, tile, kRow);
  _tile_stored(1, tile + kPart, kRow);
}

TESSERA_AMX void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  const std::uint32_t* turned = in.turned + row * in.panel_words;
  _tile_loadconfig(&kConfig);
  for (int c = 0; c < count; c += 2) {
    const std::uint32_t* columns = in.columns + (first + c) * in.panel_words;
    std::int32_t* tile = tiles + 2 * c * kPanel * kPanel;
    if (c + 1 < count)
      multiply_two(rows, turned, columns, in.panel_words, in.steps, tile);
    else
      multiply_one(rows, turned, columns, in.steps, tile);
  }
  _tile_release();
}

}  // namespace

const DotKernel* amx_kernel() {
  static constexpr DotKernel kernel{"amx",           kPanel, kSteps,  true,
                                    DotLack::turned, 6,      arrange, multiply};
  return &kernel;
}
#else
const DotKernel* amx_kernel() { return nullptr; }
#endif

}  // namespace tessera
