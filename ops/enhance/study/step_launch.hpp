// SPDX-License-Identifier: Apache-2.0
/// Launches of the paper's CUDA programs.
#pragma once

#include <string>

#include "ops/enhance/study/enhance_rungs.hpp"
#include "ops/enhance/study/step_args.cuh"

namespace tessera {

struct StepLaunch {
  std::string unit, entry;
  EnhanceResult result;
  EnhancePlace place = EnhancePlace::pitched;
  int block_x = 32, block_y = 8;  ///< threads
  int pixels = 1;                 ///< of a thread, side by side
};

StepArgs step_arguments(const EnhanceCase& c, EnhanceResult result, EnhancePlace place);

/// A kernel over all pixels.
PreparedRung launched_step(const EnhanceCase& c, const StepLaunch& launch, Stream& stream);
/// The same after clearing the counts.
PreparedRung launched_count(const EnhanceCase& c, const StepLaunch& launch, Stream& stream);
/// Smoothing by tiles inside and pixels at the border.
PreparedRung launched_tiles(const EnhanceCase& c, Stream& stream);

}  // namespace tessera
