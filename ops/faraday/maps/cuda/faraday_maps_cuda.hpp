// SPDX-License-Identifier: Apache-2.0
/// Maps on a GPU: one thread per pixel (faraday_maps.cuh); if noise is measured, teams of threads
/// first (faraday_measure.cuh).
#pragma once

#include <string>

#include "ops/faraday/maps/faraday_maps_problem.hpp"

namespace tessera {

std::string why_no_faraday_columns(const FaradayMapsProblem& problem);
double faraday_columns_seconds(const FaradayMapsProblem& problem, const Machine& machine);
FaradayMapsRunnerPointer make_faraday_columns(const FaradayMapsProblem& problem);

}  // namespace tessera
