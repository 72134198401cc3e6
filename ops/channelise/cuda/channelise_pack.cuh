// SPDX-License-Identifier: Apache-2.0
// Samples of any type and layout, side by side in time: int8, int16 or float parts, which hold
// every value of the types they stand for.
#pragma once

#include "ops/channelise/cuda/channelise_args.cuh"

namespace tessera {

/// A part of a packed sample: ci4 becomes int8, cf16 float.
template <int kType>
struct ChannelisePart {
  using Part = float;
};
template <>
struct ChannelisePart<kChanneliseCi8> {
  using Part = signed char;
};
template <>
struct ChannelisePart<kChanneliseCi4> {
  using Part = signed char;
};
template <>
struct ChannelisePart<kChanneliseCi16> {
  using Part = short;
};

extern __shared__ __align__(16) unsigned char channelise_pack_memory[];

/// Tile of times x, tile of inputs of a coarse channel y: read along whatever is side by side,
/// written along time.
template <int kType, bool kReal>
__device__ void channelise_pack(const ChannelisePackArgs& a) {
  using Part = typename ChannelisePart<kType>::Part;
  constexpr int kTile = kChannelisePackTile, kParts = kReal ? 1 : 2;
  auto* const tile = reinterpret_cast<Part(*)[kTile + 1][2]>(channelise_pack_memory);
  const int tiles = (a.inputs - 1) / kTile + 1;
  const int coarse = static_cast<int>(blockIdx.y) / tiles,
            first_input = static_cast<int>(blockIdx.y) % tiles * kTile;
  const long long first = static_cast<long long>(blockIdx.x) * kTile;
  for (int k = static_cast<int>(threadIdx.x); k < kTile * kTile; k += kChannelisePackThreads) {
    const int i = a.inputs_first ? k % kTile : k / kTile,
              t = a.inputs_first ? k / kTile : k % kTile;
    if (first_input + i >= a.inputs || first + t >= a.count) continue;
    const unsigned char* const at = a.samples.data +
                                    a.samples.places.input(coarse, first_input + i) +
                                    a.samples.places.at(a.first + first + t);
    const ChanneliseValue v = channelise_sample<kType, kReal>(a.samples, at);
    tile[i][t][0] = static_cast<Part>(v.re);
    tile[i][t][1] = static_cast<Part>(v.im);
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < kTile * kTile; k += kChannelisePackThreads) {
    const int i = k / kTile, t = k % kTile;
    if (first_input + i >= a.inputs || first + t >= a.count) continue;
    const long long line = static_cast<long long>(coarse) * a.inputs + first_input + i;
    Part* const to = reinterpret_cast<Part*>(a.out) + kParts * (line * a.pitch + first + t);
    to[0] = tile[i][t][0];
    if (!kReal) to[1] = tile[i][t][1];
  }
}

}  // namespace tessera
