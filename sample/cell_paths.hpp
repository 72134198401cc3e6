// SPDX-License-Identifier: Apache-2.0
/// Cells that roll through a vessel: who they are and where they are in every frame.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/cell_crossings.hpp"
#include "sample/cell_film_options.hpp"
#include "sample/cell_vessel.hpp"
#include "tessera/cells.hpp"

namespace tessera {

struct FilmCell {
  double contrast = 0;  ///< grey levels above the ground; negative: darker
  double speed = 0;     ///< pixels a frame while it rolls evenly
  /// Where it is in every frame in which its centre is inside the frame. The score is minus the
  /// contrast, because scores of bright cells are negative.
  CellTrack track;
  /// Centres in the frames before and after, while some of the disc may reach in.
  std::vector<CellSpot> outside;
};

struct CellFilmTruth {
  std::vector<FilmCell> cells;  ///< ids from 1, in the order of first frames
  std::vector<CellCrossing> crossings;
  int entries = 0;  ///< cells that are not there in the first frame
  int exits = 0;    ///< cells that are gone in the last

  std::vector<CellTrack> tracks() const;
};

/// Cells with places and speeds by the seed. Every cell is seen for 40 frames at least (a quarter
/// of a shorter film); no two overlap for more than 45 frames in a row, or for a third of the time
/// that one of them is seen: they would be one cell to any observer. Throws Error(usage) where what
/// the options ask for does not come about.
CellFilmTruth roll_cells(Size frame, std::uint64_t seed, const CellFilmOptions& options,
                         const CellVessel& vessel);

}  // namespace tessera
