// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// The prefix sums that inside_share reads; empty for other borders.
inline std::vector<double> inside_prefix(const ConvolveProblem& problem) {
  if (problem.border != Border::inside) return {};
  const auto width = static_cast<std::size_t>(problem.filter_width);
  const auto height = static_cast<std::size_t>(problem.filter_height);
  std::vector<double> prefix((width + 1) * (height + 1), 0.0);
  for (std::size_t j = 0; j < height; ++j) {
    double row_sum = 0;
    for (std::size_t i = 0; i < width; ++i) {
      row_sum += std::abs(problem.weights[j * width + i]);
      prefix[(j + 1) * (width + 1) + i + 1] = prefix[j * (width + 1) + i + 1] + row_sum;
    }
  }
  return prefix;
}

}  // namespace tessera
