// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels around cuFFT.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

template <class T>
struct LibraryArgs : ConvolveArgs<T> {
  T *real, *complex;  ///< the padded plane, and its transform: pairs of re and im
  const T* spectrum;  ///< of the filter
  const T* weights;
  int* found;  ///< set if a pixel is not finite
  int padded_width, padded_height, plane, channel;
};

/// Threads per block.
inline constexpr int kLibraryThreads = 256;

}  // namespace tessera
