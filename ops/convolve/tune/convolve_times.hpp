// SPDX-License-Identifier: Apache-2.0
/// What methods take, as measured: `auto` follows the tuning table, then the cost models.
#pragma once

#include <string>

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// Knob fs: femtoseconds an output sample, for an image of tuned_size().
inline constexpr const char* kConvolveTimeSite = "convolve.time@1";

/// What times are filed under.
ProblemKey convolve_time_key(Backend backend, const std::string& method, Type type,
                             int filter_width, int filter_height);

/// The image tables are made with: on a GPU the one of the speed lists; on a CPU one that lets all
/// sizes be measured in two minutes and does not fit its inner caches.
Size tuned_size(Backend backend);

/// The measured time where the table of this machine has one, scaled to the problem's image by the
/// cost model, which knows what does not grow with the samples (launches, copies, whole tiles);
/// else the model alone. Methods that are there to be asked for keep their model.
double convolve_seconds(const ConvolveMethod& method, const ConvolveProblem& problem,
                        const Machine& machine);

}  // namespace tessera
