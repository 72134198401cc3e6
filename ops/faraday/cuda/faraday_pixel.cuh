// SPDX-License-Identifier: Apache-2.0
// Steps for one pixel that every kernel of rotation measure synthesis shares.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

/// The work of a thread: one pixel of all four cubes.
template <class T>
struct FaradayPixel {
  bool there;
  const T *q, *u;
  T *real, *imaginary;

  __device__ FaradayPixel(const FaradayCubes& cubes, long long pixel)
      : there(pixel < cubes.pixels) {
    const long long y = there ? pixel / cubes.width : 0, x = there ? pixel % cubes.width : 0;
    q = static_cast<const T*>(cubes.q.data) + y * cubes.q.row + x * cubes.q.pixel;
    u = static_cast<const T*>(cubes.u.data) + y * cubes.u.row + x * cubes.u.pixel;
    real = static_cast<T*>(cubes.real.data) + y * cubes.real.row + x * cubes.real.pixel;
    imaginary =
        static_cast<T*>(cubes.imaginary.data) + y * cubes.imaginary.row + x * cubes.imaginary.pixel;
  }
};

__device__ inline bool is_finite(float value) { return fabsf(value) <= 3.402823466e38F; }
__device__ inline bool is_finite(double value) { return fabs(value) <= 1.7976931348623157e308; }

/// The factor for the sums of a pixel, given its good channels' fraction of all weights; NaN if it
/// has none.
template <class T>
__device__ inline T faraday_scale(double share) {
  return static_cast<T>(share > 0 ? 1 / share : __longlong_as_double(0x7ff8000000000000));
}

}  // namespace tessera
