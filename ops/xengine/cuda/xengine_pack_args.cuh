// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that bring samples into the order the tile kernels read.
#pragma once

#include "ops/xengine/cuda/xengine_samples.cuh"

namespace tessera {

inline constexpr int kXEngineGroup = 16;  ///< contiguous samples in time
inline constexpr int kXEnginePackThreads = 256;
/// For xengine_pack_runs: neighbouring antennas (or inputs); the other threads are along time.
inline constexpr int kXEnginePackAntennas = 8;

/// Some channels and samples of a block to [channel][time / 16][input][16][re, im]. A launch has
/// blocks for all (input, group), fewer than 2^31 of them, and as many channels as there are blocks
/// down. Samples past `count` in the last group are zeros.
struct XEnginePackArgs {
  XEngineSamples samples;
  int first_channel;
  long long first;  ///< sample in time
  int count;
  unsigned char* packed;

  TESSERA_BOTH int groups() const { return (count + kXEngineGroup - 1) / kXEngineGroup; }
  TESSERA_BOTH long long group_bytes() const { return 2LL * kXEngineGroup * samples.inputs; }
  TESSERA_BOTH long long channel_bytes() const { return groups() * group_bytes(); }
};

}  // namespace tessera
