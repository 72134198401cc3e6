// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input], in more registers: a thread has kEach by kEach pairs, kSumsSide
// inputs apart: one load of a sample serves kEach of them.
#pragma once

#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

/// Inputs of a thread; those beyond the last read it again, and are not written.
template <int kEach>
struct TiledInputs {
  int first;
  long long at[kEach];  ///< of the first sample

  __device__ TiledInputs(const SumsArgs& a, int channel, int first_input) : first(first_input) {
    for (int k = 0; k < kEach; ++k)
      at[k] = 2 * (1LL * channel * a.samples * a.inputs +
                   min(first_input + k * kSumsSide, a.inputs - 1));
  }
};

template <int kEach>
__device__ void tiled_sums(const SumsArgs& a) {
  constexpr int kSide = kEach * kSumsSide;
  const int tiles = (a.inputs + kSide - 1) / kSide, place = threadIdx.x;
  const int channel = static_cast<int>(blockIdx.y) / tiles;
  const TiledInputs<kEach> across(a, channel, blockIdx.x * kSide + place % kSumsSide);
  const TiledInputs<kEach> down(a, channel, blockIdx.y % tiles * kSide + place / kSumsSide);
  int re[kEach][kEach] = {}, im[kEach][kEach] = {};
  for (int t = 0; t < a.samples; ++t) {
    const signed char* const now = a.given + 2LL * t * a.inputs;
    for (int p = 0; p < kEach; ++p)
      for (int q = 0; q < kEach; ++q) {
        const signed char *const x = now + down.at[p], *const y = now + across.at[q];
        re[p][q] += x[0] * y[0] + x[1] * y[1];
        im[p][q] += x[1] * y[0] - x[0] * y[1];
      }
  }
  for (int p = 0; p < kEach; ++p)
    for (int q = 0; q < kEach; ++q) {
      const int i = down.first + p * kSumsSide, j = across.first + q * kSumsSide;
      if (i >= a.inputs || j >= a.inputs) continue;
      int* const sum = sum_of(a, channel, i, j);
      put_sums(a, sum, sum + 1, re[p][q], im[p][q]);
    }
}

}  // namespace tessera
