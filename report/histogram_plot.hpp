// SPDX-License-Identifier: Apache-2.0
/// Histograms before and after, as a script for gnuplot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

/// The counts of one plane and channel; `low` and `high` are marked if there are any.
struct PlottedHistogram {
  std::string name;                          ///< "" for all colours together
  std::vector<std::uint64_t> before, after;  ///< of equal size; `after` may be empty
  std::optional<int> low, high;
};

/// One panel per histogram, one below the other, with counts on a square-root scale: small ones are
/// visible next to large ones, and nothing is left out. More than 256 values are drawn in 256 bins.
Plot plot_histograms(const std::string& title, const std::vector<PlottedHistogram>& histograms,
                     PictureFormat format);

}  // namespace tessera
