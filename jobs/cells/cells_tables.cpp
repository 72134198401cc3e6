// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "jobs/cells/cell_outline.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

// To a millionth of a pixel. NaN is an empty field: pandas reads it as NaN, spreadsheets as
// nothing.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "";
}

// A comma before each.
template <class... Values>
std::string columns(Values... values) {
  std::string text;
  ((text += "," + number(values)), ...);
  return text;
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
  const std::optional<double> um = result.calibration.um_per_pixel,
                              um_s = result.calibration.um_per_second();
  file.add(
      "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,SCORE,SPEED,SEEN,AREA,PERIMETER,ELONGATION");
  file.add(um ? ",POSITION_X_UM,POSITION_Y_UM,RADIUS_UM,SPEED_UM_S,AREA_UM2,PERIMETER_UM\n" : "\n");
  for (std::size_t k = 0; k < result.tracks.size(); ++k)
    for (std::size_t i = 0; i < result.tracks[k].spots.size(); ++i) {
      const CellSpot& spot = result.tracks[k].spots[i];
      const double speed = result.speeds[k][i];
      const PolygonShape shape = shape_of(spot);
      file.add(fmt::format("{},{}", result.tracks[k].id, spot.frame));
      file.add(columns(result.calibration.seconds(spot.frame), spot.x, spot.y, spot.radius,
                       spot.score, speed, spot.seen ? 1 : 0, shape.area, shape.perimeter,
                       shape.elongation));
      if (um)
        file.add(columns(spot.x * *um, spot.y * *um, spot.radius * *um, speed * *um_s,
                         shape.area * *um * *um, shape.perimeter * *um));
      file.add("\n");
    }
}

void write_summaries(const CellsFilmResult& result, TextFile& file) {
  const std::optional<double> um = result.calibration.um_per_pixel,
                              um_s = result.calibration.um_per_second();
  file.add(
      "TRACK_ID,CLASS,FIRST_FRAME,LAST_FRAME,FRAMES,SEEN,DURATION,DISPLACEMENT,PATH_LENGTH,"
      "STRAIGHTNESS,DIRECTION,MEAN_SPEED,MEDIAN_SPEED,MAX_SPEED,LONGEST_REST,MEAN_RADIUS,"
      "MEAN_SCORE,MEAN_AREA,MEAN_PERIMETER,MEAN_ELONGATION");
  file.add(um ? ",DISPLACEMENT_UM,PATH_LENGTH_UM,MEAN_SPEED_UM_S,MEDIAN_SPEED_UM_S,MAX_SPEED_UM_S,"
                "MEAN_RADIUS_UM,MEAN_AREA_UM2,MEAN_PERIMETER_UM\n"
              : "\n");
  for (const CellTrackSummary& track : result.summaries) {
    file.add(fmt::format("{},{},{},{},{},{}", track.track, name_of(track.does), track.first_frame,
                         track.last_frame, track.frames, track.seen));
    file.add(columns(track.seconds, track.displacement, track.path_length, track.straightness,
                     track.direction, track.mean_speed, track.median_speed, track.max_speed,
                     track.longest_rest, track.mean_radius, track.mean_score, track.mean_area,
                     track.mean_perimeter, track.mean_elongation));
    if (um)
      file.add(columns(track.displacement * *um, track.path_length * *um, track.mean_speed * *um_s,
                       track.median_speed * *um_s, track.max_speed * *um_s, track.mean_radius * *um,
                       track.mean_area * *um * *um, track.mean_perimeter * *um));
    file.add("\n");
  }
}

void write_histogram(const CellsFilmResult& result, TextFile& file) {
  const std::optional<double> um_s = result.calibration.um_per_second();
  file.add("SPEED_FROM,SPEED_TO,TRACKS,SPOTS");
  file.add(um_s ? ",SPEED_FROM_UM_S,SPEED_TO_UM_S\n" : "\n");
  for (const SpeedBin& bin : result.histogram) {
    file.add(fmt::format("{},{},{},{}", number(bin.from), number(bin.to), bin.tracks, bin.spots));
    if (um_s) file.add(columns(bin.from * *um_s, bin.to * *um_s));
    file.add("\n");
  }
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
