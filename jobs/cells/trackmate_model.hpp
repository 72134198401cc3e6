// SPDX-License-Identifier: Apache-2.0
/// Tracks in TrackMate's terms, for its XML and for its table of spots: names, ids and units.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// A feature of spots, edges or tracks as TrackMate declares it.
struct TrackMateFeature {
  const char *name, *title, *short_title, *dimension;
  bool whole = false;
};

/// SEEN is Tessera's own.
inline constexpr TrackMateFeature kTrackMateSpotFeatures[] = {
    {"QUALITY", "Quality", "Quality", "QUALITY"},
    {"POSITION_X", "X", "X", "POSITION"},
    {"POSITION_Y", "Y", "Y", "POSITION"},
    {"POSITION_Z", "Z", "Z", "POSITION"},
    {"POSITION_T", "T", "T", "TIME"},
    {"FRAME", "Frame", "Frame", "NONE", true},
    {"RADIUS", "Radius", "R", "LENGTH"},
    {"VISIBILITY", "Visibility", "Visibility", "NONE", true},
    {"SEEN", "Seen", "Seen", "NONE", true},
};

/// Positions are in micrometres if the film is calibrated, else in pixels; times are in seconds.
class TrackMateModel {
 public:
  explicit TrackMateModel(const CellsFilmResult& result);

  static const char* time_unit() { return "sec"; }
  const char* length_unit() const { return calibrated_ ? "µm" : "pixel"; }
  /// "(µm)", or "" for a feature without a unit.
  std::string unit_of(const TrackMateFeature& feature) const;

  double length() const { return length_; }      ///< of a pixel, in the unit of lengths
  double interval() const { return interval_; }  ///< between two frames, in the unit of times

  int spots() const { return spots_; }
  /// The id of a spot; spots are counted from 0, track after track.
  int id_of(std::size_t track, std::size_t spot) const {
    return first_id_[track] + static_cast<int>(spot);
  }
  /// "ID12", as TrackMate names spots that have no other name.
  std::string label_of(std::size_t track, std::size_t spot) const;
  /// In the order of kTrackMateSpotFeatures.
  std::vector<std::string> values_of(const CellSpot& spot) const;

 private:
  bool calibrated_;
  double length_, interval_;
  std::vector<int> first_id_;
  int spots_ = 0;
};

/// A number to nine digits, which is a millionth of a pixel.
std::string trackmate_number(double value);
/// A time with all its digits: readers divide it by the frame interval.
std::string trackmate_time(double seconds);

}  // namespace tessera
