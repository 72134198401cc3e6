// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_track_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Ten million spots; a larger file is not a table of tracks.
constexpr long long kMostBytes = 1LL << 30;

}  // namespace

void TrackCollector::refuse(long long line, const std::string& what) const {
  throw Error(kind_, fmt::format("{}, line {}: {}", name_, line, what));
}

void TrackCollector::add(int track, const CellSpot& spot, long long line) {
  if (!std::isfinite(spot.x) || !std::isfinite(spot.y) || !(spot.radius >= 0))
    refuse(line, fmt::format("x {}, y {}, radius {} are not a cell's position; they must be "
                             "numbers, with a radius of at least 0",
                             spot.x, spot.y, spot.radius));
  if (spot.frame < 0)
    refuse(line, fmt::format("frame {} does not exist; frames are counted from 0", spot.frame));
  if (!tracks_[track].emplace(spot.frame, spot).second)
    refuse(line, fmt::format("track {} is in frame {} for the second time; give it once", track,
                             spot.frame));
}

std::vector<CellTrack> TrackCollector::tracks() const {
  std::vector<CellTrack> list;
  for (const auto& [id, spots] : tracks_) {
    CellTrack& track = list.emplace_back();
    track.id = id;
    for (const auto& [frame, spot] : spots) track.spots.push_back(spot);
  }
  return list;
}

std::string read_track_text(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBytes)
    throw Error(ErrorKind::input,
                fmt::format("{}: it has {} bytes; a file of tracks has at most {}", path,
                            file.bytes(), kMostBytes));
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), file.bytes());
  return text;
}

bool is_xml(const std::string& text) {
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  return first != std::string::npos && text[first] == '<';
}

std::vector<CellTrack> read_tracks(const std::string& path, std::optional<double> um_per_pixel) {
  const std::string text = read_track_text(path);
  return is_xml(text) ? tracks_of_xml(path, text) : tracks_of_csv(path, text, um_per_pixel);
}

}  // namespace tessera
