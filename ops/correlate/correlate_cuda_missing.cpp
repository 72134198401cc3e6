// SPDX-License-Identifier: Apache-2.0
// Until the CUDA methods are there: their rows in the table need something to point to.
#include "ops/correlate/correlate_problem.hpp"
#include "tessera/error.hpp"

namespace tessera {

CorrelateRunnerPointer make_correlate_direct_cuda(const CorrelateProblem&) {
  throw Error(ErrorKind::failure, "correlate: this build has no CUDA methods; give --backend cpu");
}
CorrelateRunnerPointer make_correlate_fft_cuda(const CorrelateProblem& problem) {
  return make_correlate_direct_cuda(problem);
}

}  // namespace tessera
