// SPDX-License-Identifier: Apache-2.0
/// Sums over the channels of a block of pixels, once per SIMD target. Lanes are pixels.
#pragma once

#include "ops/faraday/stokes/stokes_fit_pixel.cuh"

namespace tessera {

/// Pixels per block: 300 channels of them stay in the second cache.
inline constexpr int kStokesBlock = 32;

/// Pixels that are fitted together, number by number.
struct StokesLanes {
  const double* value;   ///< [channel][pixel]; 0 if it does not count
  const double* weight;  ///< 1 / sigma; 0 if it does not count
  const StokesChannel* channels;
  const StokesRule* rule;
  double trial[kStokesTerms][kStokesBlock];
  double stage[kStokesBlock];  ///< StokesStage
  double gram[kStokesGram][kStokesBlock], slope[kStokesTerms][kStokesBlock];
  double loss[kStokesBlock], size[kStokesBlock];
};

struct StokesLaneWork {
  /// Fills the sums of pixels [first, first + step()) for trials of an order.
  void (*sums)(StokesLanes&, int order, int first);
  /// The model of the trials, [channel][pixel].
  void (*model)(const StokesLanes&, double* to);
  int (*step)();  ///< pixels per call of `sums`
};
StokesLaneWork stokes_lane_work();

}  // namespace tessera
