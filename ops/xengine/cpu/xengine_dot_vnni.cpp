// SPDX-License-Identifier: Apache-2.0
// AVX-512's VPDPBUSD: four unsigned bytes of sixteen columns times four signed ones of a row, 64
// products per instruction. Columns are offset by 128; the excess is subtracted using the sums of
// the rows' bytes.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {

#if defined(__x86_64__)
namespace {

#define TESSERA_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

constexpr int kPanel = 16;

/// Parts are summed in the same pass: bytes times (1, 0, 1, 0) and (0, 1, 0, 1).
TESSERA_VNNI void arrange(std::uint32_t* columns, std::uint32_t* rows, std::uint32_t* turned,
                          int steps, std::int32_t* parts) {
  const __m512i low = _mm512_set1_epi16(0x00ff), high = _mm512_set1_epi16(-0x0100);
  const __m512i real = _mm512_set1_epi16(0x0001), imaginary = _mm512_set1_epi16(0x0100);
  __m512i re = _mm512_setzero_si512(), im = re;
  for (int k = 0; k < steps * kPanel; k += kPanel) {
    const __m512i words = _mm512_loadu_si512(columns + k);
    const __m512i swapped = _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi16(words, 8), low),
                                            _mm512_slli_epi16(words, 8));
    _mm512_storeu_si512(rows + k, words);
    _mm512_storeu_si512(turned + k, _mm512_xor_si512(swapped, high));
    _mm512_storeu_si512(columns + k, _mm512_xor_si512(words, _mm512_set1_epi8(-128)));
    re = _mm512_dpbusd_epi32(re, real, words);
    im = _mm512_dpbusd_epi32(im, imaginary, words);
  }
  std::int32_t all[2][kPanel];
  _mm512_storeu_si512(all[0], re);
  _mm512_storeu_si512(all[1], im);
  for (int i = 0; i < 2 * kPanel; ++i) parts[i] += all[i % 2][i / 2];
}

TESSERA_VNNI inline __attribute__((always_inline)) __m512i all_of(const std::uint32_t* word) {
  return _mm512_set1_epi32(static_cast<int>(*word));
}

/// Some rows times one or two panels of columns: 16 sums stay in registers.
template <int kRows, int kPanels>
TESSERA_VNNI void multiply_rows(const std::uint32_t* rows, const std::uint32_t* turned,
                                const std::uint32_t* columns, long long panel_words, int steps,
                                std::int32_t* tile) {
  constexpr int kImaginary = kPanel * kPanel, kTile = 2 * kImaginary;
  __m512i re[kRows][kPanels], im[kRows][kPanels];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 2
    for (int c = 0; c < kPanels; ++c) {
      re[i][c] = _mm512_loadu_si512(tile + c * kTile + i * kPanel);
      im[i][c] = _mm512_loadu_si512(tile + c * kTile + kImaginary + i * kPanel);
    }
  for (int k = 0; k < steps * kPanel; k += kPanel) {
    __m512i words[kPanels];
#pragma GCC unroll 2
    for (int c = 0; c < kPanels; ++c) words[c] = _mm512_loadu_si512(columns + c * panel_words + k);
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      const __m512i a = all_of(rows + k + i), b = all_of(turned + k + i);
#pragma GCC unroll 2
      for (int c = 0; c < kPanels; ++c) {
        re[i][c] = _mm512_dpbusd_epi32(re[i][c], words[c], a);
        im[i][c] = _mm512_dpbusd_epi32(im[i][c], words[c], b);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 2
    for (int c = 0; c < kPanels; ++c) {
      _mm512_storeu_si512(tile + c * kTile + i * kPanel, re[i][c]);
      _mm512_storeu_si512(tile + c * kTile + kImaginary + i * kPanel, im[i][c]);
    }
}

/// Two panels of columns at a time need fewer loads; one may remain.
void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  const std::uint32_t* turned = in.turned + row * in.panel_words;
  for (int c = 0; c < count; c += 2) {
    const std::uint32_t* columns = in.columns + (first + c) * in.panel_words;
    std::int32_t* tile = tiles + 2 * c * kPanel * kPanel;
    const bool two = c + 1 < count;
    for (int i = 0; i < kPanel; i += two ? 4 : 8)
      (two ? multiply_rows<4, 2> : multiply_rows<8, 1>)(rows + i, turned + i, columns,
                                                        in.panel_words, in.steps,
                                                        tile + i * kPanel);
  }
}

}  // namespace

const DotKernel* vnni_kernel() {
  static constexpr DotKernel kernel{"avx512-vnni", kPanel,  1,       true, DotLack::turned_unsigned,
                                    2.5,           arrange, multiply};
  return &kernel;
}
#else
const DotKernel* vnni_kernel() { return nullptr; }
#endif

}  // namespace tessera
