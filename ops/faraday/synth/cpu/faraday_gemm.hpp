// SPDX-License-Identifier: Apache-2.0
/// The sum as a product of matrices, by whatever CBLAS the build found. The seam to it: with one,
/// faraday_gemm_cpu.cpp is built, without faraday_gemm_none.cpp.
#pragma once

#include <string>

#include "ops/faraday/synth/faraday_problem.hpp"

namespace tessera {

/// "" or the reason, as a sentence part.
std::string why_no_faraday_gemm(const FaradayProblem& problem);
FaradayRunnerPointer make_faraday_gemm_cpu(const FaradayProblem& problem);

}  // namespace tessera
