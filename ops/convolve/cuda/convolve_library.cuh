// SPDX-License-Identifier: Apache-2.0
// Kernels around cuFFT: pixels into the padded plane, the product of spectra, results out of the
// plane. One thread per value.
#pragma once

#include "ops/convolve/cuda/convolve_library_args.cuh"
#include "ops/convolve/cuda/convolve_pixels.cuh"

namespace tessera {

__device__ inline long long library_index() {
  return static_cast<long long>(blockIdx.x) * kLibraryThreads + threadIdx.x;
}

/// The filter rotated by 180 degrees about its first weight, divided by the number of pixels of the
/// plane: the inverse transform is not normalised.
template <class T>
__device__ void place_filter(const LibraryArgs<T>& a) {
  const long long k = library_index();
  if (k >= static_cast<long long>(a.padded_width) * a.padded_height) return;
  const int i = static_cast<int>((a.padded_width - k % a.padded_width) % a.padded_width);
  const int j = static_cast<int>((a.padded_height - k / a.padded_width) % a.padded_height);
  const bool inside = i < a.filter_width && j < a.filter_height;
  a.real[k] = inside ? a.weights[static_cast<long long>(j) * a.filter_width + i] /
                           (static_cast<T>(a.padded_width) * static_cast<T>(a.padded_height))
                     : T(0);
}

/// All pixels that the outputs reach, then zeros.
template <class In, class T>
__device__ void pad_pixels(const LibraryArgs<T>& a) {
  const long long k = library_index();
  if (k >= static_cast<long long>(a.padded_width) * a.padded_height) return;
  const int x = static_cast<int>(k % a.padded_width), y = static_cast<int>(k / a.padded_width);
  const bool reached =
      x < a.out_width + a.filter_width - 1 && y < a.made.end - a.made.first + a.filter_height - 1;
  const T value = reached ? border_pixel<In>(a, a.plane, a.channel, x - a.anchor_x,
                                             y + a.made.first - a.anchor_y)
                          : T(0);
  if (!isfinite(value)) atomicExch(a.found, 1);
  a.real[k] = value;
}

template <class T>
__device__ void multiply_spectra(const LibraryArgs<T>& a) {
  const long long k = library_index();
  if (k >= static_cast<long long>(a.padded_width / 2 + 1) * a.padded_height) return;
  const T re = a.complex[2 * k], im = a.complex[2 * k + 1];
  const T wr = a.spectrum[2 * k], wi = a.spectrum[2 * k + 1];
  a.complex[2 * k] = fused(re, wr, -(im * wi));
  a.complex[2 * k + 1] = fused(re, wi, im * wr);
}

template <class Out, class T>
__device__ void take_results(const LibraryArgs<T>& a) {
  const long long k = library_index();
  if (k >= static_cast<long long>(a.out_width) * a.made.count()) return;
  const int x = static_cast<int>(k % a.out_width), y = static_cast<int>(k / a.out_width);
  store_pixel<Out>(a, a.plane, a.channel, x, a.made.first + y,
                   a.real[static_cast<long long>(y) * a.padded_width + x]);
}

}  // namespace tessera
