// SPDX-License-Identifier: Apache-2.0
/// Gaussians fitted to the sources of a group.
#pragma once

#include <optional>
#include <vector>

#include "ops/sources/fit/sources_gaussian.hpp"
#include "ops/sources/fit/sources_peaks.hpp"
#include "ops/sources/sources_group.hpp"

namespace tessera {

/// A source after its fit.
struct SourceFit {
  SourceGaussian gaussian;
  int free = 0;  ///< parameters that were fitted: 6, 3 (the beam's shape), 0 (from moments)
  std::vector<std::size_t> region;  ///< pixels of the group that the fit used, in order
  std::vector<double> residuals;    ///< of the data there, in sigmas, without all Gaussians
  double chi2 = 0;                  ///< of these, not reduced
  SourceMoments moments;            ///< of the source's own pixels
  double sum = 0;                   ///< d of its own pixels
  int left = 0, right = 0, top = 0, bottom = 0;  ///< columns and rows of these
  double widest = 0;                             ///< the diagonal of its region
  bool is_cut = false;                           ///< by blanks or the edge of the image
};

struct SourceFitting {
  int margin = 5;
  std::optional<SourceShape> beam;
  double noise_pixels = 1;  ///< the sum of the noise's correlation
};

std::vector<SourceFit> fit_sources(const SourceGroup& group, const std::vector<SourcePeak>& peaks,
                                   const SourceFitting& how);

/// Solves A x = b for a symmetric positive A of n rows (row-major, replaced by its factor); false
/// if it is not positive.
bool solve_positive(std::vector<double>& a, int n, std::vector<double>& b);

}  // namespace tessera
