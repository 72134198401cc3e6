// SPDX-License-Identifier: Apache-2.0
/// The sum as a product of matrices, by the CBLAS that is found at run time (core/cblas.hpp).
#pragma once

#include <string>

#include "ops/faraday/synth/faraday_problem.hpp"

namespace tessera {

/// "" or the reason, as part of a sentence.
std::string why_no_faraday_gemm(const FaradayProblem& problem);
FaradayRunnerPointer make_faraday_gemm_cpu(const FaradayProblem& problem);

}  // namespace tessera
