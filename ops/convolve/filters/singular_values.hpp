// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace tessera {

/// The singular value decomposition of a matrix of width x height numbers, row by row: (row,
/// column) pairs, largest first, whose products add up to it. Singular values go with the columns.
std::vector<std::pair<std::vector<double>, std::vector<double>>> singular_terms(
    const std::vector<double>& matrix, int width, int height);

}  // namespace tessera
