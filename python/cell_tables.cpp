// SPDX-License-Identifier: Apache-2.0
#include "python/cell_tables.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/cells_motion.hpp"

namespace tessera::python {
namespace {

namespace nb = nanobind;

template <class T>
nb::object column_array(const std::vector<T>& values, const char* dtype) {
  const nb::object array = nb::module_::import_("numpy").attr("empty")(values.size(), dtype);
  auto* to = nb::cast<nb::ndarray<T, nb::c_contig>>(array).data();
  std::copy(values.begin(), values.end(), to);
  return array;
}

}  // namespace

nb::dict track_table(const std::vector<CellTrack>& tracks, int speed_window) {
  std::vector<std::int64_t> id, frame;
  std::vector<double> x, y, radius, score, speed, area, perimeter, elongation;
  std::vector<std::uint8_t> seen;
  for (const CellTrack& track : tracks) {
    for (const SpotMotion& at : motion_of(track, speed_window)) speed.push_back(at.speed);
    for (const CellSpot& spot : track.spots) {
      id.push_back(track.id);
      frame.push_back(spot.frame);
      x.push_back(spot.x);
      y.push_back(spot.y);
      radius.push_back(spot.radius);
      score.push_back(spot.score);
      seen.push_back(spot.seen ? 1 : 0);
      const PolygonShape shape = shape_of(spot);
      area.push_back(shape.area);
      perimeter.push_back(shape.perimeter);
      elongation.push_back(shape.elongation);
    }
  }
  nb::dict table;
  table["TRACK_ID"] = column_array(id, "int64");
  table["FRAME"] = column_array(frame, "int64");
  table["POSITION_X"] = column_array(x, "float64");
  table["POSITION_Y"] = column_array(y, "float64");
  table["RADIUS"] = column_array(radius, "float64");
  table["SCORE"] = column_array(score, "float64");
  table["SPEED"] = column_array(speed, "float64");
  table["SEEN"] = column_array(seen, "uint8").attr("view")("bool");
  table["AREA"] = column_array(area, "float64");
  table["PERIMETER"] = column_array(perimeter, "float64");
  table["ELONGATION"] = column_array(elongation, "float64");
  return table;
}

nb::object outline_array(const std::vector<CellTrack>& tracks) {
  std::vector<float> radii;
  for (const CellTrack& track : tracks)
    for (const CellSpot& spot : track.spots) {
      radii.insert(radii.end(), spot.outline.begin(), spot.outline.end());
      if (!spot.has_outline())
        std::fill_n(radii.end() - kCellDirections, kCellDirections,
                    std::numeric_limits<float>::quiet_NaN());
    }
  return column_array(radii, "float32").attr("reshape")(-1, kCellDirections);
}

nb::dict detection_table(const std::vector<CellDetection>& cells) {
  std::vector<double> x, y, radius, score;
  for (const CellDetection& cell : cells) {
    x.push_back(cell.x);
    y.push_back(cell.y);
    radius.push_back(cell.radius);
    score.push_back(cell.score);
  }
  nb::dict table;
  table["POSITION_X"] = column_array(x, "float64");
  table["POSITION_Y"] = column_array(y, "float64");
  table["RADIUS"] = column_array(radius, "float64");
  table["SCORE"] = column_array(score, "float64");
  return table;
}

}  // namespace tessera::python
