// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "jobs/cells/cells_columns.hpp"
#include "jobs/cells/cells_motion.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

// Whole, or to a millionth of a pixel. NaN is an empty field: pandas reads it as NaN, spreadsheets
// as nothing.
std::string number(double value, ColumnKind kind) {
  if (!std::isfinite(value)) return "";
  return kind == ColumnKind::real ? fmt::format("{:.9g}", value) : fmt::format("{:.0f}", value);
}

template <class Row>
std::vector<std::string> names_of_columns(const std::vector<CellsColumn<Row>>& columns) {
  std::vector<std::string> names;
  for (const CellsColumn<Row>& column : columns) names.emplace_back(column.name);
  return names;
}

template <class Row>
std::vector<std::string> fields_of(const std::vector<CellsColumn<Row>>& columns, const Row& row) {
  std::vector<std::string> fields;
  for (const CellsColumn<Row>& column : columns)
    fields.push_back(number(column.value(row), column.kind));
  return fields;
}

void add_line(const std::vector<std::string>& fields, TextFile& file) {
  file.add(fmt::format("{}\n", fmt::join(fields, ",")));
}

Json units_of(const CellsFilmResult& result) {
  Json units{{"FRAME", "counted from 0"},
             {"T, DURATION, LONGEST_REST", "s"},
             {"POSITION, RADIUS, PERIMETER, DISPLACEMENT, PATH_LENGTH", "px"},
             {"AREA", "px^2"},
             {"SPEED", "px/frame"},
             {"DIRECTION", "degrees: 0 right, 90 down"}};
  if (result.calibration.um_per_pixel) {
    units["_UM"] = "um";
    units["_UM2"] = "um^2";
    units["_UM_S"] = "um/s";
  }
  return units;
}

}  // namespace

void write_tracks(const CellsFilmResult& result, TextFile& file) {
  const auto columns = spot_columns(result.calibration);
  add_line(names_of_columns(columns), file);
  for_each_spot(result.tracks, result.speeds,
                [&](const SpotRow& row) { add_line(fields_of(columns, row), file); });
}

void write_summaries(const CellsFilmResult& result, TextFile& file) {
  const auto columns = track_columns(result.calibration);
  const auto add = [&](std::vector<std::string> fields, std::string_view second) {
    fields.emplace(fields.begin() + 1, second);
    add_line(fields, file);
  };
  add(names_of_columns(columns), "CLASS");
  for (const CellTrackSummary& track : result.summaries)
    add(fields_of(columns, track), name_of(track.does));
}

void write_histogram(const CellsFilmResult& result, TextFile& file) {
  const auto columns = speed_columns(result.calibration);
  add_line(names_of_columns(columns), file);
  for (const SpeedBin& bin : result.histogram) add_line(fields_of(columns, bin), file);
}

std::string summary_json(const CellsFilmResult& result) {
  Json json;
  json["ran"] = result.ran;
  json["film"] = to_json(result.film);
  json["calibration"] = to_json(result.calibration);
  json["units"] = units_of(result);
  json["counts"] = to_json(result.counts);
  json["uncertain"] = !result.doubts.empty();
  json["doubts"] = result.doubts;
  json["background_choice"] = to_json(result.background);
  json["drift"] = result.drift.empty() ? Json(nullptr) : Json(largest_drift(result.drift));
  json["edits"] = result.edits;
  json["inside"] = result.inside.empty() ? Json(nullptr) : Json(result.inside);
  json["notes"] = result.notes;
  json["warnings"] = result.warnings;
  json["sizes"] = result.sizes;
  if (result.latency) json["latency"] = to_json(*result.latency);
  json["options"] = to_json(result.options);
  json["measure"] = to_json(result.measure);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
