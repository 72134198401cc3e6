// SPDX-License-Identifier: Apache-2.0
// Sums of boxes in two kernels, as on the CPU (cpu/convolve_running_simd.cpp): nothing is ever
// subtracted. Down the columns a box is the tail of one run of filter_height rows and the head of
// the next; along the rows windows of m columns make those of 2m or 2m + 1.
#pragma once

#include "ops/convolve/cuda/convolve_pixel.cuh"
#include "ops/convolve/cuda/convolve_running_args.cuh"

namespace tessera {

/// The pixels of one column, with their weight.
template <class In, class Sum>
struct RunningColumn {
  const RunningArgs& a;
  long long at;  ///< sample in a row

  __device__ Sum pixel(int row) const {
    const int held = held_row(a, row - a.anchor_y);
    if (held == kNoPixel) return static_cast<Sum>(a.outside);
    const In value = row_address<In>(a, 0, held)[at];
    if constexpr (sizeof(In) == 8)
      return a.weight * value;
    else
      return static_cast<Sum>(value);
  }
};

/// A thread's column, in the rows of one run that are made; blockIdx.y counts runs from the one of
/// the first row. The sums of tails wait where the results go.
template <class In, class Sum>
__device__ void running_columns(const RunningArgs& a) {
  const int sample = static_cast<int>(blockIdx.x) * kRunningThreads + static_cast<int>(threadIdx.x);
  const int samples = a.width * a.channels, height = a.filter_height;
  if (sample >= samples) return;
  const RunningColumn<In, Sum> column{a, sample / a.channels * a.in_pixel + sample % a.channels};
  const int begin = (a.made.first / height + static_cast<int>(blockIdx.y)) * height;
  const int end = begin + height, first = max(begin, a.made.first), last = min(end, a.made.end);
  Sum* sums = static_cast<Sum*>(a.sums) + sample - static_cast<long long>(a.made.first) * samples;
  Sum tail = 0, head = 0;
  for (int row = end - 1; row >= first; --row) {
    tail += column.pixel(row);
    if (row < last) sums[static_cast<long long>(row) * samples] = tail;
  }
  for (int row = end; row < first + height - 1; ++row) head += column.pixel(row);
  for (int y = first; y < last; ++y) {
    if (y + height - 1 < end) continue;
    head += column.pixel(y + height - 1);
    sums[static_cast<long long>(y) * samples] += head;
  }
}

/// Sums of either type.
extern __shared__ double running_memory[];

/// Windows of filter_width columns from sums of single ones, in turn in two arrays; returns where
/// they are. Called by all threads of the block.
template <class Sum>
__device__ const Sum* running_windows(const RunningArgs& a, const Sum* columns, Sum* one,
                                      Sum* other) {
  const Sum* windows = columns;
  int bits = 0;
  while (a.filter_width >> (bits + 1)) ++bits;
  for (; bits > 0; --bits) {
    const int half = a.filter_width >> bits, next = a.filter_width >> (bits - 1);
    const int samples = kRunningTile + (a.filter_width - next) * a.channels;
    const int step = half * a.channels;
    for (int k = static_cast<int>(threadIdx.x); k < samples; k += kRunningThreads) {
      const Sum sum = windows[k] + windows[k + step];
      one[k] = next % 2 ? sum + columns[k + 2 * step] : sum;
    }
    __syncthreads();
    windows = one;
    one = other;
    other = const_cast<Sum*>(windows);
  }
  return windows;
}

/// A block's tile of one output row, which is blockIdx.y.
template <class Sum, class Out>
__device__ void running_rows(const RunningArgs& a) {
  const int tile = running_samples(a.filter_width, a.channels);
  Sum* columns = reinterpret_cast<Sum*>(running_memory);
  const int first = static_cast<int>(blockIdx.x) * kRunningTile;
  const int y = a.made.first + static_cast<int>(blockIdx.y);
  const Sum* sums =
      static_cast<const Sum*>(a.sums) + static_cast<long long>(blockIdx.y) * a.width * a.channels;
  for (int k = static_cast<int>(threadIdx.x); k < tile; k += kRunningThreads) {
    const int x = (first + k) / a.channels - a.anchor_x;
    const int column = border_index(x, a.width, a.border);
    columns[k] = column == kNoPixel ? static_cast<Sum>(a.filter_height * a.outside)
                                    : sums[column * a.channels + (first + k) % a.channels];
  }
  __syncthreads();
  const Sum* windows = running_windows(a, columns, columns + tile, columns + 2 * tile);
  for (int k = static_cast<int>(threadIdx.x); k < kRunningTile; k += kRunningThreads)
    store_pixel<Out>(a, 0, (first + k) % a.channels, (first + k) / a.channels, y,
                     static_cast<double>(windows[k]));
}

}  // namespace tessera
