// SPDX-License-Identifier: Apache-2.0
/// What the plan of RM-CLEAN checks. All throw Error(usage).
#pragma once

#include "ops/faraday/clean/faraday_clean_problem.hpp"

namespace tessera {

/// Checks spectra, RMSF and options, and makes the problem of them.
FaradayCleanProblem checked_clean_problem(const ImageInfo& spectra, const FaradayRmsf& rmsf,
                                          const FaradayCleanOptions& options);

/// Views fit and are apart but where the result may be the dirty spectrum itself; RMSFs of pixels
/// are there.
void check_clean_call(const FaradayCleanProblem& problem, const FaradayDirty& dirty,
                      const FaradayCleaned& cleaned);

}  // namespace tessera
