// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/cells_xml.hpp"
#include "jobs/cells/film_place.hpp"
#include "jobs/cells/trackmate_display.hpp"
#include "jobs/cells/trackmate_model.hpp"
#include "jobs/cells/xml_elements.hpp"

namespace tessera {
namespace {

constexpr TrackMateFeature kEdgeFeatures[] = {
    {"SPOT_SOURCE_ID", "Source spot ID", "Source ID", "NONE", true},
    {"SPOT_TARGET_ID", "Target spot ID", "Target ID", "NONE", true},
    {"SPEED", "Speed", "Speed", "VELOCITY"},
    {"DISPLACEMENT", "Displacement", "Disp.", "LENGTH"},
};
constexpr TrackMateFeature kTrackFeatures[] = {
    {"TRACK_INDEX", "Track index", "Index", "NONE", true},
    {"TRACK_ID", "Track ID", "ID", "NONE", true},
    {"NUMBER_SPOTS", "Number of spots in track", "N spots", "NONE", true},
    {"TRACK_DURATION", "Track duration", "Duration", "TIME"},
    {"TRACK_START", "Track start", "Track start", "TIME"},
    {"TRACK_STOP", "Track stop", "Track stop", "TIME"},
    {"TRACK_DISPLACEMENT", "Track displacement", "Track disp.", "LENGTH"},
    {"TRACK_MEAN_SPEED", "Track mean speed", "Mean sp.", "VELOCITY"},
    {"TRACK_MAX_SPEED", "Track max speed", "Max speed", "VELOCITY"},
    {"TRACK_MIN_SPEED", "Track min speed", "Min speed", "VELOCITY"},
    {"TRACK_MEDIAN_SPEED", "Track median speed", "Med. speed", "VELOCITY"},
};

/// Where a spot is in the result.
struct SpotPlace {
  std::size_t track, spot;
};

class TrackMateFile {
 public:
  TrackMateFile(const CellsFilmResult& result, XmlElements& xml)
      : result_(result), model_(result), xml_(xml) {
    for (std::size_t k = 0; k < result.tracks.size(); ++k)
      if (result.tracks[k].spots.size() > 1) linked_.push_back(k);
  }

  void write() {
    xml_.open("TrackMate", {{"version", "7.0.0"}});
    xml_.open("Model", {{"spatialunits", model_.length_unit()}, {"timeunits", model_.time_unit()}});
    declare();
    write_spots();
    write_tracks();
    xml_.close();
    write_settings();
    xml_.empty("GUIState", {{"state", "ConfigureViews"}});
    xml_.text("DisplaySettings", {}, trackmate_display(static_cast<int>(linked_.size())));
    xml_.close();
  }

 private:
  void declare() {
    xml_.open("FeatureDeclarations");
    declare("SpotFeatures", kTrackMateSpotFeatures);
    declare("EdgeFeatures", kEdgeFeatures);
    declare("TrackFeatures", kTrackFeatures);
    xml_.close();
  }
  void declare(const char* group, std::span<const TrackMateFeature> features) {
    xml_.open(group);
    for (const TrackMateFeature& feature : features)
      xml_.empty("Feature", {{"feature", feature.name},
                             {"name", feature.title},
                             {"shortname", feature.short_title},
                             {"dimension", feature.dimension},
                             {"isint", feature.whole ? "true" : "false"}});
    xml_.close();
  }

  void write_spots() {
    std::map<int, std::vector<SpotPlace>> frames;
    for (std::size_t k = 0; k < result_.tracks.size(); ++k)
      for (std::size_t i = 0; i < result_.tracks[k].spots.size(); ++i)
        frames[result_.tracks[k].spots[i].frame].push_back({k, i});
    xml_.open("AllSpots", {{"nspots", text(model_.spots())}});
    for (const auto& [frame, places] : frames) {
      xml_.open("SpotsInFrame", {{"frame", text(frame)}});
      for (const SpotPlace place : places) write_spot(place);
      xml_.close();
    }
    xml_.close();
  }
  void write_spot(SpotPlace place) {
    const auto [track, spot] = place;
    std::vector<std::string> values = model_.values_of(result_.tracks[track].spots[spot]);
    XmlElements::Attributes attributes{{"ID", text(model_.id_of(track, spot))},
                                       {"name", model_.label_of(track, spot)}};
    for (std::size_t k = 0; k < values.size(); ++k)
      attributes.emplace_back(kTrackMateSpotFeatures[k].name, std::move(values[k]));
    const CellSpot& at = result_.tracks[track].spots[spot];
    if (!at.has_outline()) return xml_.empty("Spot", attributes);
    attributes.emplace_back("ROI_N_POINTS", text(kCellDirections));
    xml_.text("Spot", attributes, roi_points(at));
  }
  /// TrackMate's SpotRoi: corners relative to the spot, x and y in turn.
  std::string roi_points(const CellSpot& spot) const {
    std::string points;
    for (const PolygonPoint corner : outline_of(spot))
      points += fmt::format("{}{:.6g} {:.6g}", points.empty() ? "" : " ",
                            corner.x * model_.length(), corner.y * model_.length());
    return points;
  }

  // TrackMate defines a track by its edges: a single spot has none and is only listed among the
  // spots.
  void write_tracks() {
    xml_.open("AllTracks");
    for (std::size_t index = 0; index < linked_.size(); ++index) write_track(index);
    xml_.close();
    xml_.open("FilteredTracks");
    for (const std::size_t k : linked_)
      xml_.empty("TrackID", {{"TRACK_ID", text(result_.tracks[k].id)}});
    xml_.close();
  }
  void write_track(std::size_t index) {
    const std::size_t k = linked_[index];
    const std::vector<CellSpot>& spots = result_.tracks[k].spots;
    const double start = spots.front().frame * model_.interval(),
                 stop = spots.back().frame * model_.interval();
    std::vector<double> speeds;
    for (std::size_t i = 1; i < spots.size(); ++i) speeds.push_back(speed(spots[i - 1], spots[i]));
    std::ranges::sort(speeds);
    const double sum = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    xml_.open("Track",
              {{"name", fmt::format("Track_{}", result_.tracks[k].id)},
               {"TRACK_INDEX", text(static_cast<int>(index))},
               {"TRACK_ID", text(result_.tracks[k].id)},
               {"NUMBER_SPOTS", text(static_cast<int>(spots.size()))},
               {"TRACK_DURATION", trackmate_time(stop - start)},
               {"TRACK_START", trackmate_time(start)},
               {"TRACK_STOP", trackmate_time(stop)},
               {"TRACK_DISPLACEMENT", trackmate_number(distance(spots.front(), spots.back()))},
               {"TRACK_MEAN_SPEED", trackmate_number(sum / static_cast<double>(speeds.size()))},
               {"TRACK_MAX_SPEED", trackmate_number(speeds.back())},
               {"TRACK_MIN_SPEED", trackmate_number(speeds.front())},
               {"TRACK_MEDIAN_SPEED", trackmate_number(speeds[speeds.size() / 2])}});
    for (std::size_t i = 1; i < spots.size(); ++i)
      xml_.empty("Edge", {{"SPOT_SOURCE_ID", text(model_.id_of(k, i - 1))},
                          {"SPOT_TARGET_ID", text(model_.id_of(k, i))},
                          {"SPEED", trackmate_number(speed(spots[i - 1], spots[i]))},
                          {"DISPLACEMENT", trackmate_number(distance(spots[i - 1], spots[i]))}});
    xml_.close();
  }
  double distance(const CellSpot& from, const CellSpot& to) const {
    return std::hypot(to.x - from.x, to.y - from.y) * model_.length();
  }
  double speed(const CellSpot& from, const CellSpot& to) const {
    return distance(from, to) / ((to.frame - from.frame) * model_.interval());
  }

  // TrackMate does not open a file that lacks one of these, even though they may be empty. Some
  // readers drop spots whose quality is not above the first filter's value; bridged ones have 0.
  void write_settings() {
    const CellsFilm& film = result_.film;
    const FilmPlace place = film_place(film.name);
    xml_.open("Settings");
    xml_.empty("ImageData", {{"filename", place.name},
                             {"folder", place.folder},
                             {"width", text(film.width)},
                             {"height", text(film.height)},
                             {"nslices", "1"},
                             {"nframes", text(film.first_frame + film.frames)},
                             {"pixelwidth", fmt::format("{}", model_.length())},
                             {"pixelheight", fmt::format("{}", model_.length())},
                             {"voxeldepth", "1.0"},
                             {"timeinterval", trackmate_time(model_.interval())}});
    xml_.empty("BasicSettings", {{"xstart", "0"},
                                 {"xend", text(film.width - 1)},
                                 {"ystart", "0"},
                                 {"yend", text(film.height - 1)},
                                 {"zstart", "0"},
                                 {"zend", "0"},
                                 {"tstart", text(film.first_frame)},
                                 {"tend", text(film.first_frame + film.frames - 1)}});
    xml_.empty("DetectorSettings",
               {{"DETECTOR_NAME", "MANUAL_DETECTOR"},
                {"RADIUS", trackmate_number(*result_.options.max_radius * model_.length())}});
    xml_.empty("InitialSpotFilter",
               {{"feature", "QUALITY"}, {"value", "-1.0"}, {"isabove", "true"}});
    xml_.empty("SpotFilterCollection");
    xml_.empty("TrackerSettings", {{"TRACKER_NAME", "MANUAL_TRACKER"}});
    xml_.empty("TrackFilterCollection");
    xml_.open("AnalyzerCollection");
    for (const char* analyzers : {"SpotAnalyzers", "EdgeAnalyzers", "TrackAnalyzers"})
      xml_.empty(analyzers);
    xml_.close();
    xml_.close();
  }

  static std::string text(int value) { return fmt::format("{}", value); }

  const CellsFilmResult& result_;
  TrackMateModel model_;
  XmlElements& xml_;
  std::vector<std::size_t> linked_;  // tracks with an edge
};

}  // namespace

void write_trackmate(const CellsFilmResult& result, TextFile& file) {
  XmlElements xml(file);
  TrackMateFile(result, xml).write();
}

}  // namespace tessera
