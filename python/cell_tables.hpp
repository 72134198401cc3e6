// SPDX-License-Identifier: Apache-2.0
/// Cells as dicts of NumPy arrays of one length, ready for a DataFrame; columns are named as in the
/// tables of `tessera cells`.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"
#include "tessera/cells.hpp"

namespace tessera::python {

/// TRACK_ID, FRAME, POSITION_X, POSITION_Y, RADIUS, SCORE, SPEED, SEEN, AREA, PERIMETER,
/// ELONGATION.
nanobind::dict track_table(const std::vector<CellTrack>& tracks, int speed_window,
                           const std::vector<CellDrift>& drift = {});

/// The same with T if the frame rate is known, and columns in micrometres if the pixel size is.
nanobind::dict track_table(const CellsFilmResult& result);

/// One row per cell, as in summary.csv.
nanobind::dict cell_table(const CellsFilmResult& result);

/// As in histogram.csv.
nanobind::dict speed_table(const CellsFilmResult& result);

/// Outlines of the same rows, (rows, kCellDirections); NaN in rows without an outline.
nanobind::object outline_array(const std::vector<CellTrack>& tracks);

/// (frames, 2): x and y.
nanobind::object drift_array(const std::vector<CellDrift>& drift);

/// POSITION_X, POSITION_Y, RADIUS, SCORE.
nanobind::dict detection_table(const std::vector<CellDetection>& cells);

/// As signatures and stubs write such a dict.
inline std::string table_type() { return "dict[str, numpy.typing.NDArray[typing.Any]]"; }

}  // namespace tessera::python
