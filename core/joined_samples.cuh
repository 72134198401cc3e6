// SPDX-License-Identifier: Apache-2.0
// How the results of a filter's planes are joined, with the same bits on CPU and GPU.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

enum class Join : unsigned char { sum, minimum, maximum };

template <int kBytes>
struct FloatWord;
template <>
struct FloatWord<4> {
  using Bits = unsigned int;
  static constexpr Bits kInfinity = 0x7f800000U;
};
template <>
struct FloatWord<8> {
  using Bits = unsigned long long;
  static constexpr Bits kInfinity = 0x7ff0000000000000ULL;
};

/// The smaller or larger of two: NaN if one is, and negative zero is below positive zero.
template <Join join, class T>
TESSERA_BOTH inline T chosen(T a, T b) {
  constexpr bool kLeast = join == Join::minimum;
  if constexpr (sizeof(T) > 2) {
    if (a != a) return a;  // NOLINT(misc-redundant-expression): NaN
    if (a == b) {          // only zeros are equal and have other bits
      using Bits = typename FloatWord<sizeof(T)>::Bits;
      const auto x = __builtin_bit_cast(Bits, a), y = __builtin_bit_cast(Bits, b);
      return __builtin_bit_cast(T, static_cast<Bits>(kLeast ? x | y : x & y));
    }
  }
  if constexpr (kLeast) return a < b ? a : b;  // b, if it is NaN
  return a > b ? a : b;
}

/// The result if there is nothing to join.
template <Join join, class T>
TESSERA_BOTH inline T nothing_joined() {
  if constexpr (join == Join::sum) {
    return T{0};
  } else if constexpr (sizeof(T) > 2) {
    const T infinity = __builtin_bit_cast(T, FloatWord<sizeof(T)>::kInfinity);
    return join == Join::minimum ? infinity : -infinity;
  } else {
    return join == Join::minimum ? static_cast<T>(-1) : T{0};
  }
}

/// `so_far` and the result of one more plane.
template <Join join, class T>
TESSERA_BOTH inline T joined(T so_far, T factor, T given) {
  if constexpr (join == Join::sum)
    return so_far + factor * given;
  else
    return chosen<join>(so_far, given);
}

}  // namespace tessera
