// SPDX-License-Identifier: Apache-2.0
// A build without CBLAS.
#include "ops/faraday/synth/cpu/faraday_gemm.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::string why_no_faraday_gemm(const FaradayProblem&) { return "CBLAS was not built in"; }

FaradayRunnerPointer make_faraday_gemm_cpu(const FaradayProblem& problem) {
  throw Error(ErrorKind::failure, "faraday: " + why_no_faraday_gemm(problem));
}

}  // namespace tessera
