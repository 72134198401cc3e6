// SPDX-License-Identifier: Apache-2.0
// Keys: integers in the order of the samples, so that minima and maxima are those of integers and
// have the same bytes on every machine. Integer samples are their own keys. For floats -0 is less
// than 0, and NaN wins: its key is below that of -inf for minima and above that of inf for maxima.
// The key that never wins is the key type's own limit; it represents the infinity (floats) or limit
// (integers) that an empty minimum gives. Used on CPU and GPU.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// The bits of a sample, and its key.
template <int kBytes>
struct KeyTypes;
template <>
struct KeyTypes<1> {
  using Bits = unsigned char;
  using Key = unsigned char;
};
template <>
struct KeyTypes<2> {
  using Bits = unsigned short;
  using Key = unsigned short;
};
template <>
struct KeyTypes<4> {
  using Bits = unsigned int;
  using Key = int;
};
template <>
struct KeyTypes<8> {
  using Bits = unsigned long long;
  using Key = long long;
};

/// IEEE bits of a type: all except the sign, infinity, the quiet NaN of results.
template <int kBytes>
struct FloatBits;
template <>
struct FloatBits<4> {
  static constexpr unsigned int kAll = 0x7fffffffU, kInfinity = 0x7f800000U, kNan = 0x7fc00000U;
};
template <>
struct FloatBits<8> {
  static constexpr unsigned long long kAll = 0x7fffffffffffffffULL,
                                      kInfinity = 0x7ff0000000000000ULL,
                                      kNan = 0x7ff8000000000000ULL;
};

template <int kBytes, bool kMax>
TESSERA_BOTH constexpr typename KeyTypes<kBytes>::Key to_key(typename KeyTypes<kBytes>::Bits bits) {
  using Key = typename KeyTypes<kBytes>::Key;
  if constexpr (kBytes <= 2) {
    return bits;
  } else {
    using F = FloatBits<kBytes>;
    // Reverses the order of negative numbers; then a shift wraps the NaNs of the losing end around.
    const auto ordered = bits > F::kAll ? bits ^ F::kAll : bits;
    const auto shift = F::kAll - F::kInfinity;
    return static_cast<Key>(kMax ? ordered - shift : ordered + shift);
  }
}

template <int kBytes, bool kMax>
TESSERA_BOTH constexpr typename KeyTypes<kBytes>::Bits from_key(
    typename KeyTypes<kBytes>::Key key) {
  using Bits = typename KeyTypes<kBytes>::Bits;
  if constexpr (kBytes <= 2) {
    return key;
  } else {
    using F = FloatBits<kBytes>;
    const auto shift = F::kAll - F::kInfinity;
    const Bits ordered = kMax ? static_cast<Bits>(key) + shift : static_cast<Bits>(key) - shift;
    const Bits bits = ordered > F::kAll ? ordered ^ F::kAll : ordered;
    return (bits & F::kAll) > F::kInfinity ? F::kNan : bits;
  }
}

/// The key that never wins: the largest for minima, the smallest for maxima.
template <int kBytes, bool kMax>
TESSERA_BOTH constexpr typename KeyTypes<kBytes>::Key losing_key() {
  using Key = typename KeyTypes<kBytes>::Key;
  using Bits = typename KeyTypes<kBytes>::Bits;
  if constexpr (kBytes <= 2)
    return kMax ? Key(0) : static_cast<Key>(-1);
  else
    return static_cast<Key>(kMax ? static_cast<Bits>(FloatBits<kBytes>::kAll + 1)
                                 : FloatBits<kBytes>::kAll);
}

}  // namespace tessera
