// SPDX-License-Identifier: Apache-2.0
/// The fit on a GPU: one thread per pixel (stokes_fit.cuh).
#pragma once

#include <string>

#include "ops/faraday/stokes/stokes_fit_problem.hpp"

namespace tessera {

std::string why_no_stokes_columns(const StokesFitProblem& problem);
double stokes_columns_seconds(const StokesFitProblem& problem, const Machine& machine);
StokesFitRunnerPointer make_stokes_columns(const StokesFitProblem& problem);

}  // namespace tessera
