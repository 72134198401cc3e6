// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera {

void drift_add(DriftSums& sums, const DriftSums& row) {
  sums.n += row.n;
  sums.gx += row.gx;
  sums.gy += row.gy;
  sums.gxx += row.gxx;
  sums.gxy += row.gxy;
  sums.gyy += row.gyy;
  sums.r += row.r;
  sums.gxr += row.gxr;
  sums.gyr += row.gyr;
  sums.absolute += row.absolute;
  sums.g4 += row.g4;
}

std::vector<double> cells_smoothing() {
  std::vector<double> weights;
  double sum = 0;
  for (int i = -kCells.smooth_radius; i <= kCells.smooth_radius; ++i) {
    weights.push_back(std::exp(-i * i / (2 * kCells.smooth_sigma * kCells.smooth_sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

CellsCrop centres_of(const CellsProblem& problem, CellsCrop wanted) {
  const int margin = static_cast<int>(std::lround(problem.radii.back())) + kCells.edge;
  const int left = std::max(wanted.x, margin), top = std::max(wanted.y, margin);
  const int right = std::min(wanted.x + wanted.width, problem.frame.size.width - margin);
  const int bottom = std::min(wanted.y + wanted.height, problem.frame.size.height - margin);
  return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

bool takes_still_away(const CellsProblem& problem) {
  const CellsCrop centres = centres_of(problem, problem.crop);
  return problem.options.background == CellsBackground::still && centres.width > 0 &&
         centres.height > 0;
}

MgvfFlow flow_of(const CellsProblem& problem) {
  if (!problem.options.flow) return mgvf_flow(0, 0);
  const double angle = *problem.options.flow * std::numbers::pi / 180;
  // Along an axis the other component is rounding, not a direction.
  const auto sign = [](double v) { return v > 1e-9 ? 1 : v < -1e-9 ? -1 : 0; };
  return mgvf_flow(sign(std::cos(angle)), sign(std::sin(angle)));
}

}  // namespace tessera
