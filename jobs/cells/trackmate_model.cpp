// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/trackmate_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace tessera {

TrackMateModel::TrackMateModel(const CellsFilmResult& result)
    : calibrated_(result.calibration.um_per_pixel.has_value()),
      length_(result.calibration.um_per_pixel.value_or(1)),
      interval_(1 / result.calibration.frame_rate) {
  for (const CellTrack& track : result.tracks) {
    first_id_.push_back(spots_);
    spots_ += static_cast<int>(track.spots.size());
  }
}

std::string TrackMateModel::unit_of(const TrackMateFeature& feature) const {
  const std::string_view dimension = feature.dimension;
  if (dimension == "QUALITY") return "(quality)";
  if (dimension == "POSITION" || dimension == "LENGTH") return fmt::format("({})", length_unit());
  if (dimension == "TIME") return fmt::format("({})", time_unit());
  return "";
}

std::string TrackMateModel::label_of(std::size_t track, std::size_t spot) const {
  return fmt::format("ID{}", id_of(track, spot));
}

std::vector<std::string> TrackMateModel::values_of(const CellSpot& spot) const {
  return {trackmate_number(std::abs(spot.score)),
          trackmate_number(spot.x * length_),
          trackmate_number(spot.y * length_),
          "0.0",
          trackmate_time(spot.frame * interval_),
          fmt::format("{}", spot.frame),
          trackmate_number(spot.radius * length_),
          "1",
          spot.seen ? "1" : "0"};
}

std::string trackmate_number(double value) { return fmt::format("{:.9g}", value); }

std::string trackmate_time(double seconds) { return fmt::format("{}", seconds); }

}  // namespace tessera
