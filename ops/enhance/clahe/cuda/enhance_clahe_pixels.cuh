// SPDX-License-Identifier: Apache-2.0
// Adaptive equalisation: ranges, counts of tiles, and the pixels of the result. The curves between
// them are in enhance_clahe_curves.cuh. Planes and groups of channels lie along the grid's z.
#pragma once

#include "ops/enhance/clahe/cuda/enhance_clahe_args.cuh"

namespace tessera {

__device__ inline int clahe_groups(const ClaheArgs& a) { return a.planes * a.groups; }

template <class T>
__device__ inline const T* clahe_in(const ClaheArgs& a, int group, int x, int y) {
  return static_cast<const T*>(a.in) + group / a.groups * a.in_plane + (y - a.in_first) * a.in_row +
         x * a.in_pixel;
}
template <class T>
__device__ inline T* clahe_out(const ClaheArgs& a, int group, int x, int y) {
  return static_cast<T*>(a.out) + group / a.groups * a.out_plane + (y - a.out_first) * a.out_row +
         x * a.out_pixel;
}
__device__ inline bool clahe_is_flat(const ClaheFound& found) { return found.low >= found.high; }

/// The slot that a value counts in and that curves take: the value itself, or the bin of a 16-bit
/// value.
template <class T>
__device__ inline int clahe_slot(T value, const unsigned short* bins) {
  return sizeof(T) == 1 ? value : bins[value];
}

/// Called by all threads of a block; the union of their ranges goes to `low` and `high`.
__device__ inline void clahe_widen(int mine_low, int mine_high, int* low, int* high) {
  const int warp_low = __reduce_min_sync(~0U, mine_low);
  const int warp_high = __reduce_max_sync(~0U, mine_high);
  if (threadIdx.x % 32 == 0 && warp_low <= warp_high) {
    atomicMin(low, warp_low);
    atomicMax(high, warp_high);
  }
}

__device__ inline void clahe_start(const ClaheArgs& a) {
  const long long step = 1LL * gridDim.x * kClaheThreads;
  const long long first = 1LL * blockIdx.x * kClaheThreads + threadIdx.x;
  if (a.counts)
    for (long long k = first; k < clahe_groups(a) * a.tiles_size; k += step) a.counts[k] = 0;
  for (long long k = first; k < clahe_groups(a); k += step) a.found[k] = kClaheNothing;
}

/// The range of 16-bit values: a block takes rows in turn.
__device__ inline void clahe_range(const ClaheArgs& a) {
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    int low = kClaheNothing.low, high = kClaheNothing.high;
    for (int y = a.rows.first + blockIdx.y; y < a.rows.end; y += gridDim.y)
      for (int x = threadIdx.x; x < a.across.side; x += kClaheThreads)
        for (int c = 0; c < a.channels; ++c) {
          const int value =
              clahe_in<unsigned short>(a, group, x, y)[group % a.groups * a.channels + c];
          low = value < low ? value : low;
          high = value > high ? value : high;
        }
    clahe_widen(low, high, &a.found[group].low, &a.found[group].high);
  }
}

__device__ inline int clahe_reflected(long long x, int side) {
  return static_cast<int>(x < side ? x : 2LL * (side - 1) - x);
}

/// A block counts some rows of one tile, each warp into its own histogram. Blocks along y are bands
/// of rows, tile after tile; pixels reflected into the last tiles are counted like the rest.
template <class T>
__device__ void clahe_count(const ClaheArgs& a) {
  constexpr int kWarps = kClaheThreads / 32;
  __shared__ unsigned counts[kWarps][kClaheBins];
  const int bands = (a.down.kernel + kClaheCountRows - 1) / kClaheCountRows;
  const int warp = threadIdx.x / 32, slot = threadIdx.x, tile_x = blockIdx.x;
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    const unsigned short* bins = a.tables + group * a.tables_size;
    if (sizeof(T) == 2 && clahe_is_flat(a.found[group])) continue;
    for (int part = blockIdx.y; part < bands * a.down.tiles; part += gridDim.y) {
      for (int w = 0; w < kWarps; ++w) counts[w][slot] = 0;
      __syncthreads();
      const int tile_y = part / bands, band = part % bands * kClaheCountRows;
      const int rows = min(kClaheCountRows, a.down.kernel - band);
      for (int k = threadIdx.x; k < rows * a.across.kernel; k += kClaheThreads) {
        const int x =
            clahe_reflected(1LL * tile_x * a.across.kernel + k % a.across.kernel, a.across.side);
        const int y =
            clahe_reflected(1LL * tile_y * a.down.kernel + band + k / a.across.kernel, a.down.side);
        if (!a.rows.contains(y)) continue;
        const T* pixel = clahe_in<T>(a, group, x, y) + group % a.groups * a.channels;
        for (int c = 0; c < a.channels; ++c)
          atomicAdd(&counts[warp][clahe_slot(pixel[c], bins)], 1U);
      }
      __syncthreads();
      unsigned long long sum = 0;
      for (int w = 0; w < kWarps; ++w) sum += counts[w][slot];
      const long long tile = 1LL * tile_y * a.across.tiles + tile_x;
      if (sum > 0) atomicAdd(&a.counts[group * a.tiles_size + tile * kClaheBins + slot], sum);
      if (sizeof(T) == 1)
        clahe_widen(sum > 0 ? slot : kClaheNothing.low, sum > 0 ? slot : kClaheNothing.high,
                    &a.found[group].low, &a.found[group].high);
      __syncthreads();
    }
  }
}

/// The tiles above and below a row, and the weight of the lower ones.
struct ClaheRowPlace {
  long long above, below;  ///< the first tile in that row of tiles
  double weight;
};

/// Calls take(x, y, levels of the group's channels) for all pixels of the block's columns and rows.
template <class T, class Take>
__device__ inline void clahe_levels(const ClaheArgs& a, int group, Take take) {
  __shared__ ClaheRowPlace places[kClaheBlockRows];
  const unsigned short* bins = a.tables + group * a.tables_size;
  const unsigned short* tiles = bins + a.bins_size;
  const int x = blockIdx.x * kClaheBlockWidth + threadIdx.x % 32;
  const int block = clahe_block(a.across, x);
  const unsigned short* left = tiles + clahe_tile_before(block) * kClaheBins;
  const unsigned short* right = tiles + clahe_tile_after(a.across, block) * kClaheBins;
  const double to_right = clahe_weight_after(a.across, clahe_offset(a.across, x));
  for (long long first = a.rows.first + 1LL * blockIdx.y * kClaheBlockRows; first < a.rows.end;
       first += 1LL * gridDim.y * kClaheBlockRows) {
    __syncthreads();  // the last positions have been read
    if (threadIdx.x < kClaheBlockRows) {
      const int y = static_cast<int>(first) + threadIdx.x, down = clahe_block(a.down, y);
      const long long row = 1LL * a.across.tiles * kClaheBins;
      places[threadIdx.x] = {clahe_tile_before(down) * row, clahe_tile_after(a.down, down) * row,
                             clahe_weight_after(a.down, clahe_offset(a.down, y))};
    }
    __syncthreads();
    if (x >= a.across.side) continue;
    for (int k = threadIdx.x / 32; k < kClaheBlockRows && first + k < a.rows.end;
         k += kClaheThreads / 32) {
      const ClaheRowPlace p = places[k];
      const int y = static_cast<int>(first) + k;
      const T* pixel = clahe_in<T>(a, group, x, y);
      for (int c = 0; c < a.channels; ++c) {
        const int channel = group % a.groups * a.channels + c;
        const int slot = clahe_slot(pixel[channel], bins);
        take(x, y, channel,
             clahe_level(left[p.above + slot], right[p.above + slot], left[p.below + slot],
                         right[p.below + slot], 1 - to_right, to_right, 1 - p.weight, p.weight));
      }
    }
  }
}

template <class T>
__device__ void clahe_extremes(const ClaheArgs& a) {
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    if (clahe_is_flat(a.found[group])) continue;
    int low = kClaheNothing.low_level, high = kClaheNothing.high_level;
    clahe_levels<T>(a, group, [&](int, int, int, int level) {
      low = level < low ? level : low;
      high = level > high ? level : high;
    });
    clahe_widen(low, high, &a.found[group].low_level, &a.found[group].high_level);
  }
}

/// Copies channels of the block's pixels.
template <class T>
__device__ inline void clahe_copy(const ClaheArgs& a, int group, int first_channel, int count) {
  const int x = blockIdx.x * kClaheBlockWidth + threadIdx.x % 32;
  if (x >= a.across.side) return;
  for (int y = a.rows.first + blockIdx.y * kClaheBlockRows; y < a.rows.end;
       y += gridDim.y * kClaheBlockRows)
    for (int k = threadIdx.x / 32; k < kClaheBlockRows && y + k < a.rows.end;
         k += kClaheThreads / 32)
      for (int c = first_channel; c < first_channel + count; ++c)
        clahe_out<T>(a, group, x, y + k)[c] = clahe_in<T>(a, group, x, y + k)[c];
}

template <class T>
__device__ void clahe_make(const ClaheArgs& a) {
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    const unsigned short* results = a.tables + group * a.tables_size + a.bins_size + a.tiles_size;
    if (clahe_is_flat(a.found[group]))
      clahe_copy<T>(a, group, group % a.groups * a.channels, a.channels);
    else
      clahe_levels<T>(a, group, [&](int x, int y, int channel, int level) {
        clahe_out<T>(a, group, x, y)[channel] = static_cast<T>(results[level]);
      });
    if (a.alpha >= 0 && group % a.groups == 0) clahe_copy<T>(a, group, a.alpha, 1);
  }
}

}  // namespace tessera
