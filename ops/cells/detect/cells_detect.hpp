// SPDX-License-Identifier: Apache-2.0
/// Detection in one frame: local maxima of the scores, refined by the spline.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/cells/detect/cells_contour.cuh"
#include "ops/cells/follow/cells_outline.hpp"

namespace tessera {

/// Pixels with |score| above the threshold that no pixel of the disk around them exceeds; among
/// equal ones the first in row order.
template <class Real>
std::vector<CellFind<Real>> score_maxima(const ScoreMap<Real>& map, const CellsProblem& problem) {
  std::vector<CellFind<Real>> finds;
  const int width = map.region.width, height = map.region.height, reach = kCells.dilation;
  const auto strength = [&](int x, int y) {
    return cell_abs(map.score[static_cast<size_t>(y * width + x)]);
  };
  const auto is_largest = [&](int x, int y) {
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i) {
        if (i * i + j * j > reach * reach || x + i < 0 || x + i >= width || y + j < 0 ||
            y + j >= height)
          continue;
        const bool before = j < 0 || (j == 0 && i < 0);
        if (strength(x + i, y + j) > strength(x, y) ||
            (before && strength(x + i, y + j) == strength(x, y)))
          return false;
      }
    return true;
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      if (!(strength(x, y) > static_cast<Real>(problem.threshold)) || !is_largest(x, y)) continue;
      const auto at = static_cast<size_t>(y * width + x);
      finds.push_back({static_cast<Real>(map.region.x + x), static_cast<Real>(map.region.y + y),
                       static_cast<Real>(problem.radii[map.circle[at]]), map.score[at], 0});
    }
  return finds;
}

template <class Real>
ContourRules<Real> contour_rules(const CellsProblem& problem) {
  return {static_cast<Real>(kCells.contour_share * problem.threshold),
          static_cast<Real>(problem.radii.front()), static_cast<Real>(problem.radii.back())};
}

/// If two finds are on the same cell, the one with the larger |score| stays; the order is kept.
template <class Real>
void drop_duplicates(std::vector<CellFind<Real>>& finds) {
  std::vector<bool> dropped(finds.size());
  for (size_t i = 0; i < finds.size(); ++i)
    for (size_t j = i + 1; j < finds.size(); ++j) {
      if (!same_cell(finds[i].x - finds[j].x, finds[i].y - finds[j].y, finds[i].radius,
                     finds[j].radius))
        continue;
      dropped[cell_abs(finds[j].score) > cell_abs(finds[i].score) ? i : j] = true;
    }
  size_t kept = 0;
  for (size_t i = 0; i < finds.size(); ++i)
    if (!dropped[i]) finds[kept++] = finds[i];
  finds.resize(kept);
}

template <class Real>
std::vector<CellFind<Real>> find_cells(const GradientPlanes<Real>& planes, CellsCrop where,
                                       const CellsProblem& problem, const CellsParts<Real>& parts,
                                       const OutlineTables<Real>& tables, Stream& stream) {
  const CellsCrop region = centres_of(problem, where);
  if (region.width <= 0 || region.height <= 0) return {};
  ScoreMap<Real> map;
  parts.scores(planes.across, planes.down, planes.floor, region, map, stream);
  const CellGradients<Real> frame = planes.view(problem);
  std::vector<CellFind<Real>> finds = score_maxima(map, problem);
  const SplineImage<Real> image{frame.across, frame.down, frame.width, frame.height};
  const ContourRules<Real> rules = contour_rules<Real>(problem);
  std::erase_if(finds, [&](CellFind<Real>& find) {
    return !settle_contour(image, tables.circle, frame.floor, rules, find);
  });
  drop_duplicates(finds);
  return finds;
}

}  // namespace tessera
