// SPDX-License-Identifier: Apache-2.0
// An image minus its background, between two passes; limited by memory bandwidth.
#pragma once

#include "ops/noise/cuda/noise_subtract_args.cuh"

namespace tessera {

template <class T, class Map>
__device__ void noise_subtract_rows(const NoiseSubtractArgs& a) {
  const int x = blockIdx.x * kNoiseSubtractThreads + threadIdx.x;
  if (x >= a.width) return;
  const T* const in = static_cast<const T*>(a.in) + x * a.in_steps.pixel;
  const Map* const background =
      static_cast<const Map*>(a.background) + x * a.background_steps.pixel;
  Map* const difference = static_cast<Map*>(a.difference) + x * a.difference_steps.pixel;
  for (long long y = blockIdx.y; y < a.height; y += gridDim.y)
    difference[y * a.difference_steps.row] =
        noise_difference(a.blanks, in[y * a.in_steps.row], background[y * a.background_steps.row]);
}

}  // namespace tessera
