// SPDX-License-Identifier: Apache-2.0
/// Writes a film of rolling cells, frame after frame, and their positions.
#pragma once

#include <string>
#include <tuple>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/sample/sample_options.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "sample/cell_film.hpp"

namespace tessera {

struct CellFilmResult {
  std::string made, output, truth;
  int seed = 0, frames = 0;
  int cells = 0, crossings = 0, entries = 0, exits = 0;
  StageSeconds seconds;

  static constexpr auto fields() {
    using R = CellFilmResult;
    return std::tuple{field("made", &R::made, "the film"),
                      field("output", &R::output, "its file"),
                      field("truth", &R::truth, "the file with the positions of the cells"),
                      field("seed", &R::seed, "the seed"),
                      field("frames", &R::frames, "frames of the film"),
                      field("cells", &R::cells, "different cells in it"),
                      field("crossings", &R::crossings, "times a cell overtakes another"),
                      field("entries", &R::entries, "cells that enter during the film"),
                      field("exits", &R::exits, "cells that leave during the film"),
                      field("seconds", &R::seconds, "how long the stages took")};
  }
  std::string describe() const;
};

struct CellFilmJob {
  std::string output;  ///< a video or another file with planes, or "-"
  std::string truth;   ///< .csv like tracks.csv, or .xml of the ISBI 2012 challenge; empty: none
  SampleOptions sample{.size = {640, 480}};
  CellFilmOptions film;
  WriteOptions writing{.frame_rate = 30};
  RunSettings settings;

  CellFilmResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
