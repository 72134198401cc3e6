// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of the bands.
#pragma once

#include "ops/faraday/bands/faraday_band_pixel.cuh"

namespace tessera {

inline constexpr int kFaradayBandThreads = 256;

struct FaradayBandsArgs {
  FaradayBandCubes cubes;
  FaradayTarget bands;  ///< of the kernel that measures
  FaradayTarget q, u;   ///< of the kernel that weighs
  const FaradayBandChannel* channels;
  FaradayBandRule rule;
  int width;
  long long pixels;  ///< counted in row order
};

}  // namespace tessera
