// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// Border `inside`: pixels of row `y` near an edge are multiplied by their share. Elsewhere the
/// share is exactly 1. `sums` has `channels` samples per pixel and begins at column `first_column`.
template <class T>
void apply_inside(const ConvolveProblem& p, const Twofold* prefix, int y, int first_column,
                  int columns, int channels, T* sums) {
  for (int x = 0; x < columns; ++x) {
    const double share =
        inside_share(prefix, p.filter_width, p.filter_height, first_column + x - p.anchor.x,
                     y - p.anchor.y, p.image.size.width, p.image.size.height);
    if (share == 1.0) continue;
    // In double: a float overflows if less than 3e-39 of the filter is inside.
    for (int c = 0; c < channels; ++c) {
      T& sum = sums[x * channels + c];
      sum = static_cast<T>(sum * share);
    }
  }
}

}  // namespace tessera
