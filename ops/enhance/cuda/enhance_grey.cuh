// SPDX-License-Identifier: Apache-2.0
// Makes 8-bit pixels of one or three channels grey and counts them, 16 per thread at a time.
//
// Warps go through groups of 32 x 16 pixels with a stride of the grid; the next group is loaded
// while one is counted. Neighbouring pixels are often equal, so threads would wait for each other
// in a common histogram. Therefore each thread has its own 256 one-byte counters in its own bank of
// shared memory; before a byte can overflow, the warp adds them up in registers.
#pragma once

#include "ops/enhance/cuda/enhance_packed_args.cuh"

namespace tessera {

/// 16 pixels as stored.
template <int kChannels>
struct PixelGroup {
  unsigned words[4 * kChannels];
};

/// Where a group lies: its first pixel, which is before the line's first pixel in a cut group.
struct GroupPlace {
  unsigned line;
  long long first;
};

template <int kChannels>
__device__ inline GroupPlace group_place(const GreyArgs& a, unsigned task) {
  const unsigned line = a.lines == 1 ? 0 : task / a.groups;
  const auto address = reinterpret_cast<unsigned long long>(a.in + line * a.in_line);
  return {line, 16LL * (task - line * a.groups) + pixels_before_groups(address, kChannels) - 16};
}

__device__ inline bool is_whole(const GreyArgs& a, const GroupPlace& p) {
  return p.first >= 0 && p.first + 16 <= a.pixels;
}

/// Each byte of the image is read once: it need not stay in the caches.
template <int kChannels>
__device__ inline PixelGroup<kChannels> load_group(const GreyArgs& a, unsigned task,
                                                   unsigned tasks) {
  PixelGroup<kChannels> group{};
  if (task >= tasks) return group;
  const GroupPlace p = group_place<kChannels>(a, task);
  if (!is_whole(a, p)) return group;
  const auto* from =
      reinterpret_cast<const uint4*>(a.in + p.line * a.in_line + p.first * kChannels);
#pragma unroll
  for (int k = 0; k < kChannels; ++k) {
    const uint4 four = __ldcs(from + k);
    group.words[4 * k] = four.x;
    group.words[4 * k + 1] = four.y;
    group.words[4 * k + 2] = four.z;
    group.words[4 * k + 3] = four.w;
  }
  return group;
}

__device__ inline unsigned grey_of(const GreyArgs& a, unsigned red, unsigned green, unsigned blue) {
  return (a.weights[0] * red + a.weights[1] * green + a.weights[2] * blue + 32768) >> 16;
}

/// A group's pixels, after grey. With weights that are 256 times a byte, one instruction sums them.
template <int kChannels, bool kByteWeights>
__device__ inline unsigned group_pixel(const GreyArgs& a, const PixelGroup<kChannels>& group,
                                       int pixel) {
  if constexpr (kChannels == 1) {
    return group.words[pixel / 4] >> (pixel % 4 * 8) & 255;
  } else {
    const int word = pixel * 3 / 4, byte = pixel * 3 % 4;
    const unsigned low = group.words[word], high = group.words[word < 11 ? word + 1 : word];
    const unsigned three = __funnelshift_r(low, high, byte * 8);
    if constexpr (kByteWeights) {
      const unsigned weights =
          a.weights[0] >> 8 | (a.weights[1] >> 8) << 8 | (a.weights[2] >> 8) << 16;
      return __dp4a(three, weights, 128U) >> 8;
    } else {
      return grey_of(a, three & 255, three >> 8 & 255, three >> 16 & 255);
    }
  }
}

/// Where a thread counts.
template <GreyKnobs K>
struct ThreadCounters {
  unsigned char* shared;  ///< of its warp
  unsigned lane;

  __device__ unsigned* words() const { return reinterpret_cast<unsigned*>(shared); }
  __device__ void add(unsigned value) const {
    if constexpr (K.atomics)
      atomicAdd(words() + value, 1U);
    else
      shared[(value >> 2) * 128 + lane * 4 + (value & 3)] += 1;
  }
  __device__ void clear() const {
    for (unsigned k = lane; k < K.counter_bytes() / 4; k += 32) words()[k] = 0;
    __syncwarp();
  }
};

/// A warp's counts; a lane keeps the sums of eight values in registers.
template <GreyKnobs K>
struct WarpSums {
  unsigned sums[8];
  int seen;  ///< maximum number of pixels a thread has counted since its bytes were zero

  /// Called by all lanes before they count up to 16 pixels each.
  __device__ void make_room(const ThreadCounters<K>& counters) {
    if constexpr (!K.atomics) {
      if (seen + 16 > 255) flush(counters);
      seen += 16;
    }
  }
  /// Lanes begin in different words of a row, so that there are no bank conflicts. 32 times 255
  /// fits half a word.
  __device__ void flush(const ThreadCounters<K>& counters) {
    __syncwarp();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned even = 0, odd = 0;
      unsigned* row = counters.words() + (counters.lane + half * 32) * 32;
#pragma unroll 8
      for (unsigned k = 0; k < 32; ++k) {
        const unsigned at = (k + counters.lane) % 32, word = row[at];
        even += word & 0x00FF00FF;
        odd += word >> 8 & 0x00FF00FF;
        row[at] = 0;
      }
      sums[half * 4] += even & 0xFFFF;
      sums[half * 4 + 1] += odd & 0xFFFF;
      sums[half * 4 + 2] += even >> 16;
      sums[half * 4 + 3] += odd >> 16;
    }
    seen = 0;
    __syncwarp();
  }
  /// Adds the warp's counts to the block's 256 words.
  __device__ void add_to(unsigned* block, const ThreadCounters<K>& counters) {
    const unsigned lane = counters.lane;
    if constexpr (K.atomics) {
      __syncwarp();
      for (unsigned v = lane; v < 256; v += 32) atomicAdd(block + v, counters.words()[v]);
    } else {
      flush(counters);
#pragma unroll
      for (int k = 0; k < 8; ++k) atomicAdd(block + (lane + k / 4 * 32) * 4 + k % 4, sums[k]);
    }
  }
};

/// The pixels of a group cut by the end of a line, one by one.
template <int kChannels, GreyKnobs K>
__device__ inline void cut_group(const GreyArgs& a, const GroupPlace& p,
                                 const ThreadCounters<K>& counters) {
  const long long first = p.first < 0 ? 0 : p.first,
                  end = p.first + 16 < a.pixels ? p.first + 16 : a.pixels;
#pragma unroll 1
  for (long long x = first; x < end; ++x) {
    const unsigned char* from = a.in + p.line * a.in_line + x * kChannels;
    unsigned value = from[0];
    if constexpr (kChannels == 3) value = grey_of(a, value, from[1], from[2]);
    if (a.out) a.out[p.line * a.out_line + x] = static_cast<unsigned char>(value);
    if (a.counts) counters.add(value);
  }
}

template <int kChannels, bool kByteWeights, GreyKnobs K>
__device__ inline void whole_group(const GreyArgs& a, const GroupPlace& p,
                                   const PixelGroup<kChannels>& group,
                                   const ThreadCounters<K>& counters) {
  unsigned made[4] = {};
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const unsigned value = group_pixel<kChannels, kByteWeights>(a, group, k);
    made[k / 4] |= value << (k % 4 * 8);
    if (a.counts) counters.add(value);
  }
  if (!a.out) return;
  unsigned char* to = a.out + p.line * a.out_line + p.first;
  if (reinterpret_cast<unsigned long long>(to) % 16 == 0) {
    *reinterpret_cast<uint4*>(to) = make_uint4(made[0], made[1], made[2], made[3]);
  } else {
#pragma unroll
    for (int k = 0; k < 16; ++k) to[k] = static_cast<unsigned char>(made[k / 4] >> (k % 4 * 8));
  }
}

template <int kChannels, bool kByteWeights, GreyKnobs K>
__device__ void enhance_grey(const GreyArgs& a) {
  extern __shared__ __align__(16) unsigned char enhance_counters[];
  auto* totals = reinterpret_cast<unsigned*>(enhance_counters + K.warps * K.counter_bytes());
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (a.counts)
    for (unsigned v = threadIdx.x; v < 256; v += 32 * K.warps) totals[v] = 0;
  __syncthreads();
  const ThreadCounters<K> counters{enhance_counters + warp * K.counter_bytes(), lane};
  if (a.counts) counters.clear();
  WarpSums<K> sums{};
  const unsigned tasks = a.lines * a.groups, step = gridDim.x * K.warps * 32;
  unsigned task = (blockIdx.x * K.warps + warp) * 32 + lane;
  PixelGroup<kChannels> next = load_group<kChannels>(a, task, tasks);
  for (; task - lane < tasks; task += step) {
    const PixelGroup<kChannels> group = next;
    next = load_group<kChannels>(a, task + step, tasks);
    if (a.counts) sums.make_room(counters);
    if (task >= tasks) continue;
    const GroupPlace p = group_place<kChannels>(a, task);
    if (is_whole(a, p))
      whole_group<kChannels, kByteWeights>(a, p, group, counters);
    else
      cut_group<kChannels>(a, p, counters);
  }
  if (!a.counts) return;
  sums.add_to(totals, counters);
  __syncthreads();
  for (unsigned v = threadIdx.x; v < 256; v += 32 * K.warps)
    if (totals[v]) atomicAdd(a.counts + v, static_cast<unsigned long long>(totals[v]));
}

}  // namespace tessera
