// SPDX-License-Identifier: Apache-2.0
/// The files of a fit of Stokes I, and the planes of strips that they come from.
#pragma once

#include <string>
#include <vector>

#include "jobs/faraday/faraday_outputs.hpp"
#include "tessera/stokes_fit.hpp"

namespace tessera {

/// Planes of a strip: the model, the maps, all of the covariance, the mask.
struct StokesFitLayout {
  int channels;

  int model() const { return 0; }
  int maps() const { return channels; }
  int covariance() const { return maps() + StokesPlanes::count; }
  int mask() const { return covariance() + kSquare; }
  int planes() const { return mask() + 1; }

  static constexpr int kTerms = kMostStokesOrder + 1;
  static constexpr int kSquare = kTerms * kTerms;
};

/// Fills covariance and mask from the maps. Both axes of the covariance run from c5 to c0, as in
/// RM-Tools.
void fill_stokes_planes(const StokesFitLayout& at, AnyMutableView strip);

/// All files that start with a prefix, for coefficients up to an order.
std::vector<FaradayProduct> stokes_fit_products(const std::string& prefix,
                                                const FaradayCubeSource& cube, int order,
                                                bool linear);

/// One map of a fit; `unit` "": none.
FaradayProduct stokes_map(const std::string& prefix, const FaradayCubeSource& cube,
                          const std::string& name, const std::string& unit, int plane);

}  // namespace tessera
