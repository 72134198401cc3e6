// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis by products of matrices: the steps before and after them.
#pragma once

#include "ops/faraday/cuda/faraday_pixel.cuh"
#include "ops/faraday/synth/cuda/faraday_gemm_args.cuh"

namespace tessera {

/// Copies a tile of Q and U, with flagged voxels as zeros, and sums the weights of the others.
/// Neighbouring threads are neighbouring pixels; the sum of a pixel has the same order wherever it
/// lies.
template <class T>
__device__ inline void faraday_pack(const FaradayGemmArgs& a) {
  extern __shared__ double faraday_sums[];  // kFaradayPackRows x kFaradayPackColumns
  const int column = static_cast<int>(threadIdx.x) % kFaradayPackColumns,
            row = static_cast<int>(threadIdx.x) / kFaradayPackColumns,
            place = static_cast<int>(blockIdx.x) * kFaradayPackColumns + column;
  const FaradayPixel<T> pixel(a.cubes, a.first + place);
  T* const packed = static_cast<T*>(a.packed) + place;
  double sum = 0;
#pragma unroll 4
  for (int k = row; k < a.channels; k += kFaradayPackRows) {
    T q = pixel.there ? pixel.q[k * a.cubes.q.plane] : T{0};
    T u = pixel.there ? pixel.u[k * a.cubes.u.plane] : T{0};
    if (is_finite(q) && is_finite(u))
      sum += a.share[k];
    else
      q = u = 0;
    packed[1LL * k * a.columns()] = q;
    packed[1LL * k * a.columns() + a.to_u()] = u;
  }
  faraday_sums[threadIdx.x] = sum;
  __syncthreads();
  if (row > 0) return;
  for (int r = 1; r < kFaradayPackRows; ++r) sum += faraday_sums[r * kFaradayPackColumns + column];
  static_cast<T*>(a.scale)[place] = faraday_scale<T>(sum);
}

/// Both signs of a depth from four products.
template <class T>
__device__ inline void faraday_combine_signs(const FaradayGemmArgs& a, const FaradayPixel<T>& pixel,
                                             const T* product, T scale, int p) {
  const T* const cosines = product + 1LL * p * a.columns();
  const T* const sines = product + 1LL * (a.half() + p) * a.columns();
  const T cq = cosines[0], cu = cosines[a.tile], sq = sines[0], su = sines[a.tile];
  const int mirrored = a.depths - 1 - p;
  pixel.real[p * a.cubes.real.plane] = scale * (cq + su);
  pixel.imaginary[p * a.cubes.imaginary.plane] = scale * (cu - sq);
  if (mirrored == p) return;
  pixel.real[mirrored * a.cubes.real.plane] = scale * (cq - su);
  pixel.imaginary[mirrored * a.cubes.imaginary.plane] = scale * (cu + sq);
}

/// Spectra from products. Grid: pixels, then depths.
template <class T>
__device__ inline void faraday_combine(const FaradayGemmArgs& a) {
  const int place = static_cast<int>(blockIdx.x * kFaradayGemmThreads + threadIdx.x);
  const FaradayPixel<T> pixel(a.cubes, a.first + place);
  if (place >= a.tile || !pixel.there) return;
  const T scale = static_cast<const T*>(a.scale)[place];
  const T* const product = static_cast<const T*>(a.product) + place;
  const int depths = a.symmetric ? a.half() : a.depths;
  for (int p = static_cast<int>(blockIdx.y); p < depths; p += static_cast<int>(gridDim.y)) {
    if (a.symmetric) {
      faraday_combine_signs(a, pixel, product, scale, p);
    } else {
      pixel.real[p * a.cubes.real.plane] = scale * product[1LL * p * a.columns()];
      pixel.imaginary[p * a.cubes.imaginary.plane] =
          scale * product[1LL * (a.depths + p) * a.columns()];
    }
  }
}

}  // namespace tessera
