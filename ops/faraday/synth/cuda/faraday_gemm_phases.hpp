// SPDX-License-Identifier: Apache-2.0
/// The tables of rotation measure synthesis by products of matrices (faraday_gemm_args.cuh).
#pragma once

#include <string>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

/// A channel: its weight, of the sum of all.
std::vector<double> faraday_shares(const FaradayAxes& axes);

/// Shares times cosines and sines, row by row: [C; S] of the first half of the depths where they
/// are symmetric about zero, else [C S; -S C] of all.
std::vector<double> faraday_phases(const FaradayAxes& axes);

/// Why products of so many depths and channels are not cuBLAS's, which counts rows and columns as
/// int; "" where they are.
std::string why_no_faraday_product(long long depths, long long channels);

}  // namespace tessera
