// SPDX-License-Identifier: Apache-2.0
/// Samples of any type, one at a time and in double: for references, which need no speed.
#pragma once

#include <limits>
#include <type_traits>

#include "core/stop.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A sample of type T: integers are rounded to nearest even and saturated, NaN becoming 0.
template <class T>
T rounded(double value) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
    const double inside = value > kLeast ? value < kMost ? value : kMost : kLeast;
    // A sum this large has no bits for fractions. std::nearbyint would be a call on x86.
    constexpr double kLarge = 0x1.8p52;
    const double nearest = (inside + kLarge) - kLarge;
    return value == value ? static_cast<T>(nearest) : T{0};
  } else {
    return static_cast<T>(value);
  }
}

/// The smallest and the largest value of an integer type.
struct ValueLimits {
  double least, most;
};
ValueLimits limits_of(Type type);

double sample_at(const AnyView& view, int x, int y, int channel, int plane);

/// Integers are rounded to nearest even and saturated, NaN becoming 0.
void store_sample(const AnyMutableView& view, int x, int y, int channel, int plane, double value);

/// Stores sample(rows, x, channel, plane) everywhere in a piece, with `rows` = rows_of(row) for
/// each of its rows, counted in the image.
template <class RowsOf, class Sample>
void store_samples(const MutablePiece& out, RowsOf rows_of, Sample sample) {
  const Size size = out.view.size;
  for (int y = 0; y < size.height; ++y) {
    const auto rows = rows_of(out.first_row + y);
    for (int plane = 0; plane < size.planes; ++plane)
      for (int x = 0; x < size.width; ++x) {
        poll_stop();
        for (int channel = 0; channel < size.channels; ++channel)
          store_sample(out.view, x, y, channel, plane, sample(rows, x, channel, plane));
      }
  }
}

}  // namespace tessera
