// SPDX-License-Identifier: Apache-2.0
/// Limits of contrast for images of floats: exact percentiles without sorting.
///
/// A key is the bits of a value as an unsigned number in the order of values. The first sweep
/// counts the upper 16 bits of all keys, every later one the next 16 bits of the keys that begin as
/// those of the two percentiles do: 65536 counts, then two times 65536 (only the first if both
/// percentiles still have the same bits). f32 takes two sweeps, f64 four.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

inline constexpr std::size_t kKeyCounts = 65536;

template <class T>
using FloatBits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Keys of -0 and 0 are equal.
template <class T>
FloatBits<T> key_of(T value) {
  using Bits = FloatBits<T>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  const Bits bits = std::bit_cast<Bits>(value + T{0});
  return bits & kSign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
}
template <class T>
T value_of_key(FloatBits<T> key) {
  using Bits = FloatBits<T>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  return std::bit_cast<T>(key & kSign ? static_cast<Bits>(key ^ kSign) : static_cast<Bits>(~key));
}

int float_contrast_sweeps(Type type);
/// Counts per plane and group, in sweeps counted from the stage's first.
std::size_t float_contrast_values(int sweep);
/// Goes on with the counts of a sweep: the next 16 bits of both keys; after the last sweep the
/// limits themselves.
void narrow_limits(const EnhanceProblem&, int sweep, const std::uint64_t* counts, FloatLimits&);

/// How a value is stretched: clamp((v - low) / (high - low), 0, 1) in double. If the range has no
/// double, all three are halved.
struct FloatStretch {
  explicit FloatStretch(const FloatLimits&);
  double scale, low, range;
};

}  // namespace tessera
