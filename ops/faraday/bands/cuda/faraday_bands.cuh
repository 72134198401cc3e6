// SPDX-License-Identifier: Apache-2.0
// Bands on a GPU: one thread per pixel, lanes are neighbours.
#pragma once

#include "ops/faraday/bands/cuda/faraday_bands_args.cuh"

namespace tessera {

template <class T>
__device__ inline void faraday_band_pixels(const FaradayBandsArgs& a) {
  const long long pixel = 1LL * blockIdx.x * kFaradayBandThreads + threadIdx.x;
  if (pixel >= a.pixels) return;
  const long long x = pixel % a.width, y = pixel / a.width;
  const FaradayBandValues values =
      faraday_band_values(faraday_band_sums<T>(a.cubes, a.channels, a.rule, x, y), a.rule);
  T* const out = static_cast<T*>(a.bands.data) + y * a.bands.row + x * a.bands.pixel;
#pragma unroll
  for (int place = 0; place < kFaradayBandPlaces; ++place)
    out[place * a.bands.plane] = static_cast<T>(values.at[place]);
}

template <class T>
__device__ inline void faraday_weigh_pixels(const FaradayBandsArgs& a) {
  const long long pixel = 1LL * blockIdx.x * kFaradayBandThreads + threadIdx.x;
  if (pixel >= a.pixels) return;
  const long long x = pixel % a.width, y = pixel / a.width;
  const FaradayBandSums sums = faraday_band_sums<T>(a.cubes, a.channels, a.rule, x, y);
  T* const q = static_cast<T*>(a.q.data) + y * a.q.row + x * a.q.pixel;
  T* const u = static_cast<T*>(a.u.data) + y * a.u.row + x * a.u.pixel;
  for (int k = 0; k < a.rule.channels; ++k) {
    const double w = faraday_voxel_weight<T>(a.cubes, a.channels[k], x, y, k);
    const double factor = w > 0 ? faraday_voxel_factor(sums, w, a.channels[k]) : nan("");
    q[k * a.q.plane] = static_cast<T>(factor * band_sample<T>(a.cubes.q, x, y, k));
    u[k * a.u.plane] = static_cast<T>(factor * band_sample<T>(a.cubes.u, x, y, k));
  }
}

}  // namespace tessera
