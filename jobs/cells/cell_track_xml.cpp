// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "jobs/cells/cell_track_file.hpp"
#include "jobs/cells/track_document.hpp"
#include "jobs/cells/trackmate_reader.hpp"

namespace tessera {
namespace {

// The element of the ISBI 2012 challenge that holds the particles.
pugi::xml_node contest_of(const TrackDocument& document) {
  const pugi::xml_node top = document.root();
  const pugi::xml_node inner = top.child("TrackContestISBI2012");
  if (inner) return inner;
  const std::string_view name = top.name();
  if (name != "TrackContestISBI2012" && name != "Tracks")
    document.refuse(top, fmt::format("<{}> is not known; it must be <TrackMate>, <root> with "
                                     "<TrackContestISBI2012>, or <Tracks>",
                                     name));
  return top;
}

std::vector<CellTrack> tracks_of_contest(const TrackDocument& document) {
  TrackCollector tracks(document.name());
  int id = 0;
  for (const pugi::xml_node particle : contest_of(document).children("particle")) {
    ++id;
    for (const pugi::xml_node detection : particle.children("detection"))
      tracks.add(id,
                 {.frame = document.whole(detection, "t"),
                  .x = document.number(detection, "x"),
                  .y = document.number(detection, "y")},
                 document.line_of(detection));
  }
  return tracks.tracks();
}

}  // namespace

std::vector<CellTrack> tracks_of_xml(const std::string& name, const std::string& text) {
  const TrackDocument document(name, text);
  return is_trackmate(document) ? trackmate_tracks(document).tracks : tracks_of_contest(document);
}

}  // namespace tessera
