// SPDX-License-Identifier: Apache-2.0
/// Checks of the plan of RM-CLEAN. All throw Error(usage).
#pragma once

#include "ops/faraday/clean/faraday_clean_problem.hpp"

namespace tessera {

/// Checks spectra, RMSF and options, and makes the problem from them.
FaradayCleanProblem checked_clean_problem(const ImageInfo& spectra, const FaradayRmsf& rmsf,
                                          const FaradayCleanOptions& options);

/// Views must fit and not overlap, except that the result may be the dirty spectrum itself; RMSFs
/// named by pixels must exist.
void check_clean_call(const FaradayCleanProblem& problem, const FaradayDirty& dirty,
                      const FaradayCleaned& cleaned);

}  // namespace tessera
