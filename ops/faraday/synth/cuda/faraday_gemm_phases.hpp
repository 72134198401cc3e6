// SPDX-License-Identifier: Apache-2.0
/// The tables of rotation measure synthesis by products of matrices (faraday_gemm_args.cuh).
#pragma once

#include <string>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

/// Per channel: its weight, as a fraction of the sum.
std::vector<double> faraday_shares(const FaradayAxes& axes);

/// Fractions times cosines and sines, in row order: [C; S] of the first half of the depths if they
/// are symmetric about zero, else [C S; -S C] of all.
std::vector<double> faraday_phases(const FaradayAxes& axes);

/// Why products of this many depths and channels cannot be computed by cuBLAS, which counts rows
/// and columns as int; "" if they can.
std::string why_no_faraday_product(long long depths, long long channels);

}  // namespace tessera
