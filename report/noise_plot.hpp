// SPDX-License-Identifier: Apache-2.0
/// An image and its maps side by side, as a script for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "report/plots.hpp"

namespace tessera {

struct PlottedPanel {
  std::string name;
  std::string unit;            ///< "" if there is none
  std::vector<double> values;  ///< row by row; NaN are gaps
};

/// Properties common to all panels.
struct PanelFrame {
  int width = 0, height = 0;              ///< values of a panel
  int image_width = 0, image_height = 0;  ///< pixels that they represent
  bool upwards = false;                   ///< row 0 is at the bottom, as in maps of the sky
};

/// Each with its own scale, from the 1st to the 99th percentile: sources do not hide the rest.
Plot plot_panels(const std::string& title, const PanelFrame& frame,
                 const std::vector<PlottedPanel>& panels, PictureFormat format);

}  // namespace tessera
