// SPDX-License-Identifier: Apache-2.0
/// The pictures of a tuning table.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"
#include "tune/table_pictures.hpp"

namespace tessera {

struct PlotReport {
  std::string machine;
  std::vector<std::string> pictures, numbers, notes;

  static constexpr auto fields() {
    using R = PlotReport;
    return std::tuple{field("machine", &R::machine, "whose table it is"),
                      field("pictures", &R::pictures, "the files drawn"),
                      field("numbers", &R::numbers, "their figures, as tab-separated lines"),
                      field("notes", &R::notes, "what could not be drawn")};
  }
  std::string describe() const;
};

/// Draws FOLDER/<machine>-<what>.svg, or .png: GFLOP/s of every method over filter width and
/// height, tile factors, speed-up over FFT and block sizes, if the table has them.
PlotReport draw_table(const TablePictures& table, const std::string& folder, bool png, bool force);

}  // namespace tessera
