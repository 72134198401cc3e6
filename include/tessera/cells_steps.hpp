// SPDX-License-Identifier: Apache-2.0
/// Intermediate results of the classic model of cells, so that it can be compared number for number
/// with the published program or a transcription of it.
#pragma once

#include <string>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A cell of the classic model. Positions are in pixels of the frame, rows as published: detection
/// gives them 40 too small.
struct CellsClassicSteps {
  struct Spot {
    double x = 0, y = 0, radius = 0;                 ///< not finite once the cell is lost
    int field_iterations = 0, snake_iterations = 0;  ///< 0 in the first frame and once it is lost
  };
  struct Cell {
    int column = 0, row = 0;  ///< of the crop, where its score is the largest
    double score = 0;
    std::vector<Spot> spots;  ///< one per frame
  };
  Image gicov;  ///< f64, of the first frame's crop
  std::vector<Cell> cells;
};

/// A film in host memory, one frame per plane. `crop` as in CellsOptions; `threads` 0: all.
TESSERA_API CellsClassicSteps cells_classic_steps(AnyView film, const std::string& crop = "auto",
                                                  int threads = 0);

}  // namespace tessera
