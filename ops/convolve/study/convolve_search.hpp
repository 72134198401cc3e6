// SPDX-License-Identifier: Apache-2.0
/// `tessera study convolve --search 110`: the paper's whole space, with a journal.
#pragma once

#include "ops/convolve/study/ladder_options.hpp"
#include "study/studies.hpp"

namespace tessera {

/// Searches what the journal lacks if there is a GPU, and reports what it holds; with --compile it
/// only compiles. Throws Error(resources) if there is neither a GPU nor a journal.
StudyResult run_convolve_search(const StudyOptions& options, const LadderOptions& own, int side,
                                const StudyProgress& progress);

/// Reads the journal of --learn; measures nothing, and needs no GPU.
StudyResult run_convolve_learn(const StudyOptions& options, const LadderOptions& own, int side);

}  // namespace tessera
