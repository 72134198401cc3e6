// SPDX-License-Identifier: Apache-2.0
/// How a state goes from sweep to sweep: the same for every method.
///
///     start_sweeps(problem, state);
///     while (state.sweep < problem.sweeps()) {
///       … every row of the image before stage_of_sweep() is added to state.counts …
///       finish_sweep(problem, state);
///     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// The stage that looks at the image in that sweep.
std::size_t stage_of_sweep(const EnhanceProblem&, int sweep);
/// Without findings, and with room for the counts of the first sweep.
void start_sweeps(const EnhanceProblem&, EnhanceState::Impl& state);
/// Adds the counts of other rows.
void add_counts(const EnhanceProblem&, EnhanceState::Impl& state,
                std::span<const std::uint64_t> counts);
/// The counts become the stage's finding, with curves if it has any; makes room for the next sweep.
/// Threads share the curves of adaptive equalisation's tiles.
void finish_sweep(const EnhanceProblem&, EnhanceState::Impl& state, int threads = 1);

}  // namespace tessera
