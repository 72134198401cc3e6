// SPDX-License-Identifier: Apache-2.0
// Where a thread works, the keys of pixels around it, and how results are written.
#pragma once

#include "ops/noise/cuda/noise_pixels.cuh"
#include "ops/noise/rank/cuda/rank_args.cuh"

namespace tessera {

/// The outputs of a thread: `row` and those below it in one column of one channel.
template <class T>
struct RankThread {
  using Keys = NoiseKeys<T>;
  using Key = typename Keys::Key;
  /// Above the keys of all numbers: does not count.
  static constexpr Key kNothing = static_cast<Key>(~0ULL);

  PieceArgs a;  ///< `in` and `out` begin with the thread's channel
  double constant, percent;
  int column, row;

  __device__ RankThread(const RankArgs& args, int threads, int rows)
      : a(args), constant(args.constant), percent(args.percent) {
    const int sample = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
    column = sample / a.channels;
    row = a.made.first + static_cast<int>(blockIdx.y) * rows;
    a.in = static_cast<const T*>(a.in) + sample % a.channels;
    a.out = static_cast<T*>(a.out) + sample % a.channels;
  }
  __device__ bool has_work() const { return column < a.out_width; }

  /// The image's column for column k of the window, or kNoPixel.
  __device__ int column_of(int k) const {
    return border_index(column + k - a.anchor_x, a.width, a.border);
  }

  /// The pixel at a column (column_of) of a held row (noise_held_row), `to_plane` samples further;
  /// kNothing for NaN and for pixels that the border does not define.
  __device__ Key key_at(int image_column, int held_row, long long to_plane = 0) const {
    T value = static_cast<T>(constant);
    if (image_column != kNoPixel && held_row != kNoPixel)
      value =
          static_cast<const T*>(a.in)[to_plane + held_row * a.in_row + image_column * a.in_pixel];
    else if (a.border != Border::constant)
      return kNothing;
    return value == value ? Keys::of(value) : kNothing;  // NOLINT(misc-redundant-expression): NaN
  }

  __device__ int place(int valid) const { return percentile_place(percent, valid).index; }

  /// Nothing under the footprint: NaN, of which integers have none.
  __device__ void store(int y, Key key, int valid) const {
    if (y >= a.made.end) return;
    T* to = static_cast<T*>(a.out) + (y - a.made.first) * a.out_row + column * a.out_pixel;
    if (valid > 0)
      *to = noise_rounded<T>(Keys::value(key));
    else
      *to = static_cast<T>(0.5) == T(0) ? T(0) : noise_rounded<T>(noise_nothing());
  }
};

}  // namespace tessera
