// SPDX-License-Identifier: Apache-2.0
// One pixel in and one result out, for every kernel of convolve.
#pragma once

#include "core/cuda/samples.cuh"
#include "ops/convolve/cuda/convolve_args.cuh"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// The piece's row for an image row, or kNoPixel. A row outside the image that the piece holds is
/// used as it is; rows that no piece holds are read only for outputs that are not stored.
template <class T>
__device__ inline int held_row(const ConvolveArgs<T>& a, int y) {
  if (a.held.contains(y)) return y - a.held.first;
  const int row = border_index(y, a.height, a.border);
  return row != kNoPixel && a.held.contains(row) ? row - a.held.first : kNoPixel;
}

template <class In, class T>
__device__ inline const In* row_address(const ConvolveArgs<T>& a, int plane, int held) {
  return static_cast<const In*>(a.in) + plane * a.in_plane + held * a.in_row;
}

/// A pixel anywhere, by the border rule.
template <class In, class T>
__device__ inline T border_pixel(const ConvolveArgs<T>& a, int plane, int channel, int x, int y) {
  const int row = held_row(a, y), column = border_index(x, a.width, a.border);
  if (row == kNoPixel || column == kNoPixel) return a.outside;
  return static_cast<T>(row_address<In>(a, plane, row)[column * a.in_pixel + channel]);
}

/// From a sum to an output: scaled, and with border `inside` multiplied by its share. Not inlined:
/// its division in double is long and rare.
template <class T>
__device__ __noinline__ T finished(const ConvolveArgs<T>& a, int x, int y, T sum) {
  T value = a.scale * sum;
  if (a.prefix)
    value = static_cast<T>(value * inside_share(a.prefix, a.filter_width, a.filter_height,
                                                x - a.anchor_x, y - a.anchor_y, a.width, a.height));
  return value;
}

template <class Out, class T>
__device__ inline void store_pixel(const ConvolveArgs<T>& a, int plane, int channel, int x, int y,
                                   T sum) {
  if (x >= a.out_width || y >= a.made.end) return;
  Out* row = static_cast<Out*>(a.out) + plane * a.out_plane + (y - a.made.first) * a.out_row;
  row[x * a.out_pixel + channel] = converted<Out>(finished(a, x, y, sum));
}

}  // namespace tessera
