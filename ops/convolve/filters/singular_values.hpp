// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace tessera {

/// The singular value decomposition of a matrix of width x height numbers, in row order: (row,
/// column) pairs, largest first, whose products add up to the matrix. The columns are scaled by the
/// singular values.
std::vector<std::pair<std::vector<double>, std::vector<double>>> singular_terms(
    const std::vector<double>& matrix, int width, int height);

}  // namespace tessera
