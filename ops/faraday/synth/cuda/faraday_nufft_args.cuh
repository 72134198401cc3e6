// SPDX-License-Identifier: Apache-2.0
// Arguments of the NUFFT kernel of rotation measure synthesis (faraday_nufft.hpp).
//
// In a grid of parts x length cells only the first `length` can differ from zero, so its transform
// is one of that length for each part r, of cells with phases that depend on r:
//
//     F(parts m + r) ~ sum over i of b(i) exp(-2 pi i i r / grid) exp(-2 pi i i m / length)
#pragma once

#include "core/cuda/line_fft_args.cuh"
#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

/// Cells that a thread sums together, so that a channel is read once for all of them.
inline constexpr int kFaradayGroup = 4;
/// Channels per partial sum, counted from the first.
inline constexpr int kFaradayPart = 64;

/// A kernel compiled for any shape has length 0 and takes its shape as an argument.
struct FaradayNufftShape {
  LineShape line;  ///< length of the transform of a part; pixels per block
  int parts = 0;
  int cells = 0;  ///< cells that are not zero, rounded up to whole groups
  int kept = 0;   ///< maximum number of results per part
};

/// In the order of their first cells.
struct FaradayNufftChannel {
  int plane;
  float share;  ///< its weight, as a fraction of the sum
  LineValue turn;
};

/// Channels [first, end) reach some cell of a group; each has kFaradayGroup weights.
struct FaradayNufftGroup {
  int first, end, weights;
};

struct FaradayNufftArgs {
  FaradayCubes cubes;
  FaradayNufftShape shape;
  LinePasses passes;
  const FaradayNufftChannel* channels;
  const FaradayNufftGroup* groups;
  const float* weights;         ///< 16-byte aligned
  const LineValue* shifts;      ///< parts x length: exp(-2 pi i i (r - centre) / grid)
  const LineValue* turns;       ///< exp(-2 pi i k / length)
  const LineValue* correction;  ///< per depth
  int channel_count, depths;
  int chunk;  ///< channels in shared memory at a time
};

/// Bytes of shared memory: the cells, and a buffer used first for channels and then for transforms.
TESSERA_BOTH constexpr int faraday_cell_bytes(const FaradayNufftShape& s) {
  return s.cells * s.line.lines * static_cast<int>(sizeof(LineValue));
}

}  // namespace tessera
