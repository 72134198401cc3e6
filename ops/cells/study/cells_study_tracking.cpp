// SPDX-License-Identifier: Apache-2.0
// Shared by the tracking programs: a cell's window, its edges before the solver and its star after
// it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/parallel.hpp"
#include "ops/cells/study/cells_case.hpp"
#include "ops/cells/study/track_args.cuh"
#include "tessera/error.hpp"

namespace tessera {

Tracked empty_tracked(const std::vector<StarCell>& cells) {
  const std::vector<double> nothing(kFieldSamples, std::numeric_limits<double>::quiet_NaN());
  return {cells, std::vector<int>(cells.size()), std::vector<int>(cells.size()),
          std::vector<std::vector<double>>(cells.size(), nothing)};
}

StudyWindow whole_window(const TrackedFrame& frame, const StarCell& cell) {
  const StudyWindow window = window_of(cell, frame.width, frame.height);
  if (window.width == kFieldWidth && window.height == kFieldHeight) return window;
  throw Error(
      ErrorKind::failure,
      fmt::format("cells: the study's cell at {:.1f}, {:.1f} has a window of {}x{}; all need "
                  "{}x{}",
                  cell.x, cell.y, window.width, window.height, kFieldWidth, kFieldHeight));
}

void track_cell(const TrackedFrame& frame, int cell, const FieldSolver& solve, Tracked& made) {
  const auto k = static_cast<std::size_t>(cell);
  StarCell star = frame.cells[k];
  const StudyWindow window = whole_window(frame, star);
  std::vector<double> edges(kFieldSamples);
  plain_edges(frame.samples, frame.width, window, edges.data());
  double* const field = made.fields[k].data();
  made.mgvf_steps[k] = solve(edges.data(), window, field);
  made.star_steps[k] = plain_star(field, window, star);
  made.cells[k] = star;
}

void track_by_cells(const TrackedFrame& frame, int threads, Tracked& made) {
  made = empty_tracked(frame.cells);
  const auto solve = [](const double* edges, const StudyWindow& w, double* field) {
    return plain_mgvf(edges, w.width, w.height, field);
  };
  parallel_for(static_cast<int>(frame.cells.size()), threads,
               [&](int cell) { track_cell(frame, cell, solve, made); });
}

void track_in_turn(const TrackedFrame& frame, const FieldSolver& solve, Tracked& made) {
  made = empty_tracked(frame.cells);
  for (int cell = 0; cell < static_cast<int>(frame.cells.size()); ++cell)
    track_cell(frame, cell, solve, made);
}

// A cell is expected at the mean of its earlier heights: nothing else is remembered.
void track_film(const CellsCase& c, const FrameTracker& track, Tracked& made) {
  std::vector<StarCell> cells = c.cells();
  std::vector<double> sums(cells.size());
  for (int frame = 1; frame < kFramesADetection; ++frame) {
    for (std::size_t k = 0; k < cells.size(); ++k)
      cells[k].expected_y = (sums[k] += cells[k].y) / frame;
    track(c.frame(frame, cells), made);
    cells = made.cells;
  }
}

}  // namespace tessera
