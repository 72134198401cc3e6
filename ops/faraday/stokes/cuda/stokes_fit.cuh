// SPDX-License-Identifier: Apache-2.0
// The fit on a GPU: one thread per pixel, lanes are neighbours, so every pass over the channels
// reads whole lines.
#pragma once

#include "ops/faraday/stokes/cuda/stokes_fit_args.cuh"

namespace tessera {

template <class T>
__device__ inline void stokes_fit_pixels(const StokesFitArgs& a) {
  const long long pixel = 1LL * blockIdx.x * kStokesThreads + threadIdx.x;
  if (pixel >= a.pixels) return;
  const long long x = pixel % a.width, y = pixel / a.width;
  T* const model =
      a.model.data ? static_cast<T*>(a.model.data) + y * a.model.row + x * a.model.pixel : nullptr;
  T* const maps = static_cast<T*>(a.maps.data) + y * a.maps.row + x * a.maps.pixel;
  stokes_fit_one(StokesColumn<T>{a.cubes, a.channels, a.rule, x, y}, model, a.model.plane, maps,
                 a.maps.plane);
}

}  // namespace tessera
