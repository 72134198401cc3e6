// SPDX-License-Identifier: Apache-2.0
/// The kernels that multiply: tiles of inputs by tiles of inputs, ci8, sums in int32.
#pragma once

#include <string>

#include "tessera/stream.hpp"

namespace tessera {

/// wgmma: Hopper's tensor cores, one warp group at a time; mma: those of compute capability 8.0 and
/// up; dp4a: without tensor cores. All need at least 8.0.
enum class TileKernel { wgmma, mma, dp4a };

/// Samples on the device and the destination of their sums. Samples are (re, im) bytes.
struct XEngineTiles {
  const void* samples = nullptr;
  int channels = 0, inputs = 0, polarisations = 1;
  long long length = 0;  ///< samples in time
  /// grouped: [channel][time / 16][input][16][re, im], `length` is a multiple of 16, channels are
  /// channel_step bytes apart, groups of 16 are time_step apart. Otherwise inputs are contiguous
  /// and samples in time are time_step bytes apart.
  bool grouped = true;
  long long channel_step = 0, time_step = 0;
  int* sums = nullptr;  ///< [channel][triangular place][re, im]
  bool add = false;     ///< to the existing sums; otherwise they are overwritten
};

/// "" or the reason, as part of a sentence.
std::string why_no_tile_kernel(TileKernel kernel, int device);
/// Whether samples that are not grouped can be multiplied in place (alignment, steps).
bool takes_strided(const XEngineTiles& tiles);
/// Enqueues.
void run_tiles(TileKernel kernel, const XEngineTiles& tiles, Stream& stream);

}  // namespace tessera
