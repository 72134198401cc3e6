// SPDX-License-Identifier: Apache-2.0
/// How the NUFFT kernel of CUDA divides a grid, and the tables it reads. Nothing here needs a
/// device.
#pragma once

#include <string>
#include <vector>

#include "ops/faraday/synth/cuda/faraday_nufft_args.cuh"
#include "ops/faraday/synth/faraday_nufft.hpp"

namespace tessera {

/// How a problem is divided; none (length 0) with the reason why not.
struct FaradayNufftDivision {
  FaradayNufftShape shape;  ///< but for cells, which a plan finds
  std::string reason;

  int grid() const { return shape.parts * shape.line.length; }
};

constexpr int whole_faraday_groups(int cells) {
  return (cells + kFaradayGroup - 1) / kFaradayGroup * kFaradayGroup;
}

/// The division with the least work whose blocks fit `shared_bytes` of shared memory.
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

/// Channels that are in shared memory at a time, as many each time, and the bytes a block takes.
/// Transforms of one and two passes go through one copy of the lines when they are compiled for
/// their length, all others through two.
struct FaradayNufftMemory {
  FaradayNufftMemory(const FaradayNufftShape& shape, int channel_count, bool compiled);
  int chunk, bytes;
};

}  // namespace tessera
