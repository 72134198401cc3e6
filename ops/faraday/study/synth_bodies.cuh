// SPDX-License-Identifier: Apache-2.0
// The sum by hand, for any type of numbers: one thread per result, and blocks with tiles in shared
// memory.
#pragma once

#include "ops/faraday/study/synth_args.cuh"

namespace tessera {

extern __shared__ double synth_memory[];

template <class T>
__device__ void add_product(SynthPair<T>& sum, const SynthPair<T>& a, const SynthPair<T>& b) {
  sum.re = fma(a.re, b.re, fma(-a.im, b.im, sum.re));
  sum.im = fma(a.re, b.im, fma(a.im, b.re, sum.im));
}

/// Neighbouring threads have neighbouring depths of a pixel.
template <class T>
__device__ void synth_naive(const SynthArgs& a) {
  const long long index = 1LL * blockIdx.x * kSynthThreads + threadIdx.x;
  if (index >= a.pixels * a.depths) return;
  const auto* const given =
      static_cast<const SynthPair<T>*>(a.given) + index / a.depths * a.channels;
  const auto* const turns =
      static_cast<const SynthPair<T>*>(a.turns) + index % a.depths * a.channels;
  SynthPair<T> sum{0, 0};
  for (int k = 0; k < a.channels; ++k) add_product(sum, given[k], turns[k]);
  static_cast<SynthPair<T>*>(a.made)[index] = sum;
}

/// kSynthStep channels of kSynthTile rows from `first` on; zeros beyond the ends.
template <class T>
__device__ void load_tile(const void* from, long long first, long long rows, int channel,
                          int channels, SynthPair<T>* tile) {
  for (int e = threadIdx.x; e < kSynthTile * kSynthStep; e += kSynthThreads) {
    const int row = e / kSynthStep, k = e % kSynthStep;
    const bool inside = first + row < rows && channel + k < channels;
    tile[k * (kSynthTile + 1) + row] =
        inside ? static_cast<const SynthPair<T>*>(from)[(first + row) * channels + channel + k]
               : SynthPair<T>{0, 0};
  }
}

/// A block has 64 pixels and 64 depths, a thread 4 by 4 of them, 16 apart.
template <class T>
__device__ void synth_tiled(const SynthArgs& a) {
  constexpr int kEach = 4, kApart = kSynthTile / kEach, kRow = kSynthTile + 1;
  auto* const pixels = reinterpret_cast<SynthPair<T>*>(synth_memory);
  SynthPair<T>* const depths = pixels + kSynthStep * kRow;
  const int column = threadIdx.x % kApart, row = threadIdx.x / kApart;
  const long long pixel = 1LL * blockIdx.x * kSynthTile;
  const int depth = blockIdx.y * kSynthTile;
  SynthPair<T> sums[kEach][kEach] = {};
  for (int channel = 0; channel < a.channels; channel += kSynthStep) {
    load_tile(a.given, pixel, a.pixels, channel, a.channels, pixels);
    load_tile(a.turns, depth, a.depths, channel, a.channels, depths);
    __syncthreads();
    for (int k = 0; k < kSynthStep; ++k)
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j)
          add_product(sums[i][j], pixels[k * kRow + row + i * kApart],
                      depths[k * kRow + column + j * kApart]);
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const long long y = pixel + row + i * kApart;
      const int p = depth + column + j * kApart;
      if (y < a.pixels && p < a.depths)
        static_cast<SynthPair<T>*>(a.made)[y * a.depths + p] = sums[i][j];
    }
}

}  // namespace tessera
