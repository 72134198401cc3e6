// SPDX-License-Identifier: Apache-2.0
/// Tracks read from files, for scores and corrections.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tessera/cells.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// A table with the columns TRACK_ID, FRAME, POSITION_X, POSITION_Y and, if it is there, RADIUS
/// (tracks.csv and spots.csv, or spots exported by TrackMate), a file of TrackMate, or XML with
/// particles and their detections (the ISBI 2012 challenge, "Tracks" of TrackMate); the first
/// character decides which. Tracks are ordered by id, their spots by frame. Positions are pixels; a
/// table that TrackMate exported in micrometres needs `um_per_pixel`, and Error(usage) says so.
/// Throws Error(input) naming file and line.
std::vector<CellTrack> read_tracks(const std::string& path,
                                   std::optional<double> um_per_pixel = {});

/// The same for a text; messages call it `name`.
std::vector<CellTrack> tracks_of_csv(const std::string& name, const std::string& text,
                                     std::optional<double> um_per_pixel = {});
std::vector<CellTrack> tracks_of_xml(const std::string& name, const std::string& text);

/// The text of a file with tracks or edits. Throws Error(input) if it cannot be read or is too
/// large.
std::string read_track_text(const std::string& path);
/// Whether a text is XML, judged by its first character.
bool is_xml(const std::string& text);

/// Collects spots in any order into tracks.
class TrackCollector {
 public:
  /// Messages call the file or table `name`; its errors are of this `kind`.
  explicit TrackCollector(std::string name, ErrorKind kind = ErrorKind::input)
      : name_(std::move(name)), kind_(kind) {}

  /// Throws Error for a second spot of a track in the same frame, and for positions that are not
  /// numbers.
  void add(int track, const CellSpot& spot, long long line);
  [[noreturn]] void refuse(long long line, const std::string& what) const;
  std::vector<CellTrack> tracks() const;

 private:
  std::string name_;
  ErrorKind kind_;
  std::map<int, std::map<int, CellSpot>> tracks_;
};

}  // namespace tessera
