// SPDX-License-Identifier: Apache-2.0
/// Pictures of correlation maps: for each map its heat map and its curves with error bars.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

struct PlottedCurve {
  std::string name;
  std::span<const double> values, errors;  ///< at 0, 1, 2 …; errors that are NaN are not drawn
};

struct PlottedMap {
  std::string name;
  int width = 0, height = 0, first_x = 0, first_y = 0;  ///< the shift of the first pixel
  std::span<const double> values;
  std::vector<PlottedCurve> curves;
};

/// One row per map. Rows of a heat map count downwards, as in the image. Both scales are linear.
Plot plot_maps(const std::string& title, const std::string& what,
               const std::vector<PlottedMap>& maps, PictureFormat format);

}  // namespace tessera
