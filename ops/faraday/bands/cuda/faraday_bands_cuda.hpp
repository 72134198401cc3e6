// SPDX-License-Identifier: Apache-2.0
/// Bands of cubes that are on a GPU: one thread per pixel (faraday_bands.cuh).
#pragma once

#include <string>

#include "ops/faraday/bands/faraday_bands_problem.hpp"

namespace tessera {

/// Cubes of the host too: the pass is shorter than the copy.
std::string why_no_faraday_band_columns(const FaradayBandsProblem& problem);
double faraday_band_columns_seconds(const FaradayBandsProblem& problem, const Machine& machine);
FaradayBandsRunnerPointer make_faraday_band_columns(const FaradayBandsProblem& problem);

}  // namespace tessera
