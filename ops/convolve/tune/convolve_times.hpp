// SPDX-License-Identifier: Apache-2.0
/// The measured times of methods: `auto` follows the tuning table, then the cost models.
#pragma once

#include <string>

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// Knob fs: femtoseconds per output sample, for an image of tuned_size().
inline constexpr const char* kConvolveTimeSite = "convolve.time@1";

/// The key of a time in tables.
ProblemKey convolve_time_key(Backend backend, const std::string& method, Type type,
                             int filter_width, int filter_height);

/// The image tables are made with: on a GPU the one of the speed lists; on a CPU one with which
/// all sizes can be measured in two minutes and which does not fit its inner caches.
Size tuned_size(Backend backend);

/// The measured time if the table of this machine has one, scaled to the problem's image by the
/// cost model, which knows the parts that do not grow with the samples (launches, copies, whole
/// tiles); otherwise the model alone. Methods that run only on request keep their model.
double convolve_seconds(const ConvolveMethod& method, const ConvolveProblem& problem,
                        const Machine& machine);

}  // namespace tessera
