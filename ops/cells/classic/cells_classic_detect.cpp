// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

double mean(const std::array<double, kClassicContour>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / kClassicContour;
}

/// The published program scores the contour once more but uses neither the score nor the size.
CellDetection refined(const ClassicCandidate& candidate, const ClassicGradient& gradient,
                      const CellsCrop& crop) {
  ClassicSpline spline = classic_fit(candidate.contour);
  for (double& y : spline.y) y += kClassicPadding;
  classic_refine(spline, gradient, candidate.score > 0);
  for (double& y : spline.y) y -= kClassicPadding;  // not undone: rows stay 40 too small
  const ClassicContour contour = spline.contour();
  return {crop.x + mean(contour.x), crop.y + mean(contour.y), kClassicRadius, candidate.score};
}

}  // namespace

ClassicDetections classic_detect(const CellsProblem& problem, const AnyView& frame, int film,
                                 int threads) {
  const ClassicGradient gradient = classic_gradient(classic_plane(frame, film, problem.crop));
  ClassicDetections found;
  found.gicov = classic_gicov(gradient, threads);
  found.candidates = classic_candidates(found.gicov, problem.frame.size);
  for (const ClassicCandidate& candidate : found.candidates)
    found.cells.push_back(refined(candidate, gradient, problem.crop));
  return found;
}

}  // namespace tessera
