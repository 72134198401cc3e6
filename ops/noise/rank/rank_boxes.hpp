// SPDX-License-Identifier: Apache-2.0
/// Rank filters by the methods of noise, which take boxes of one channel.
#pragma once

#include "ops/noise/noise_problem.hpp"
#include "ops/noise/rank/rank_problem.hpp"

namespace tessera {

/// The same work on one channel of one plane.
NoiseProblem box_problem_of(const RankProblem& problem);

/// Runs `box`, made for box_problem_of, on every channel of every plane.
RankRunnerPointer for_each_channel(NoiseRunnerPointer box);

}  // namespace tessera
