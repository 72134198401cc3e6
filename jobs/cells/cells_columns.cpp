// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_columns.hpp"

namespace tessera {
namespace {

template <class Row>
class ColumnList {
 public:
  template <class Value>
  ColumnList& add(const char* name, Value value, ColumnKind kind = ColumnKind::real) {
    columns_.push_back({name, kind, value});
    return *this;
  }
  template <class Value>
  ColumnList& whole(const char* name, Value value) {
    return add(name, value, ColumnKind::whole);
  }
  std::vector<CellsColumn<Row>> all() { return std::move(columns_); }

 private:
  std::vector<CellsColumn<Row>> columns_;
};

}  // namespace

std::vector<CellsColumn<SpotRow>> spot_columns(const CellsCalibration& calibration) {
  using R = const SpotRow&;
  ColumnList<SpotRow> list;
  list.whole("TRACK_ID", [](R row) { return row.track; })
      .whole("FRAME", [](R row) { return row.spot.frame; })
      .add("T", [calibration](R row) { return calibration.seconds(row.spot.frame); })
      .add("POSITION_X", [](R row) { return row.spot.x; })
      .add("POSITION_Y", [](R row) { return row.spot.y; })
      .add("RADIUS", [](R row) { return row.spot.radius; })
      .add("SCORE", [](R row) { return row.spot.score; })
      .add("SPEED", [](R row) { return row.speed; })
      .add(
          "SEEN", [](R row) { return row.spot.seen ? 1 : 0; }, ColumnKind::flag)
      .add("AREA", [](R row) { return row.shape.area; })
      .add("PERIMETER", [](R row) { return row.shape.perimeter; })
      .add("ELONGATION", [](R row) { return row.shape.elongation; });
  if (!calibration.um_per_pixel) return list.all();
  const double um = *calibration.um_per_pixel, um_s = *calibration.um_per_second();
  list.add("POSITION_X_UM", [um](R row) { return row.spot.x * um; })
      .add("POSITION_Y_UM", [um](R row) { return row.spot.y * um; })
      .add("RADIUS_UM", [um](R row) { return row.spot.radius * um; })
      .add("SPEED_UM_S", [um_s](R row) { return row.speed * um_s; })
      .add("AREA_UM2", [um](R row) { return row.shape.area * um * um; })
      .add("PERIMETER_UM", [um](R row) { return row.shape.perimeter * um; });
  return list.all();
}

std::vector<CellsColumn<CellTrackSummary>> track_columns(const CellsCalibration& calibration) {
  using R = const CellTrackSummary&;
  ColumnList<CellTrackSummary> list;
  list.whole("TRACK_ID", [](R row) { return row.track; })
      .whole("FIRST_FRAME", [](R row) { return row.first_frame; })
      .whole("LAST_FRAME", [](R row) { return row.last_frame; })
      .whole("FRAMES", [](R row) { return row.frames; })
      .whole("SEEN", [](R row) { return row.seen; })
      .add("DURATION", [](R row) { return row.seconds; })
      .add("DISPLACEMENT", [](R row) { return row.displacement; })
      .add("PATH_LENGTH", [](R row) { return row.path_length; })
      .add("STRAIGHTNESS", [](R row) { return row.straightness; })
      .add("DIRECTION", [](R row) { return row.direction; })
      .add("MEAN_SPEED", [](R row) { return row.mean_speed; })
      .add("MEDIAN_SPEED", [](R row) { return row.median_speed; })
      .add("MAX_SPEED", [](R row) { return row.max_speed; })
      .add("LONGEST_REST", [](R row) { return row.longest_rest; })
      .add("MEAN_RADIUS", [](R row) { return row.mean_radius; })
      .add("MEAN_SCORE", [](R row) { return row.mean_score; })
      .add("MEAN_AREA", [](R row) { return row.mean_area; })
      .add("MEAN_PERIMETER", [](R row) { return row.mean_perimeter; })
      .add("MEAN_ELONGATION", [](R row) { return row.mean_elongation; });
  if (!calibration.um_per_pixel) return list.all();
  const double um = *calibration.um_per_pixel, um_s = *calibration.um_per_second();
  list.add("DISPLACEMENT_UM", [um](R row) { return row.displacement * um; })
      .add("PATH_LENGTH_UM", [um](R row) { return row.path_length * um; })
      .add("MEAN_SPEED_UM_S", [um_s](R row) { return row.mean_speed * um_s; })
      .add("MEDIAN_SPEED_UM_S", [um_s](R row) { return row.median_speed * um_s; })
      .add("MAX_SPEED_UM_S", [um_s](R row) { return row.max_speed * um_s; })
      .add("MEAN_RADIUS_UM", [um](R row) { return row.mean_radius * um; })
      .add("MEAN_AREA_UM2", [um](R row) { return row.mean_area * um * um; })
      .add("MEAN_PERIMETER_UM", [um](R row) { return row.mean_perimeter * um; });
  return list.all();
}

std::vector<CellsColumn<SpeedBin>> speed_columns(const CellsCalibration& calibration) {
  using R = const SpeedBin&;
  ColumnList<SpeedBin> list;
  list.add("SPEED_FROM", [](R row) { return row.from; })
      .add("SPEED_TO", [](R row) { return row.to; })
      .whole("TRACKS", [](R row) { return row.tracks; })
      .whole("SPOTS", [](R row) { return row.spots; });
  if (!calibration.um_per_pixel) return list.all();
  const double um_s = *calibration.um_per_second();
  list.add("SPEED_FROM_UM_S", [um_s](R row) { return row.from * um_s; })
      .add("SPEED_TO_UM_S", [um_s](R row) { return row.to * um_s; });
  return list.all();
}

}  // namespace tessera
