// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// The prefix sums that inside_share reads; empty for other borders.
inline std::vector<Twofold> inside_prefix(const ConvolveProblem& problem) {
  if (problem.border != Border::inside) return {};
  const auto width = static_cast<std::size_t>(problem.filter_width);
  const auto height = static_cast<std::size_t>(problem.filter_height);
  std::vector<Twofold> prefix((width + 1) * (height + 1));
  for (std::size_t j = 0; j < height; ++j) {
    Twofold row_sum;
    for (std::size_t i = 0; i < width; ++i) {
      row_sum = row_sum + Twofold{std::abs(problem.weights[j * width + i])};
      prefix[(j + 1) * (width + 1) + i + 1] = prefix[j * (width + 1) + i + 1] + row_sum;
    }
  }
  return prefix;
}

}  // namespace tessera
