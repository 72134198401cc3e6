// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods of rotation measure synthesis.
#pragma once

#include <string>

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/cuda/faraday_staged_cuda.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"

namespace tessera {

/// Q, U, and both parts of the spectra, in the order of strips.
FaradayStrip strip_of(const FaradayCall& call);
FaradayCubes cubes_of(const FaradayStrip& strip);

std::string why_no_faraday_gemm_on_device(const FaradayProblem& problem);
std::string why_no_faraday_nufft_on_device(const FaradayProblem& problem);
double faraday_gemm_cuda_seconds(const FaradayProblem& problem, const Machine& machine);
double faraday_nufft_cuda_seconds(const FaradayProblem& problem, const Machine& machine);
FaradayRunnerPointer make_faraday_gemm_cuda(const FaradayProblem& problem);
FaradayRunnerPointer make_faraday_nufft_cuda(const FaradayProblem& problem);

}  // namespace tessera
