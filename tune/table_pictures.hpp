// SPDX-License-Identifier: Apache-2.0
/// The contents of a table as surfaces over two numbers of its problems. The operation that made
/// the table makes them; they are drawn, or printed as CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/options.hpp"
#include "tune/table.hpp"

namespace tessera {

struct SurfacePoint {
  int x = 0, y = 0;
  double value = 0;
  bool measured = true;  ///< false: interpolated between neighbours
};

/// A value at every size the table knows.
struct TableSurface {
  std::string name;   ///< "gflops-direct", fit for a file name
  std::string title;  ///< "direct, GFLOP/s"
  std::vector<SurfacePoint> points;
};

struct TablePictures {
  std::string machine;
  std::string x, y;                     ///< the two numbers, as tables name them
  int first_drawn = 0, last_drawn = 0;  ///< sizes outside are printed, not drawn
  std::vector<TableSurface> speeds;     ///< one per method
  TableSurface speed_up;                ///< of one method over another: they cross at 1
  TableSurface whole_numbers;           ///< a knob or a product of knobs, where they were searched
  std::vector<TableSurface> printed;    ///< more columns of the CSV, which are not drawn
  std::string shares_title, shares_of;
  std::vector<std::pair<std::string, double>> shares;  ///< "64x4", share of the sizes
};

/// The lines of a table to be drawn: of this file, which may have been made elsewhere; if the
/// name is empty, the user's table of this machine, otherwise the shipped one. Throws Error(input).
std::vector<TuningLine> lines_to_plot(const std::string& path, Backend backend, int device);

/// Knobs alone, of an operation whose tables hold no times: per site and words of its problems, the
/// gain over the usual knobs and each knob, by two numbers of the problems; drawn are the shares of
/// the knobs that were measured. Throws Error(input) if there is no line of the operation.
TablePictures knob_pictures(const std::vector<TuningLine>& lines, const std::string& operation,
                            Type type, const std::string& x, const std::string& y);

/// One row per size: x and y, then one column per surface, empty if the table has no value; last
/// the surfaces whose value was interpolated there.
std::string csv_text(const TablePictures& pictures);

}  // namespace tessera
