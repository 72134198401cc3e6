// SPDX-License-Identifier: Apache-2.0
/// Sums over the channels of neighbouring pixels, once per SIMD target. Lanes are pixels.
#pragma once

#include "ops/faraday/bands/faraday_band_pixel.cuh"

namespace tessera {

/// Pixels per block: their sums stay in the nearest cache during the pass over channels.
inline constexpr int kFaradayBandBlock = 128;

/// FaradayBandSums of the pixels of a block, number by number.
struct FaradayBandBlock {
  double weight[kFaradayBandBlock], first[kFaradayBandBlock], second[kFaradayBandBlock],
      squares[kFaradayBandBlock], first_squares[kFaradayBandBlock],
      second_squares[kFaradayBandBlock], least[kFaradayBandBlock], most[kFaradayBandBlock],
      own[kFaradayBandBlock], channels[kFaradayBandBlock];

  FaradayBandSums at(int i) const {
    return {weight[i],         first[i], second[i], squares[i], first_squares[i],
            second_squares[i], least[i], most[i],   own[i],     static_cast<int>(channels[i])};
  }
};

/// Samples of one channel, packed and padded to whole vectors; `weight` and `sigma` may be
/// null.
struct FaradayBandRow {
  const double *q, *u, *weight, *sigma;
};

/// Adds a channel to the sums of a block.
using FaradayBandAdd = void (*)(const FaradayBandRow&, const FaradayBandChannel&, double lambda2_0,
                                int count, FaradayBandBlock&);
FaradayBandAdd faraday_band_add();

}  // namespace tessera
