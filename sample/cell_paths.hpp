// SPDX-License-Identifier: Apache-2.0
/// Cells that roll through a vessel: their properties and positions in every frame.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/cell_crossings.hpp"
#include "sample/cell_film_options.hpp"
#include "sample/cell_vessel.hpp"
#include "tessera/cells.hpp"

namespace tessera {

struct FilmCell {
  double contrast = 0;  ///< grey levels above the background; negative: darker
  double speed = 0;     ///< pixels per frame while it rolls evenly
  /// Its positions in all frames in which its centre is inside. The score is minus the
  /// contrast, because scores of bright cells are negative.
  CellTrack track;
  /// Centres in the frames before and after, while part of the disc may reach in.
  std::vector<CellSpot> outside;
};

struct CellFilmTruth {
  std::vector<FilmCell> cells;  ///< ids from 1, in the order of first frames
  std::vector<CellCrossing> crossings;
  int entries = 0;  ///< cells that are absent in the first frame
  int exits = 0;    ///< cells that are gone in the last

  std::vector<CellTrack> tracks() const;
};

/// Cells with positions and speeds from the seed. Every cell is seen for at least 40 frames (a
/// quarter of a shorter film); no two overlap for more than 45 frames in a row, or for a third of
/// the time that one of them is seen: any observer would see one cell. Throws Error(usage) if the
/// options cannot be satisfied.
CellFilmTruth roll_cells(Size frame, std::uint64_t seed, const CellFilmOptions& options,
                         const CellVessel& vessel);

}  // namespace tessera
