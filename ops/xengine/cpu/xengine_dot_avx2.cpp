// SPDX-License-Identifier: Apache-2.0
// AVX2's VPMADDWD on 16-bit numbers: sums of two products, of two samples in time. Products of
// bytes fit, and nothing saturates, unlike with VPMADDUBSW.
#include "ops/xengine/cpu/xengine_dot_kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {

#if defined(__x86_64__)
namespace {

#define TESSERA_AVX2 __attribute__((target("avx2")))

constexpr int kPanel = 8, kRows = 4;

TESSERA_AVX2 inline __attribute__((always_inline)) __m256i load(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
TESSERA_AVX2 inline __attribute__((always_inline)) void store(void* at, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(at), value);
}

/// (re, im, re, im) bytes as two 16-bit numbers.
TESSERA_AVX2 inline __attribute__((always_inline)) __m256i reals(__m256i words) {
  return _mm256_srai_epi16(_mm256_slli_epi16(words, 8), 8);
}
TESSERA_AVX2 inline __attribute__((always_inline)) __m256i imaginaries(__m256i words) {
  return _mm256_srai_epi16(words, 8);
}

/// Rows are the real parts of two samples, `turned` the imaginary ones.
TESSERA_AVX2 void arrange(std::uint32_t* columns, std::uint32_t* rows, std::uint32_t* turned,
                          int steps, std::int32_t*) {
  for (int k = 0; k < steps * kPanel; k += kPanel) {
    const __m256i words = load(columns + k);
    store(rows + k, reals(words));
    store(turned + k, imaginaries(words));
  }
}

TESSERA_AVX2 inline __attribute__((always_inline)) __m256i all_of(const std::uint32_t* word) {
  return _mm256_set1_epi32(static_cast<int>(*word));
}

/// Four rows times eight columns: eight sums stay in registers.
TESSERA_AVX2 void multiply_rows(const std::uint32_t* rows, const std::uint32_t* turned,
                                const std::uint32_t* columns, int steps, std::int32_t* tile) {
  constexpr int kImaginary = kPanel * kPanel;
  __m256i re[kRows], im[kRows];
#pragma GCC unroll 4
  for (int i = 0; i < kRows; ++i) {
    re[i] = load(tile + i * kPanel);
    im[i] = load(tile + kImaginary + i * kPanel);
  }
  for (int k = 0; k < steps * kPanel; k += kPanel) {
    const __m256i words = load(columns + k), r = reals(words), m = imaginaries(words);
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const __m256i a = all_of(rows + k + i), b = all_of(turned + k + i);
      re[i] = _mm256_add_epi32(re[i], _mm256_madd_epi16(a, r));
      re[i] = _mm256_add_epi32(re[i], _mm256_madd_epi16(b, m));
      im[i] = _mm256_add_epi32(im[i], _mm256_madd_epi16(b, r));
      im[i] = _mm256_sub_epi32(im[i], _mm256_madd_epi16(a, m));
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kRows; ++i) {
    store(tile + i * kPanel, re[i]);
    store(tile + kImaginary + i * kPanel, im[i]);
  }
}

void multiply(const DotPanels& in, int row, int first, int count, std::int32_t* tiles) {
  const std::uint32_t* rows = in.rows + row * in.panel_words;
  const std::uint32_t* turned = in.turned + row * in.panel_words;
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < kPanel; i += kRows)
      multiply_rows(rows + i, turned + i, in.columns + (first + c) * in.panel_words, in.steps,
                    tiles + (2 * c * kPanel + i) * kPanel);
}

}  // namespace

const DotKernel* avx2_kernel() {
  static constexpr DotKernel kernel{"avx2",           kPanel, 1,       true,
                                    DotLack::nothing, 1,      arrange, multiply};
  return &kernel;
}
#else
const DotKernel* avx2_kernel() { return nullptr; }
#endif

}  // namespace tessera
