// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that multiply ci16, cf16 and cf32.
#pragma once

#include "ops/xengine/cuda/xengine_samples.cuh"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {

inline constexpr int kXEngineFmaThreads = 256;
inline constexpr int kXEngineFmaTile = 64;   ///< maximum number of inputs
inline constexpr int kXEngineFmaSlice = 16;  ///< samples in shared memory
inline constexpr int kXEngineFmaRun = 256;   ///< kFloatRun
/// Bytes: two slices of two sides.
inline constexpr int kXEngineFmaShared = 2 * kXEngineFmaSlice * 2 * kXEngineFmaTile * 8;

/// Grid: across, the tiles on and below the diagonal, baseline_of(row, column); down, channels from
/// `first_channel` on.
struct XEngineFmaArgs {
  XEngineSamples samples;
  int first_channel;
  int tile;          ///< inputs: whole antennas, so that no antenna is split between two tiles
  long long values;  ///< sums per channel
  void* sums;        ///< [channel][triangular place][re, im], long long or double
  bool add;
  int phase;  ///< of floats: samples of the first run that came before
  float*
      run;  ///< sums of a run that is not whole, in the same places; may be null if there is none
  bool continued;  ///< it has the first `phase` samples
};

/// Tile of whole antennas.
constexpr int xengine_fma_tile(int polarisations) {
  return kXEngineFmaTile / polarisations * polarisations;
}

}  // namespace tessera
