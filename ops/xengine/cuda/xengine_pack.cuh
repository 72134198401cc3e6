// SPDX-License-Identifier: Apache-2.0
// Samples of any layout into groups of 16: the order that tile kernels read. Both kernels run at
// about the speed of memory: data that lanes read together is contiguous, and a thread writes whole
// sectors.
#pragma once

#include "ops/xengine/cuda/xengine_pack_args.cuh"

namespace tessera {

/// 16 bytes that are loaded and stored as one.
struct alignas(16) XEngineWords {
  unsigned word[4];
};

/// Any layout, ci8 or ci4. A thread makes the 16 samples of an input and a group: neighbouring
/// threads have neighbouring inputs, whose samples are adjacent in most layouts. kPairs: both parts
/// are adjacent at even addresses.
template <bool kPairs, bool kFour>
__device__ void xengine_pack_samples(const XEnginePackArgs& a) {
  const XEngineSamples& s = a.samples;
  const unsigned at = blockIdx.x * kXEnginePackThreads + threadIdx.x;
  const int input = static_cast<int>(at % s.inputs), group = static_cast<int>(at / s.inputs);
  if (group >= a.groups()) return;
  const int there = a.count - group * kXEngineGroup;
  XEngineWalk walk(s, a.first_channel + static_cast<int>(blockIdx.y), input,
                   a.first + group * kXEngineGroup);
  unsigned sample[kXEngineGroup];
#pragma unroll
  for (int k = 0; k < kXEngineGroup; ++k, walk.next(s)) {
    sample[k] = 0;
    if (k >= there) continue;
    if constexpr (kFour)
      sample[k] = ci4_sample(s, walk.at);
    else if constexpr (kPairs)
      sample[k] =
          *reinterpret_cast<const unsigned short*>(walk.at) ^ (s.offset_binary ? 0x8080U : 0);
    else
      sample[k] = ci8_sample(s, walk.at);
  }
  auto* to = reinterpret_cast<XEngineWords*>(a.packed + blockIdx.y * a.channel_bytes()) + 2LL * at;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    XEngineWords words;
#pragma unroll
    for (int w = 0; w < 4; ++w)
      words.word[w] = sample[8 * half + 2 * w] | sample[8 * half + 2 * w + 1] << 16;
    to[half] = words;
  }
}

/// The incomplete words at the end of a block: nothing is read past the end.
template <int kInterleaved>
__device__ inline void xengine_read_end(const unsigned char* from, int left, unsigned flip,
                                        unsigned (&word)[8 * kInterleaved]) {
  const auto* samples = reinterpret_cast<const unsigned short*>(from);
#pragma unroll
  for (int w = 0; w < 8 * kInterleaved; ++w) {
    if (left >= 8 * (w / 4 + 1)) continue;
    const auto sample = [&](int k) { return k < left ? samples[k] ^ (flip & 0xffffU) : 0U; };
    word[w] = sample(2 * w) | sample(2 * w + 1) << 16;
  }
}

/// ci8 whose samples follow each other in time: those of an input (kInterleaved = 1), or of two
/// polarisations in turn (2). A thread reads a group of an antenna as 16-byte words. Threads of a
/// warp are 8 antennas by 4 groups, so that reads and writes both come in runs.
template <int kInterleaved>
__device__ void xengine_pack_runs(const XEnginePackArgs& a) {
  const XEngineSamples& s = a.samples;
  constexpr int kGroups = kXEnginePackThreads / kXEnginePackAntennas;
  const int units = s.inputs / kInterleaved, across = (units - 1) / kXEnginePackAntennas + 1;
  const int unit = static_cast<int>(blockIdx.x % across) * kXEnginePackAntennas +
                   threadIdx.x % kXEnginePackAntennas;
  const int group =
      static_cast<int>(blockIdx.x / across) * kGroups + threadIdx.x / kXEnginePackAntennas;
  if (unit >= units || group >= a.groups()) return;
  const unsigned char* from = s.address(a.first_channel + static_cast<int>(blockIdx.y),
                                        unit * kInterleaved, a.first + group * kXEngineGroup);
  const unsigned flip = s.offset_binary ? 0x80808080U : 0;
  const int left = (a.count - group * kXEngineGroup) * kInterleaved;  // samples
  unsigned word[8 * kInterleaved];
#pragma unroll
  for (int k = 0; k < 2 * kInterleaved; ++k) {
    XEngineWords words{};
    if (left >= 8 * (k + 1)) words = reinterpret_cast<const XEngineWords*>(from)[k];
#pragma unroll
    for (int w = 0; w < 4; ++w) word[4 * k + w] = words.word[w] ^ flip;
  }
  if (left < 8 * 2 * kInterleaved) xengine_read_end<kInterleaved>(from, left, flip, word);
  auto* to = reinterpret_cast<XEngineWords*>(a.packed + blockIdx.y * a.channel_bytes() +
                                             group * a.group_bytes()) +
             2 * kInterleaved * unit;
#pragma unroll
  for (int k = 0; k < 2 * kInterleaved; ++k) {
    XEngineWords words;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      const int pair = 4 * (k % 2) + w;  // of this polarisation's samples
      if constexpr (kInterleaved == 1)
        words.word[w] = word[4 * k + w];
      else if (k < 2)
        words.word[w] = (word[2 * pair] & 0xffffU) | word[2 * pair + 1] << 16;
      else
        words.word[w] = word[2 * pair] >> 16 | (word[2 * pair + 1] & 0xffff0000U);
    }
    to[k] = words;
  }
}

/// Writes zeros to the packed samples of inputs without data. A thread checks the 16 samples of an
/// input and a group.
__device__ inline void xengine_clear_invalid(const XEnginePackArgs& a) {
  const XEngineSamples& s = a.samples;
  const unsigned at = blockIdx.x * kXEnginePackThreads + threadIdx.x;
  const int input = static_cast<int>(at % s.inputs), group = static_cast<int>(at / s.inputs);
  if (group >= a.groups()) return;
  auto* to = reinterpret_cast<unsigned short*>(a.packed + blockIdx.y * a.channel_bytes()) +
             1LL * kXEngineGroup * at;
  XEngineMaskWalk mask(s, input, a.first + group * kXEngineGroup);
  for (int k = 0; k < kXEngineGroup && group * kXEngineGroup + k < a.count; ++k, mask.skip(s, 1))
    if (!mask.is_valid()) to[k] = 0;
}

}  // namespace tessera
