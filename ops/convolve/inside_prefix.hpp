// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// The sums that inside_share reads; empty for other borders.
inline std::vector<Twofold> inside_prefix(const ConvolveProblem& problem) {
  if (problem.border != Border::inside) return {};
  const int width = problem.filter_width, height = problem.filter_height;
  std::vector<Twofold> sums(static_cast<std::size_t>(width + 1) * (height + 1));
  const auto at = [&](int i, int j) -> Twofold& {
    return sums[static_cast<std::size_t>(j) * (width + 1) + i];
  };
  const auto weight = [&](int i, int j) {
    return Twofold{std::abs(problem.weights[static_cast<std::size_t>(j) * width + i])};
  };
  // Row j between the cut and line `to`, which is `before` with one more row.
  const auto add_row = [&](int j, int before, int to) {
    Twofold right, left;
    for (int i = problem.anchor.x; i < width; ++i)
      at(i + 1, to) = at(i + 1, before) + (right = right + weight(i, j));
    for (int i = problem.anchor.x; i-- > 0;)
      at(i, to) = at(i, before) + (left = left + weight(i, j));
  };
  for (int j = problem.anchor.y; j < height; ++j) add_row(j, j, j + 1);
  for (int j = problem.anchor.y; j-- > 0;) add_row(j, j + 1, j);
  return sums;
}

}  // namespace tessera
