// SPDX-License-Identifier: Apache-2.0
/// Finds the cells in pictures, each frame separately, and makes a table.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/cells/film_axes.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/cells.hpp"

namespace tessera {

struct DetectedCell {
  int frame = 0;
  double x = 0, y = 0, radius = 0, score = 0;

  static constexpr auto fields() {
    using C = DetectedCell;
    return std::tuple{
        field("frame", &C::frame, "counted from 0"), field("x", &C::x, "to the right, in pixels"),
        field("y", &C::y, "down, in pixels"), field("radius", &C::radius, "in pixels"),
        field("score", &C::score, "negative: brighter than the background")};
  }
};

struct DetectResult {
  std::string ran, input, output;  ///< output "": the table is in describe()
  int frames = 0, count = 0;
  std::vector<DetectedCell> cells;  ///< empty if a table is made
  std::vector<std::string> notes, warnings;
  StageSeconds seconds;

  static constexpr auto fields() {
    using R = DetectResult;
    return std::tuple{field("ran", &R::ran, "what ran"),
                      field("input", &R::input, "the film"),
                      field("output", &R::output, "the table"),
                      field("frames", &R::frames, "frames searched"),
                      field("count", &R::count, "cells found in all of them"),
                      field("cells", &R::cells, "all cells, if no table is made"),
                      field("notes", &R::notes, "notes"),
                      field("warnings", &R::warnings, "what is missing"),
                      field("seconds", &R::seconds, "how long the stages took; they overlap")};
  }
  std::string describe() const;
};

struct DetectJob {
  std::string input;   ///< a picture or a film
  std::string output;  ///< a table, .csv; "": none
  CellsOptions options;
  FilmReading reading;
  RunSettings settings;
  bool force = false;

  /// Throws Error.
  DetectResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
