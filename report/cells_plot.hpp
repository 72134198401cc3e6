// SPDX-License-Identifier: Apache-2.0
/// The distribution of cells' speeds, as a script for gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

struct PlottedSpeeds {
  double from = 0, to = 0;  ///< in `unit`
  int tracks = 0, spots = 0;
};

/// Bars of tracks by their mean speeds; `median` is marked.
Plot plot_speeds(const std::string& title, const std::string& unit,
                 const std::vector<PlottedSpeeds>& bins, std::optional<double> median,
                 PictureFormat format);

}  // namespace tessera
