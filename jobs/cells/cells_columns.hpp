// SPDX-License-Identifier: Apache-2.0
/// The columns of the tables of spots, cells and speeds, whoever writes them: files and Python.
#pragma once

#include <functional>
#include <vector>

#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

enum class ColumnKind : unsigned char { whole, real, flag };

template <class Row>
struct CellsColumn {
  const char* name;
  ColumnKind kind;
  std::function<double(const Row&)> value;  ///< NaN: none
};

/// A cell in one frame.
struct SpotRow {
  int track = 0;
  const CellSpot& spot;
  double speed = 0;
  PolygonShape shape;
};

/// Calls take(row) for every spot of tracks, whose speeds are given.
template <class Take>
void for_each_spot(const std::vector<CellTrack>& tracks,
                   const std::vector<std::vector<double>>& speeds, Take take) {
  for (std::size_t k = 0; k < tracks.size(); ++k)
    for (std::size_t i = 0; i < tracks[k].spots.size(); ++i) {
      const CellSpot& spot = tracks[k].spots[i];
      take(SpotRow{tracks[k].id, spot, speeds[k][i], shape_of(spot)});
    }
}

/// Columns in micrometres come last, if the calibration has a pixel size.
std::vector<CellsColumn<SpotRow>> spot_columns(const CellsCalibration& calibration);
/// Without CLASS, which is text, and the second column.
std::vector<CellsColumn<CellTrackSummary>> track_columns(const CellsCalibration& calibration);
std::vector<CellsColumn<SpeedBin>> speed_columns(const CellsCalibration& calibration);

}  // namespace tessera
