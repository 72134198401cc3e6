// SPDX-License-Identifier: Apache-2.0
/// How the CUDA NUFFT kernel divides a grid, and the tables it reads. Nothing here needs a device.
#pragma once

#include <string>
#include <vector>

#include "ops/faraday/synth/cuda/faraday_nufft_args.cuh"
#include "ops/faraday/synth/faraday_nufft.hpp"

namespace tessera {

/// How a problem is divided; none (length 0), with the reason, if that is not possible.
struct FaradayNufftDivision {
  FaradayNufftShape shape;  ///< except cells, which a plan determines
  std::string reason;

  int grid() const { return shape.parts * shape.line.length; }
};

constexpr int whole_faraday_groups(int cells) {
  return (cells + kFaradayGroup - 1) / kFaradayGroup * kFaradayGroup;
}

/// The cheapest division whose blocks fit `shared_bytes` of shared memory.
FaradayNufftDivision divide_faraday_nufft(const FaradayAxes& axes, int shared_bytes);

struct FaradayNufftTables {
  FaradayNufftTables(const FaradayAxes& axes, const FaradayNufftDivision& division);

  FaradayNufftShape shape;
  std::vector<FaradayNufftChannel> channels;  ///< those that count
  std::vector<FaradayNufftGroup> groups;
  std::vector<float> weights;
  std::vector<LineValue> shifts, turns, correction;
  double kernel_error = 0;
};

/// Channels in shared memory at a time, the same number each time, and the bytes per block.
/// Transforms of one and two passes use one copy of the lines if they are compiled for their
/// length, all others use two.
struct FaradayNufftMemory {
  FaradayNufftMemory(const FaradayNufftShape& shape, int channel_count, bool compiled);
  int chunk, bytes;
};

}  // namespace tessera
