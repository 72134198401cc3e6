// SPDX-License-Identifier: Apache-2.0
// What the host tells the NUFFT kernel of rotation measure synthesis (faraday_nufft.hpp).
//
// Of a grid of parts x length cells only the first `length` can be anything but zero, so its
// transform is one of that length for each part r, of cells turned by r:
//
//     F(parts m + r) ~ sum over i of b(i) exp(-2 pi i i r / grid) exp(-2 pi i i m / length)
#pragma once

#include "core/cuda/line_fft_args.cuh"
#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

/// Cells whose sums a thread makes together, so that a channel is read once for all of them.
inline constexpr int kFaradayGroup = 4;
/// Channels whose sum begins at zero before it is added, counted from the first.
inline constexpr int kFaradayPart = 64;

/// A kernel compiled for any has length 0 and takes its shape as an argument.
struct FaradayNufftShape {
  LineShape line;  ///< the transform of a part; pixels a block
  int parts = 0;
  int cells = 0;  ///< that are not zero, rounded up to whole groups
  int kept = 0;   ///< results a part, at most
};

/// In the order of their first cells.
struct FaradayNufftChannel {
  int plane;
  float share;  ///< its weight, of the sum of all
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
  const LineValue* correction;  ///< a depth
  int channel_count, depths;
  int chunk;  ///< channels in shared memory at a time
};

/// Bytes of shared memory: the cells, and what first holds channels and then transforms.
TESSERA_BOTH constexpr int faraday_cell_bytes(const FaradayNufftShape& s) {
  return s.cells * s.line.lines * static_cast<int>(sizeof(LineValue));
}

}  // namespace tessera
