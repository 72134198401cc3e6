// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "io/file.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr const char* kHeader = "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS";
constexpr std::size_t kColumns = 7;
constexpr long long kMostBytes = 1 << 26;
constexpr int kMostId = 1'000'000'000;

enum class Edit : unsigned char { split, merge, remove, add };

}  // namespace

template <>
struct Names<Edit> {
  static constexpr std::array<std::pair<std::string_view, Edit>, 4> list{{{"split", Edit::split},
                                                                          {"merge", Edit::merge},
                                                                          {"delete", Edit::remove},
                                                                          {"add", Edit::add}}};
};

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ',');) fields.push_back(trimmed(part));
  return fields;
}

/// The spots of a track by frame; holes are filled when all edits are done.
using Spots = std::map<int, CellSpot>;

class Replay {
 public:
  Replay(std::string name, int first_frame, int frames, const std::vector<CellTrack>& tracks)
      : name_(std::move(name)), first_frame_(first_frame), frames_(frames) {
    for (const CellTrack& track : tracks) {
      for (const CellSpot& spot : track.spots) tracks_[track.id][spot.frame] = spot;
      next_id_ = std::max(next_id_, track.id + 1);
    }
  }

  /// False for lines that say nothing: empty ones, comments, the header.
  bool take(const std::string& line) {
    ++line_;
    const std::string text = trimmed(line);
    if (text.empty() || text.starts_with('#')) return false;
    fields_ = fields_of(text);
    if (fields_[0] == "EDIT") return check_header(text), false;
    if (fields_.size() > kColumns) refuse(fmt::format("has {} columns", fields_.size()));
    fields_.resize(kColumns);
    switch (parse_named<Edit>(place(), fields_[0])) {
      case Edit::split:
        return expect({1, 2}), split(), true;
      case Edit::merge:
        return expect({1, 3}), merge(), true;
      case Edit::remove:
        return expect({1}), remove(), true;
      case Edit::add:
        return expect({1, 2, 4, 5}, {6}), add(), true;
    }
    return false;
  }

  std::vector<CellTrack> tracks() const {
    std::vector<CellTrack> list;
    for (const auto& [id, spots] : tracks_) {
      CellTrack track{id};
      for (const auto& [frame, spot] : spots) bridge_to(spot, track.spots);
      list.push_back(std::move(track));
    }
    return list;
  }

 private:
  std::string place() const { return fmt::format("{}, line {}", name_, line_); }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::usage, fmt::format("{}: it {}; columns are {}", place(), what, kHeader));
  }

  void check_header(const std::string& text) const {
    if (std::string(kHeader).starts_with(text)) return;
    refuse("is another header");
  }

  // Columns that an edit needs and may have; a number too many is a slip.
  void expect(const std::vector<std::size_t>& needed,
              const std::vector<std::size_t>& allowed = {}) const {
    const auto columns = fields_of(kHeader);
    for (std::size_t k = 1; k < kColumns; ++k) {
      const bool must = std::ranges::count(needed, k) > 0, may = std::ranges::count(allowed, k) > 0;
      if (must && fields_[k].empty())
        refuse(fmt::format("has no {}, which {} needs", columns[k], fields_[0]));
      if (!must && !may && !fields_[k].empty())
        refuse(
            fmt::format("has {} {}, which {} does not take", columns[k], fields_[k], fields_[0]));
    }
  }

  int whole(std::size_t column) const {
    int value = 0;
    from_text(place(), fields_[column], value);
    return value;
  }
  double number(std::size_t column) const {
    double value = 0;
    from_text(place(), fields_[column], value);
    return value;
  }

  Spots& known(std::size_t column) {
    const auto found = tracks_.find(whole(column));
    if (found != tracks_.end()) return found->second;
    throw Error(ErrorKind::usage,
                fmt::format("{}: there is no track {}; see TRACK_ID in tracks.csv", place(),
                            fields_[column]));
  }

  void split() {
    Spots& track = known(1);
    const int frame = whole(2), first = track.begin()->first, last = track.rbegin()->first;
    if (frame <= first || frame > last)
      throw Error(ErrorKind::usage,
                  fmt::format("{}: track {} goes from frame {} to {}; it can be split at {} to {}",
                              place(), fields_[1], first, last, first + 1, last));
    Spots& rest = tracks_[next_id_++];
    for (auto spot = track.lower_bound(frame); spot != track.end(); spot = track.erase(spot))
      rest.insert(*spot);
  }

  // Where both have a spot the first one's stays.
  void merge() {
    Spots& track = known(1);
    Spots& other = known(3);
    if (&track == &other) refuse("merges a track with itself");
    track.insert(other.begin(), other.end());
    tracks_.erase(whole(3));
  }

  void remove() {
    known(1);
    tracks_.erase(whole(1));
  }

  void add() {
    const int id = whole(1), frame = whole(2), last = first_frame_ + frames_ - 1;
    if (id < 1 || id > kMostId) refuse(fmt::format("has track {}; ids are 1 to {}", id, kMostId));
    if (frame < first_frame_ || frame > last)
      throw Error(ErrorKind::usage, fmt::format("{}: there is no frame {}; the film has {} to {}",
                                                place(), frame, first_frame_, last));
    Spots& track = tracks_[id];
    next_id_ = std::max(next_id_, id + 1);
    CellSpot spot{frame, number(4), number(5)};
    spot.radius = fields_[6].empty() ? nearest_radius(track, frame) : number(6);
    if (!(spot.radius > 0))
      refuse(fmt::format("has RADIUS {}; it must be more than 0", spot.radius));
    track[frame] = spot;
  }

  // A cell hardly changes its size.
  double nearest_radius(const Spots& track, int frame) const {
    if (track.empty()) refuse("begins a track and has no RADIUS");
    const auto after = track.lower_bound(frame);
    if (after == track.end()) return track.rbegin()->second.radius;
    if (after == track.begin()) return after->second.radius;
    const auto before = std::prev(after);
    return (frame - before->first <= after->first - frame ? before : after)->second.radius;
  }

  // Frames that have no spot are bridged by a straight line.
  static void bridge_to(const CellSpot& spot, std::vector<CellSpot>& spots) {
    if (!spots.empty()) {
      const CellSpot from = spots.back();
      for (int frame = from.frame + 1; frame < spot.frame; ++frame) {
        const double part = double(frame - from.frame) / (spot.frame - from.frame);
        spots.push_back({frame, std::lerp(from.x, spot.x, part), std::lerp(from.y, spot.y, part),
                         std::lerp(from.radius, spot.radius, part), 0, false});
      }
    }
    spots.push_back(spot);
  }

  std::string name_;
  int first_frame_, frames_, line_ = 0, next_id_ = 1;
  std::vector<std::string> fields_;
  std::map<int, Spots> tracks_;
};

}  // namespace

int replay_edits_text(const std::string& name, const std::string& text, int first_frame, int frames,
                      std::vector<CellTrack>& tracks) {
  Replay replay(name, first_frame, frames, tracks);
  std::istringstream lines(text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text);
  int edits = 0;
  for (std::string line; std::getline(lines, line);) edits += replay.take(line) ? 1 : 0;
  tracks = replay.tracks();
  return edits;
}

int replay_edits(const std::string& path, int first_frame, int frames,
                 std::vector<CellTrack>& tracks) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; a table of edits has up to {}",
                                              path, file.bytes(), kMostBytes));
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), file.bytes());
  return replay_edits_text(path, text, first_frame, frames, tracks);
}

}  // namespace tessera
