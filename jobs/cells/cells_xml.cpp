// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_xml.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/folder.hpp"
#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/xml_elements.hpp"

namespace tessera {
namespace {

/// TrackMate's declaration of a feature of spots, edges or tracks.
struct Feature {
  const char *name, *title, *dimension;
  bool whole = false;
};
constexpr Feature kSpotFeatures[] = {
    {"QUALITY", "Quality", "QUALITY"}, {"POSITION_X", "X", "POSITION"},
    {"POSITION_Y", "Y", "POSITION"},   {"POSITION_Z", "Z", "POSITION"},
    {"POSITION_T", "T", "TIME"},       {"FRAME", "Frame", "NONE", true},
    {"RADIUS", "Radius", "LENGTH"},    {"VISIBILITY", "Visibility", "NONE", true},
    {"SEEN", "Seen", "NONE", true},
};
constexpr Feature kEdgeFeatures[] = {
    {"SPOT_SOURCE_ID", "Source spot ID", "NONE", true},
    {"SPOT_TARGET_ID", "Target spot ID", "NONE", true},
    {"SPEED", "Speed", "VELOCITY"},
};
constexpr Feature kTrackFeatures[] = {
    {"TRACK_INDEX", "Track index", "NONE", true},
    {"TRACK_ID", "Track ID", "NONE", true},
    {"NUMBER_SPOTS", "Number of spots in track", "NONE", true},
    {"TRACK_DURATION", "Duration of track", "TIME"},
    {"TRACK_START", "Track start", "TIME"},
    {"TRACK_STOP", "Track stop", "TIME"},
    {"TRACK_DISPLACEMENT", "Track displacement", "LENGTH"},
    {"TRACK_MEAN_SPEED", "Track mean speed", "VELOCITY"},
    {"TRACK_MEDIAN_SPEED", "Track median speed", "VELOCITY"},
};

/// The place of a spot in the result; its id in the file counts spots track after track.
struct SpotPlace {
  std::size_t track, spot;
};

class TrackMateFile {
 public:
  TrackMateFile(const CellsFilmResult& result, XmlElements& xml)
      : result_(result),
        xml_(xml),
        length_(result.calibration.um_per_pixel.value_or(1)),
        interval_(1 / result.calibration.frame_rate) {
    int id = 0;
    for (const CellTrack& track : result.tracks) {
      first_id_.push_back(id);
      id += static_cast<int>(track.spots.size());
    }
    spots_ = id;
  }

  void write() {
    xml_.open("TrackMate", {{"version", "7.0.0"}});
    xml_.open("Model", {{"spatialunits", result_.calibration.um_per_pixel ? "µm" : "pixel"},
                        {"timeunits", "sec"}});
    declare();
    write_spots();
    write_tracks();
    xml_.close();
    write_settings();
    xml_.empty("GUIState", {{"state", "ConfigureViews"}});
    xml_.close();
  }

 private:
  int id_of(SpotPlace place) const { return first_id_[place.track] + static_cast<int>(place.spot); }
  static bool is_linked(const CellTrack& track) { return track.spots.size() > 1; }

  void declare() {
    xml_.open("FeatureDeclarations");
    declare("SpotFeatures", kSpotFeatures);
    declare("EdgeFeatures", kEdgeFeatures);
    declare("TrackFeatures", kTrackFeatures);
    xml_.close();
  }
  template <std::size_t kCount>
  void declare(const char* group, const Feature (&features)[kCount]) {
    xml_.open(group);
    for (const Feature& feature : features)
      xml_.empty("Feature", {{"feature", feature.name},
                             {"name", feature.title},
                             {"shortname", feature.title},
                             {"dimension", feature.dimension},
                             {"isint", feature.whole ? "true" : "false"}});
    xml_.close();
  }

  void write_spots() {
    std::map<int, std::vector<SpotPlace>> frames;
    for (std::size_t k = 0; k < result_.tracks.size(); ++k)
      for (std::size_t i = 0; i < result_.tracks[k].spots.size(); ++i)
        frames[result_.tracks[k].spots[i].frame].push_back({k, i});
    xml_.open("AllSpots", {{"nspots", text(spots_)}});
    for (const auto& [frame, places] : frames) {
      xml_.open("SpotsInFrame", {{"frame", text(frame)}});
      for (const SpotPlace place : places) write_spot(place);
      xml_.close();
    }
    xml_.close();
  }
  void write_spot(SpotPlace place) {
    const CellSpot& spot = result_.tracks[place.track].spots[place.spot];
    const int id = id_of(place);
    XmlElements::Attributes values{{"ID", text(id)},
                                   {"name", fmt::format("ID{}", id)},
                                   {"QUALITY", text(std::abs(spot.score))},
                                   {"POSITION_X", text(spot.x * length_)},
                                   {"POSITION_Y", text(spot.y * length_)},
                                   {"POSITION_Z", "0.0"},
                                   {"POSITION_T", text(spot.frame * interval_)},
                                   {"FRAME", text(spot.frame)},
                                   {"RADIUS", text(spot.radius * length_)},
                                   {"VISIBILITY", "1"},
                                   {"SEEN", spot.seen ? "1" : "0"}};
    if (!spot.has_outline()) return xml_.empty("Spot", values);
    values.emplace_back("ROI_N_POINTS", text(kCellDirections));
    xml_.text("Spot", values, roi_points(spot));
  }
  /// TrackMate's SpotRoi: corners relative to the spot, x and y in turn.
  std::string roi_points(const CellSpot& spot) const {
    std::string points;
    for (const PolygonPoint corner : outline_of(spot))
      points += fmt::format("{}{:.6g} {:.6g}", points.empty() ? "" : " ", corner.x * length_,
                            corner.y * length_);
    return points;
  }

  // TrackMate defines a track by its edges: a single spot has none and is only listed among the
  // spots.
  void write_tracks() {
    xml_.open("AllTracks");
    for (std::size_t k = 0; k < result_.tracks.size(); ++k)
      if (is_linked(result_.tracks[k])) write_track(k);
    xml_.close();
    xml_.open("FilteredTracks");
    for (const CellTrack& track : result_.tracks)
      if (is_linked(track)) xml_.empty("TrackID", {{"TRACK_ID", text(track.id)}});
    xml_.close();
  }
  void write_track(std::size_t index) {
    const CellTrackSummary& track = result_.summaries[index];
    const double speed = length_ / interval_;
    xml_.open("Track", {{"name", fmt::format("Track_{}", track.track)},
                        {"TRACK_INDEX", text(static_cast<int>(index))},
                        {"TRACK_ID", text(track.track)},
                        {"NUMBER_SPOTS", text(track.frames)},
                        {"TRACK_DURATION", text(track.seconds)},
                        {"TRACK_START", text(track.first_frame * interval_)},
                        {"TRACK_STOP", text(track.last_frame * interval_)},
                        {"TRACK_DISPLACEMENT", text(track.displacement * length_)},
                        {"TRACK_MEAN_SPEED", text(track.mean_speed * speed)},
                        {"TRACK_MEDIAN_SPEED", text(track.median_speed * speed)}});
    for (std::size_t i = 1; i < result_.tracks[index].spots.size(); ++i)
      xml_.empty("Edge", {{"SPOT_SOURCE_ID", text(id_of({index, i - 1}))},
                          {"SPOT_TARGET_ID", text(id_of({index, i}))},
                          {"SPEED", text(result_.speeds[index][i] * speed)}});
    xml_.close();
  }

  // TrackMate does not open a file that lacks one of these, even though they may be empty.
  void write_settings() {
    const CellsFilm& film = result_.film;
    xml_.open("Settings");
    xml_.empty("ImageData", {{"filename", name_in_folder(film.name)},
                             {"folder", folder_of(film.name)},
                             {"width", text(film.width)},
                             {"height", text(film.height)},
                             {"nslices", "1"},
                             {"nframes", text(film.first_frame + film.frames)},
                             {"pixelwidth", text(length_)},
                             {"pixelheight", text(length_)},
                             {"voxeldepth", "1.0"},
                             {"timeinterval", text(interval_)}});
    xml_.empty("BasicSettings", {{"xstart", "0"},
                                 {"xend", text(film.width - 1)},
                                 {"ystart", "0"},
                                 {"yend", text(film.height - 1)},
                                 {"zstart", "0"},
                                 {"zend", "0"},
                                 {"tstart", text(film.first_frame)},
                                 {"tend", text(film.first_frame + film.frames - 1)}});
    xml_.empty("DetectorSettings", {{"DETECTOR_NAME", "MANUAL_DETECTOR"},
                                    {"RADIUS", text(result_.options.max_radius * length_)}});
    xml_.empty("InitialSpotFilter",
               {{"feature", "QUALITY"}, {"value", "0.0"}, {"isabove", "true"}});
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
  static std::string text(double value) { return fmt::format("{:.9g}", value); }

  const CellsFilmResult& result_;
  XmlElements& xml_;
  double length_, interval_;  // of a pixel and a frame, in the file's units
  std::vector<int> first_id_;
  int spots_ = 0;
};

}  // namespace

void write_trackmate(const CellsFilmResult& result, TextFile& file) {
  XmlElements xml(file);
  TrackMateFile(result, xml).write();
}

void write_isbi(const CellsFilmResult& result, TextFile& file) {
  XmlElements xml(file);
  xml.open("root");
  xml.open("TrackContestISBI2012",
           {{"snr", "?"}, {"density", "?"}, {"scenario", name_in_folder(result.film.name)}});
  for (const CellTrack& track : result.tracks) {
    xml.open("particle");
    for (const CellSpot& spot : track.spots)
      xml.empty("detection", {{"t", fmt::format("{}", spot.frame)},
                              {"x", fmt::format("{:.9g}", spot.x)},
                              {"y", fmt::format("{:.9g}", spot.y)},
                              {"z", "0"}});
    xml.close();
  }
  xml.close();
  xml.close();
}

}  // namespace tessera
