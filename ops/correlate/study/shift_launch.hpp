// SPDX-License-Identifier: Apache-2.0
/// Launches of the paper's CUDA programs.
#pragma once

#include <string>

#include "core/piece_launch.hpp"
#include "ops/correlate/study/correlate_rungs.hpp"
#include "ops/correlate/study/shift_args.cuh"

namespace tessera {

/// Percentage of the memory of L1 and shared memory that is shared memory.
inline constexpr int kAsTheDriverLikes = -1, kLargeL1 = 0, kSmallL1 = 100;

struct ShiftLaunch {
  std::string unit, entry;
  TileSides tile;           ///< threads of a block
  int shifts_a_thread = 1;  ///< below each other, a tile's height apart
  int shared_rows = 0;      ///< of the image, in shared memory
  int shared_percent = kAsTheDriverLikes;
  double chain = 0;  ///< number of additions of a sum, one after the other
};

int threads_of(const TileSides& tile);  ///< whole warps
ShiftArgs shift_arguments(const CorrelateCase& c, const TileSides& tile);

/// Absent if its rows do not fit into shared memory.
PreparedRung launched(const CorrelateCase& c, const ShiftLaunch& launch, Stream& stream);

}  // namespace tessera
