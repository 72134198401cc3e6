// SPDX-License-Identifier: Apache-2.0
// Packs and unpacks images whose pixels are not contiguous; one thread per sample.
#pragma once

#include "ops/convolve/cuda/convolve_pack_args.cuh"

namespace tessera {

template <class Sample>
__device__ void pack_samples(const PackArgs& a) {
  long long k = static_cast<long long>(blockIdx.x) * kPackThreads + threadIdx.x;
  if (k >= a.samples) return;
  const int channel = static_cast<int>(k % a.channels);
  k /= a.channels;
  const int x = static_cast<int>(k % a.width);
  k /= a.width;
  const int y = static_cast<int>(k % a.height);
  const long long plane = k / a.height;
  static_cast<Sample*>(a.to)[plane * a.to_plane + y * a.to_row + x * a.to_pixel + channel] =
      static_cast<const Sample*>(
          a.from)[plane * a.from_plane + y * a.from_row + x * a.from_pixel + channel];
}

}  // namespace tessera
