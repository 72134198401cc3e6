// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/cells_flux.hpp"
#include "jobs/cells/cells_motion.hpp"

namespace tessera {
namespace {

/// In a film shorter than --adherent-seconds, a cell must stand still for this share of it.
constexpr double kMostOfFilm = 0.9;
/// A film that is shorter does not show who adheres.
constexpr double kLeastSeconds = 2;
constexpr double kMostBins = 25;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The longest run of frames below the speed; NaN is not below it.
int longest_rest(const std::vector<double>& speeds, double still) {
  int longest = 0, now = 0;
  for (const double speed : speeds) {
    now = speed < still ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return longest;
}

double seconds_of_film(const CellsFilmResult& result) {
  return result.calibration.seconds(result.film.frames);
}
bool shows_adhesion(const CellsFilmResult& result) {
  return seconds_of_film(result) >= std::min(result.measure.adherent_seconds, kLeastSeconds);
}

CellClass class_of(const CellTrackSummary& track, const CellsFilmResult& result) {
  if (!std::isfinite(track.median_speed)) return CellClass::unknown;
  const double needed =
      std::min(result.measure.adherent_seconds, kMostOfFilm * seconds_of_film(result));
  if (shows_adhesion(result) && track.longest_rest > 0 && track.longest_rest >= needed)
    return CellClass::adherent;
  return track.median_speed < result.measure.still_speed ? CellClass::resting : CellClass::rolling;
}

void take_path(const std::vector<SpotMotion>& motion, CellTrackSummary& track) {
  for (std::size_t k = 1; k < motion.size(); ++k)
    track.path_length += std::hypot(motion[k].x - motion[k - 1].x, motion[k].y - motion[k - 1].y);
  const double x = motion.back().x - motion.front().x, y = motion.back().y - motion.front().y;
  track.displacement = std::hypot(x, y);
  track.direction = std::atan2(y, x) * 180 / std::numbers::pi;
  // Rounding must not give a straightness above 1.
  if (track.path_length > 0)
    track.straightness = std::min(1.0, track.displacement / track.path_length);
}

void take_spots(const CellTrack& from, CellTrackSummary& track) {
  track.track = from.id;
  track.first_frame = from.spots.front().frame;
  track.last_frame = from.spots.back().frame;
  track.frames = static_cast<int>(from.spots.size());
  for (const CellSpot& spot : from.spots) {
    track.seen += spot.seen ? 1 : 0;
    track.mean_radius += spot.radius / track.frames;
    track.mean_score += spot.score / track.frames;
  }
}

// Means over the spots that have an outline; 0 / 0 if there is none.
void take_shapes(const CellTrack& from, CellTrackSummary& track) {
  double outlines = 0;
  for (const CellSpot& spot : from.spots) {
    if (!spot.has_outline()) continue;
    const PolygonShape shape = shape_of(spot);
    ++outlines;
    track.mean_area += shape.area;
    track.mean_perimeter += shape.perimeter;
    track.mean_elongation += shape.elongation;
  }
  for (double* mean : {&track.mean_area, &track.mean_perimeter, &track.mean_elongation})
    *mean /= outlines;
}

CellTrackSummary summary_of(const CellTrack& from, const std::vector<SpotMotion>& motion,
                            const std::vector<double>& speeds, const CellsFilmResult& result) {
  CellTrackSummary track;
  take_spots(from, track);
  take_shapes(from, track);
  take_path(motion, track);
  track.seconds = result.calibration.seconds(track.last_frame - track.first_frame);
  track.mean_speed = mean_of(speeds);
  track.median_speed = median_of(speeds);
  track.max_speed = *std::ranges::max_element(speeds);
  track.longest_rest = result.calibration.seconds(longest_rest(speeds, result.measure.still_speed));
  track.does = class_of(track, result);
  return track;
}

void count(CellsFilmResult& result) {
  CellsCounts& counts = result.counts;
  if (shows_adhesion(result)) counts.adherent = 0;
  std::vector<double> means;
  for (const CellTrackSummary& track : result.summaries) {
    ++counts.tracks;
    counts.rolling += track.does == CellClass::rolling ? 1 : 0;
    counts.resting += track.does == CellClass::resting ? 1 : 0;
    if (counts.adherent && track.does == CellClass::adherent) ++*counts.adherent;
    if (std::isfinite(track.mean_speed)) means.push_back(track.mean_speed);
  }
  // Cells that stand may be those without a track: none is not a fact.
  if (!result.doubts.empty() && counts.adherent == 0) counts.adherent.reset();
  if (means.empty()) return;
  counts.mean_speed = mean_of(means);
  counts.median_speed = median_of(means);
}

// 1, 2 or 5 times a power of ten, so that edges are round numbers.
double bin_width(double highest) {
  const double least = highest / kMostBins;
  const double ten = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * ten >= least) return factor * ten;
  return 10 * ten;
}

std::vector<SpeedBin> histogram_of(const CellsFilmResult& result) {
  double highest = 0;  // max() ignores NaN
  for (const auto& speeds : result.speeds)
    for (const double speed : speeds) highest = std::max(highest, speed);
  if (highest <= 0) return {};
  const double width = bin_width(highest);
  std::vector<SpeedBin> bins(static_cast<std::size_t>(highest / width) + 1);
  for (std::size_t k = 0; k < bins.size(); ++k)
    bins[k] = {static_cast<double>(k) * width, static_cast<double>(k + 1) * width};
  const auto bin_of = [&](double speed) -> SpeedBin& {
    return bins[std::min(static_cast<std::size_t>(speed / width), bins.size() - 1)];
  };
  for (std::size_t k = 0; k < result.speeds.size(); ++k) {
    if (!std::isfinite(result.summaries[k].mean_speed)) continue;
    ++bin_of(result.summaries[k].mean_speed).tracks;
    for (const double speed : result.speeds[k]) ++bin_of(speed).spots;
  }
  return bins;
}

}  // namespace

void check_measure(const CellsMeasure& measure) {
  check_ranges("cells", measure);
  flux_line_of(measure.flux_line);
}

void summarise(CellsFilmResult& result) {
  std::vector<std::vector<SpotMotion>> motion;
  result.speeds.clear();
  result.summaries.clear();
  result.counts = {};
  for (const CellTrack& track : result.tracks) {
    motion.push_back(
        motion_of(track, result.measure.speed_window, result.drift, result.film.first_frame));
    std::vector<double>& speeds = result.speeds.emplace_back();
    for (const SpotMotion& at : motion.back()) speeds.push_back(at.speed);
    result.summaries.push_back(summary_of(track, motion.back(), speeds, result));
  }
  count(result);
  result.counts.flux = measure_flux(result, motion);
  result.histogram = histogram_of(result);
}

}  // namespace tessera
