// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN on a GPU, by teams of threads (faraday_clean.cuh).
#pragma once

#include <string>

#include "ops/faraday/clean/faraday_clean_problem.hpp"

namespace tessera {

std::string why_no_faraday_clean_warps(const FaradayCleanProblem& problem);
std::string why_no_faraday_clean_blocks(const FaradayCleanProblem& problem);
double faraday_clean_warps_seconds(const FaradayCleanProblem& problem, const Machine& machine);
double faraday_clean_blocks_seconds(const FaradayCleanProblem& problem, const Machine& machine);
FaradayCleanRunnerPointer make_faraday_clean_warps(const FaradayCleanProblem& problem);
FaradayCleanRunnerPointer make_faraday_clean_blocks(const FaradayCleanProblem& problem);

}  // namespace tessera
