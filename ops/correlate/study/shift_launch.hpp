// SPDX-License-Identifier: Apache-2.0
/// How a rung of the paper's CUDA programs becomes a launch.
#pragma once

#include <string>

#include "core/piece_launch.hpp"
#include "ops/correlate/study/correlate_rungs.hpp"
#include "ops/correlate/study/shift_args.cuh"

namespace tessera {

/// Percent that is shared of the memory that L1 and shared memory divide.
inline constexpr int kAsTheDriverLikes = -1, kLargeL1 = 0, kSmallL1 = 100;

struct ShiftLaunch {
  std::string unit, entry;
  TileSides tile;           ///< threads of a block
  int shifts_a_thread = 1;  ///< below each other, a tile's height apart
  int shared_rows = 0;      ///< of the image, in shared memory
  int shared_percent = kAsTheDriverLikes;
  double chain = 0;  ///< additions one after the other in a sum
};

int threads_of(const TileSides& tile);  ///< whole warps
ShiftArgs shift_arguments(const CorrelateCase& c, const TileSides& tile);

/// Absent where its rows do not fit shared memory.
PreparedRung launched(const CorrelateCase& c, const ShiftLaunch& launch, Stream& stream);

}  // namespace tessera
