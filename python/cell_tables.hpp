// SPDX-License-Identifier: Apache-2.0
/// Cells as dicts of NumPy arrays, ready for a DataFrame; columns are named as in the tables of
/// `tessera cells`.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "tessera/cells.hpp"

namespace tessera::python {

/// TRACK_ID, FRAME, POSITION_X, POSITION_Y, RADIUS, SCORE, SPEED, SEEN, AREA, PERIMETER,
/// ELONGATION.
nanobind::dict track_table(const std::vector<CellTrack>& tracks, int speed_window);

/// Outlines of the same rows, (rows, kCellDirections); NaN in rows without an outline.
nanobind::object outline_array(const std::vector<CellTrack>& tracks);

/// POSITION_X, POSITION_Y, RADIUS, SCORE.
nanobind::dict detection_table(const std::vector<CellDetection>& cells);

/// As signatures and stubs write such a dict.
inline std::string table_type() { return "dict[str, numpy.typing.NDArray[typing.Any]]"; }

}  // namespace tessera::python
