// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel of the fit.
#pragma once

#include "ops/faraday/stokes/stokes_fit_pixel.cuh"

namespace tessera {

inline constexpr int kStokesThreads = 128;

struct StokesFitArgs {
  StokesCubes cubes;
  FaradayTarget model, maps;  ///< a model without data is not wanted
  const StokesChannel* channels;
  StokesRule rule;
  int width;
  long long pixels;  ///< counted in row order
};

}  // namespace tessera
