// SPDX-License-Identifier: Apache-2.0
/// Rows of RMTable from positions and what was measured there.
#pragma once

#include <optional>
#include <vector>

#include "io/data_table.hpp"
#include "jobs/faraday/catalogue_pixels.hpp"
#include "jobs/faraday/catalogue_positions.hpp"

namespace tessera {

/// Stokes I of a pixel, NaN if it is not known.
struct CatalogueStokes {
  double intensity = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();
  double alpha = std::numeric_limits<double>::quiet_NaN();
  double alpha_error = std::numeric_limits<double>::quiet_NaN();
  double frequency = std::numeric_limits<double>::quiet_NaN();  ///< at which the others apply, Hz
};

/// A position with the pixel that was measured; none: its flag says why.
struct CatalogueRow {
  CataloguePosition position;
  std::optional<CataloguePixel> pixel;
  CatalogueStokes stokes_i = {};
};

/// Properties that all rows share.
struct CatalogueCube {
  const FaradayCubeSource& q;
  const FaradayAxes& axes;
  bool by_stokes_i = false;
  std::string name;  ///< catalog_name
};

/// Units of flux are janskys if the cube is in Jy, mJy or uJy per beam; else the cube's.
Table catalogue_table(const CatalogueCube& cube, const std::vector<CatalogueRow>& rows);

}  // namespace tessera
