// SPDX-License-Identifier: Apache-2.0
// All steps that depend on one pixel at a time, for any type, channels and steps: curves, grey,
// counts. A block goes through rows of a plane with a stride of the grid and adds its counts to
// memory once.
#pragma once

#include "ops/enhance/cuda/enhance_args.cuh"

namespace tessera {

/// A pixel, at most four samples.
struct EnhancePixel {
  unsigned v[4];
};

template <class T, int kChannels>
__device__ inline EnhancePixel made_pixel(const EnhancePointArgs& a, const T* from, int plane) {
  constexpr int kColours = kChannels - (kChannels % 2 == 0);
  EnhancePixel p{};
#pragma unroll
  for (int c = 0; c < kChannels; ++c) p.v[c] = from[c];
  if (a.curve) {
#pragma unroll
    for (int c = 0; c < kColours; ++c) {
      const long long group = 1LL * plane * a.curve_groups + (a.curve_groups > 1 ? c : 0);
      p.v[c] = a.curve[group * a.levels + p.v[c]];
    }
  }
  if constexpr (kChannels > 2)
    if (a.grey) {
      // 65536 times the largest 16-bit value does not fit 32 bits with its half.
      const auto sum = 1ULL * a.weights[0] * p.v[0] + 1ULL * a.weights[1] * p.v[1] +
                       1ULL * a.weights[2] * p.v[2];
      p.v[0] = static_cast<unsigned>((sum + 32768) >> 16);
      p.v[1] = p.v[3];
    }
  return p;
}

/// Counters of a block: 8-bit values of all groups, one word each; or 16-bit values of one group,
/// two per word. Devices without room for those (null) count 16-bit values in memory.
template <class T>
struct EnhanceCounters {
  unsigned* words;
  unsigned long long* totals;  ///< those of the block's plane (and group) in memory
  int levels;

  __device__ void clear(int groups) const {
    if (!words) return;
    const int count = sizeof(T) == 1 ? groups * levels : levels / 2;
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x))
      words[k] = 0;
    __syncthreads();
  }
  /// Between two barriers a block may count a value less than 2^15 times. Then half a word never
  /// overflows, because a thread that finds it full subtracts 2^15 from it.
  __device__ void add(int group, unsigned value) const {
    if constexpr (sizeof(T) == 1) {
      atomicAdd(words + group * levels + value, 1U);
    } else {
      if (!words) {
        atomicAdd(totals + value, 1ULL);
        return;
      }
      const unsigned shift = value % 2 * 16;
      const unsigned before = atomicAdd(words + value / 2, 1U << shift);
      if ((before >> shift & 0xFFFF) != 0x7FFF) return;
      atomicSub(words + value / 2, 0x8000U << shift);
      atomicAdd(totals + value, 0x8000ULL);
    }
  }
  __device__ void flush(int groups) const {
    if (!words) return;
    __syncthreads();
    const int count = sizeof(T) == 1 ? groups * levels : levels / 2;
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) {
      const unsigned word = words[k];
      if constexpr (sizeof(T) == 1) {
        if (word) atomicAdd(totals + k, static_cast<unsigned long long>(word));
      } else {
        if (word & 0xFFFF)
          atomicAdd(totals + 2 * k, static_cast<unsigned long long>(word & 0xFFFF));
        if (word >> 16) atomicAdd(totals + 2 * k + 1, static_cast<unsigned long long>(word >> 16));
      }
    }
  }
};

/// Grid: blocks, planes, and groups if 16-bit values are counted: each group is counted by separate
/// blocks; those of the first also write.
template <class T, int kChannels>
__device__ void enhance_points(const EnhancePointArgs& a) {
  extern __shared__ __align__(16) unsigned enhance_words[];
  const PieceArgs& image = a.image;
  const int plane = static_cast<int>(blockIdx.y), first_group = static_cast<int>(blockIdx.z);
  const bool writes = image.out && first_group == 0;
  const int colours = a.out_channels - (a.out_channels % 2 == 0);
  EnhanceCounters<T> counters{a.shared_counts ? enhance_words : nullptr, nullptr, a.levels};
  if (a.counts) {
    counters.totals = a.counts + (1LL * plane * a.count_groups + first_group) * a.levels;
    counters.clear(a.count_groups);
  }
  const T* from = static_cast<const T*>(image.in) + plane * image.in_plane +
                  (image.made.first - image.held.first) * image.in_row;
  T* to = static_cast<T*>(image.out) + plane * image.out_plane;
  const long long pixels = 1LL * image.width * image.made.count(),
                  step = 1LL * gridDim.x * blockDim.x;
  for (long long base = 1LL * blockIdx.x * blockDim.x; base < pixels; base += step) {
    const long long k = base + threadIdx.x;
    if (k < pixels) {
      const long long y = k / image.width, x = k - y * image.width;
      const EnhancePixel p =
          made_pixel<T, kChannels>(a, from + y * image.in_row + x * image.in_pixel, plane);
      if (writes)
#pragma unroll
        for (int c = 0; c < kChannels; ++c)
          if (c < a.out_channels)
            to[y * image.out_row + x * image.out_pixel + c] = static_cast<T>(p.v[c]);
      if (a.counts)
#pragma unroll
        for (int c = 0; c < 3; ++c) {
          if (c >= colours) break;
          const int group = a.count_groups > 1 ? c : 0;
          if (sizeof(T) == 1 || group == first_group)
            counters.add(sizeof(T) == 1 ? group : 0, p.v[c]);
        }
    }
    if (sizeof(T) == 2 && a.counts) __syncthreads();  // see EnhanceCounters::add
  }
  if (a.counts) counters.flush(a.count_groups);
}

}  // namespace tessera
