// SPDX-License-Identifier: Apache-2.0
/// The data of the paper's pictures, read from a table: plain numbers over filter width and height.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/options.hpp"
#include "tune/table.hpp"

namespace tessera {

struct PlotPoint {
  int fw = 0, fh = 0;
  double value = 0;
};

/// One surface: a value at every size the table knows.
struct PlotSurface {
  std::string name;   ///< "gflops-direct", fit for a file name
  std::string title;  ///< "direct, GFLOP/s"
  std::vector<PlotPoint> points;
};

struct PlotData {
  std::string machine;
  std::vector<PlotSurface> gflops;  ///< one per method, flops counted as those of the direct sum
  PlotSurface tile_factor;          ///< outputs per thread, where knobs were searched
  PlotSurface speed_up;             ///< time of fft over time of direct: 1 is where they cross
  std::vector<std::pair<std::string, double>> block_shares;  ///< "64x4", share of the sizes
};

/// From the lines of one backend and type; if `backend` is automatic, those of the table's first
/// time. Throws Error(input) if there is no time in it.
PlotData plot_data(const std::vector<TuningLine>& lines, Backend backend, Type type);

/// The lines of a table to be drawn: of this file, which may have been made elsewhere; if the
/// name is empty, the user's table of this machine, otherwise the shipped one. Throws Error(input).
std::vector<TuningLine> lines_to_plot(const std::string& path, Backend backend, int device);

/// One row per size: fw,fh, then one column per surface; empty if the table has no value.
std::string csv_text(const PlotData& data);

}  // namespace tessera
