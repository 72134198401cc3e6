// SPDX-License-Identifier: Apache-2.0
// A film of the user: its cells are those that the plain program finds and can follow.
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/cells/study/cells_case.hpp"
#include "ops/cells/study/track_args.cuh"

namespace tessera {
namespace {

/// Programs in float may be this far from the plain one after nine frames (cells_agreement.cpp),
/// and their windows must be whole, too.
constexpr double kRoom = 3;
constexpr double kRadius = 10;

bool has_room(const TrackedFrame& frame, const StarCell& cell) {
  for (const double dx : {-kRoom, kRoom})
    for (const double dy : {-kRoom, kRoom}) {
      StarCell moved = cell;
      moved.x += dx;
      moved.y += dy;
      const StudyWindow window = window_of(moved, frame.width, frame.height);
      if (window.width != kFieldWidth || window.height != kFieldHeight) return false;
    }
  return true;
}

bool stays_inside(const CellsCase& c, const StudyFilm::Cell& cell) {
  std::vector<StarCell> one{started_cell(cell)};
  double sum = 0;
  for (int frame = 1; frame < kFramesADetection; ++frame) {
    one[0].expected_y = (sum += one[0].y) / frame;
    const TrackedFrame next = c.frame(frame, one);
    if (!has_room(next, one[0])) return false;
    Tracked made;
    track_by_cells(next, 1, made);
    one = made.cells;
  }
  return true;
}

}  // namespace

StudyFilm film_of_frames(const AnyView& frames, int most) {
  StudyFilm film{.frames = copy(frames), .crop_rows = frames.size.height, .truth_known = false};
  const CellsCase alone(StudyFilm{copy(frames), 0, frames.size.height, {}, false});
  Detected found;
  detect_by_rows(alone, available_threads(), found);
  std::vector<char> stays(found.cells.size());
  // The maximum of the map: the published program's outline is some rows off (plain_outline.cpp).
  const auto cell_of = [&](std::size_t k) {
    const FoundCell& cell = found.cells[k];
    return StudyFilm::Cell{1.0 * cell.column, 1.0 * cell.row, kRadius, 0};
  };
  parallel_for(static_cast<int>(stays.size()), available_threads(), [&](int k) {
    const auto at = static_cast<std::size_t>(k);
    stays[at] = stays_inside(alone, cell_of(at)) ? 1 : 0;
  });
  for (std::size_t k = 0; k < stays.size() && std::ssize(film.cells) < most; ++k)
    if (stays[k]) film.cells.push_back(cell_of(k));
  return film;
}

}  // namespace tessera
