// SPDX-License-Identifier: Apache-2.0
/// An image with its sources, as a script for gnuplot.
#pragma once

#include <string>
#include <vector>

#include "report/noise_plot.hpp"

namespace tessera {

/// An ellipse in pixels; the angle goes from growing rows towards lower columns.
struct PlottedSource {
  double x = 0, y = 0, major = 0, minor = 0, angle = 0;
};

/// Ellipses of twice the sources' widths, so that these stay visible inside.
Plot plot_sources(const std::string& title, const PanelFrame& frame, const PlottedPanel& image,
                  const std::vector<PlottedSource>& sources, PictureFormat format);

}  // namespace tessera
