// SPDX-License-Identifier: Apache-2.0
/// Rows of the CPU methods: packed samples in, packed samples out, serial. Nothing is read or
/// written outside the given samples.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "ops/enhance/cpu/enhance_divide.hpp"

namespace tessera {

/// Tables that one thread counts in. Neighbouring samples are counted in different ones: reading a
/// counter right after writing it stalls the CPU.
inline constexpr int kCountTables = 8;

/// Values that a row is compared with at once.
inline constexpr int kGuessedValues = 6;

/// Two ranges of values, the second after the first; both ends are included.
struct ValueRanges {
  std::array<std::uint16_t, 2> first{}, last{};
};

/// Weights of red, green and blue over 2^16.
struct GreyWeights {
  explicit GreyWeights(const std::array<int, 3>& over_65536);
  std::array<std::uint32_t, 3> weights;
  bool in_bytes, in_words;                ///< all are multiples of 256; all are below 2^16
  alignas(16) std::uint8_t bytes[3][16];  ///< those bytes, 16 times each
  alignas(16) std::uint16_t words[3][8];  ///< those words, 8 times each
};

/// Which curve each channel of a row takes.
template <class T>
struct RowCurves {
  int channels = 1;
  std::array<const T*, 4> curve{};  ///< null: the channel stays as it is
  bool same = false;                ///< all channels take curve[0]
  /// curve[0] as arithmetic, if that is exact; only with same.
  std::conditional_t<sizeof(T) == 1, ContrastSteps, WideContrastSteps> steps;
};

/// Weights along a row; `step` samples between neighbours. Sums of `count` samples from `in` on.
struct RowWeights {
  const int* weights;
  int taps;
  int step;
};

/// Symmetric weights, 3, 5 or 7 of them: these have their own functions.
inline bool four_rows_fit(const int* weights, int taps) {
  return (taps == 3 || taps == 5 || taps == 7) &&
         std::equal(weights, weights + taps, std::reverse_iterator(weights + taps));
}

/// Rows of sums, added with weights and divided.
template <class Sum>
struct SumRows {
  const Sum* const* rows;
  const int* weights;
  int taps;
  ExactDivision division;
};

/// Weights in rows, for sums that are not a product: taps of row j begin at in[j].
template <class T>
struct WeighedRows {
  const T* const* in;
  const int* weights;  ///< in row order, `width` each
  int width, height, step;
  ExactDivision division;
};

template <class T, class Sum>
struct SmoothRows {
  void (*across)(const RowWeights&, const T* in, long long count, Sum* sums);
  void (*down)(const SumRows<Sum>&, long long count, T* out);
  /// Four output rows, each one row further down, if four_rows_fit(); null for a row that is not
  /// made.
  void (*four_down)(const SumRows<Sum>&, long long count, T* const* out);
};

template <class T>
struct EnhanceRows {
  /// 3 or 4 channels become 1 or 2.
  void (*grey)(const GreyWeights& weights, int channels, const T* in, long long pixels, T* out);
  /// The same for 3 channels, and counts of the result.
  void (*grey_and_count)(const GreyWeights& weights, const T* in, long long pixels, T* out,
                         std::uint32_t* tables);
  /// Counts into kCountTables tables of 256 (u8), or one of 65536.
  void (*count)(const T* in, long long samples, std::uint32_t* tables);
  /// Adds the number of samples greater than each of the values; u8 only.
  void (*compare)(const std::array<T, kGuessedValues>& values, const T* in, long long samples,
                  std::uint64_t* greater);
  /// Adds the number of samples below each of the ranges, and counts those inside in the table,
  /// where counts of other values are meaningless; u16 only.
  void (*count_ranges)(const ValueRanges&, const T* in, long long samples, std::uint32_t* table,
                       std::uint64_t* below);
  void (*follow)(const RowCurves<T>&, const T* in, long long pixels, T* out);
  void (*weigh)(const WeighedRows<T>&, long long count, T* out);
  SmoothRows<T, std::uint16_t> smooth16;  ///< u8 only
  SmoothRows<T, std::uint32_t> smooth32;
};

/// For this CPU's best (or the forced) SIMD target.
template <class T>
EnhanceRows<T> enhance_rows();

}  // namespace tessera
