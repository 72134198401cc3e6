// SPDX-License-Identifier: Apache-2.0
// Pixels of an image through its border rule, and how results are written.
#pragma once

#include "core/piece_args.cuh"
#include "ops/noise/noise_values.cuh"

namespace tessera {

/// The held row for row y, or kNoPixel: rows that are held are used as they are.
__device__ inline int noise_held_row(const PieceArgs& a, int y) {
  if (a.held.contains(y)) return y - a.held.first;
  const int row = border_index(y, a.height, a.border);
  return row == kNoPixel || !a.held.contains(row) ? kNoPixel : row - a.held.first;
}

/// A value, and whether there is one.
template <class T>
struct NoisePixel {
  T value;
  bool valid;
};

/// The pixel at column x of a held row. Borders without pixels have none except for border
/// constant.
template <class T>
__device__ inline NoisePixel<T> noise_pixel_at(const PieceArgs& a, int x, int held_row,
                                               const NoiseBlanks& blanks, double constant) {
  const int column = border_index(x, a.width, a.border);
  T value = static_cast<T>(constant);
  if (column != kNoPixel && held_row != kNoPixel)
    value = static_cast<const T*>(a.in)[held_row * a.in_row + column * a.in_pixel];
  else if (a.border != Border::constant)
    return {value, false};
  return {value, !blanks(value)};
}

/// Pixels of the box whose first one is x, y: only those in the image if others do not count.
__device__ inline int noise_box_pixels(const PieceArgs& a, int x, int y, int width, int height) {
  if (a.border != Border::inside) return width * height;
  const int first_row = min(0, a.held.first), end_row = max(a.height, a.held.end);
  return (min(x + width, a.width) - max(x, 0)) * (min(y + height, end_row) - max(y, first_row));
}

/// The positive quiet NaN, which a device's own conversions would change.
__device__ inline double noise_nothing() {
  NoiseKeys<double>::Bits bits;
  bits.key = 0x7ff8000000000000ULL;
  return bits.value;
}

/// A plane's value: quantile(k) is the k-th.
template <class Plane, class Quantile>
__device__ inline double noise_plane_of(const Plane& plane, const Quantile& quantile) {
  const double low = quantile(plane.low);
  return plane.high < 0 ? low : (quantile(plane.high) - low) / plane.divisor;
}

/// A result, rounded once; the device's own NaNs have other bits.
template <class Out>
__device__ inline Out noise_rounded(double value) {
  return static_cast<Out>(value);
}
template <>
__device__ inline double noise_rounded<double>(double value) {
  return with_one_nan(value);
}
template <>
__device__ inline float noise_rounded<float>(double value) {
  NoiseKeys<float>::Bits nothing;
  nothing.key = 0x7fc00000U;
  return value != value ? nothing.value : static_cast<float>(value);
}

}  // namespace tessera
