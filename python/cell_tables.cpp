// SPDX-License-Identifier: Apache-2.0
#include "python/cell_tables.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "jobs/cells/cells_columns.hpp"
#include "jobs/cells/cells_motion.hpp"
#include "python/arrays.hpp"

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

nb::object array_of(const std::vector<double>& values, ColumnKind kind) {
  const nb::object array = column_array(values, "float64");
  if (kind == ColumnKind::real) return array;
  return array.attr("astype")(kind == ColumnKind::flag ? "bool" : "int64");
}

/// Collects a table row by row.
template <class Row>
class TableColumns {
 public:
  explicit TableColumns(std::vector<CellsColumn<Row>> columns)
      : columns_(std::move(columns)), values_(columns_.size()) {}

  void add(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) values_[i].push_back(columns_[i].value(row));
  }
  nb::dict table() const {
    nb::dict table;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      table[columns_[i].name] = array_of(values_[i], columns_[i].kind);
    return table;
  }

 private:
  std::vector<CellsColumn<Row>> columns_;
  std::vector<std::vector<double>> values_;
};

nb::dict spot_table(const std::vector<CellTrack>& tracks,
                    const std::vector<std::vector<double>>& speeds,
                    const CellsCalibration& calibration) {
  std::vector<CellsColumn<SpotRow>> columns = spot_columns(calibration);
  // An assumed rate gives assumed times: they are left out of tables that people compute with.
  if (calibration.frame_rate_from != "given" && calibration.frame_rate_from != "film")
    std::erase_if(columns, [](const auto& column) { return std::string_view(column.name) == "T"; });
  TableColumns<SpotRow> made(std::move(columns));
  for_each_spot(tracks, speeds, [&](const SpotRow& row) { made.add(row); });
  return made.table();
}

}  // namespace

nb::dict track_table(const std::vector<CellTrack>& tracks, int speed_window,
                     const std::vector<CellDrift>& drift) {
  std::vector<std::vector<double>> speeds;
  for (const CellTrack& track : tracks) {
    speeds.emplace_back();
    for (const SpotMotion& at : motion_of(track, speed_window, drift))
      speeds.back().push_back(at.speed);
  }
  return spot_table(tracks, speeds, {});
}

nb::dict track_table(const CellsFilmResult& result) {
  return spot_table(result.tracks, result.speeds, result.calibration);
}

nb::dict cell_table(const CellsFilmResult& result) {
  TableColumns<CellTrackSummary> made(track_columns(result.calibration));
  nb::list classes;
  for (const CellTrackSummary& track : result.summaries) {
    made.add(track);
    const std::string_view name = name_of(track.does);
    classes.append(nb::str(name.data(), name.size()));
  }
  const nb::dict columns = made.table();
  nb::dict table;  // CLASS is the second column of summary.csv
  for (const auto& [name, column] : columns) {
    table[name] = column;
    if (!table.contains("CLASS")) table["CLASS"] = numpy("array")(classes, "str");
  }
  return table;
}

nb::dict speed_table(const CellsFilmResult& result) {
  TableColumns<SpeedBin> made(speed_columns(result.calibration));
  for (const SpeedBin& bin : result.histogram) made.add(bin);
  return made.table();
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

nb::object drift_array(const std::vector<CellDrift>& drift) {
  std::vector<double> places;
  for (const CellDrift& at : drift) places.insert(places.end(), {at.x, at.y});
  return column_array(places, "float64").attr("reshape")(-1, 2);
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
