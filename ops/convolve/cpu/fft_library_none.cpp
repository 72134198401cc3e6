// SPDX-License-Identifier: Apache-2.0
// Builds without FFTW: the method refuses, and so is never made.
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cpu/fft_library.hpp"

namespace tessera {

std::string why_no_fft_library() { return "FFTW was not built in"; }

std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_cpu(const ConvolveProblem&) {
  throw Error(ErrorKind::failure, "convolve: " + why_no_fft_library());
}

}  // namespace tessera
