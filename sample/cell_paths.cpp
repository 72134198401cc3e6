// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "sample/random.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kLeastSeen = 40, kLongestOverlap = 45;
/// Whole films and positions of one cell that are tried; a possible film takes a few.
constexpr int kFilmTries = 200, kCellTries = 400;
constexpr double kSpeedJitter = 0.2, kJitterFrames = 15;  // relative; over this many frames
constexpr double kWander = 2.5, kWanderLength = 45;       // pixels to each side; over this many
constexpr int kShortestStop = 10, kLongestStop = 40, kSlowingFrames = 6;
/// Cells come to rest within this part of the frame's length: whole cells are seen.
constexpr double kRestingPart = 0.85;
/// Room between a cell and the vessel's wall.
constexpr double kWallGap = 3;
/// More than a disc's soft edge.
constexpr double kEdge = 4;

/// A smooth curve through random values in [-1, 1] at whole numbers.
double smooth_curve(double x, std::uint64_t key) {
  const double left = std::floor(x), part = x - left;
  const auto value = [&](double at) {
    return 2 * Random{key, static_cast<std::uint64_t>(static_cast<long long>(at))}.unit() - 1;
  };
  const double a = value(left), b = value(left + 1);
  return a + (b - a) * part * part * (3 - 2 * part);
}

/// Motion of one cell: given at one frame, continued to both sides.
struct Roll {
  std::uint64_t key = 0;
  double speed = 0, lane = 0;
  int pivot = 0;        ///< a frame
  double along = 0;     ///< its position then
  int stop = 0;         ///< frames for which it stands still from the pivot on
  bool stands = false;  ///< always
};

/// How a cell rests.
enum class Rest : unsigned char { never, stops, arrests, adheres };

/// Pixels from one frame to the next.
double step_of(const Roll& roll, int frame, const CellFilmOptions& o) {
  if (roll.stands) return 0;
  const double jitter = smooth_curve(frame / kJitterFrames, mixed(roll.key));
  const double speed =
      std::clamp(roll.speed * (1 + kSpeedJitter * jitter), *o.speed_low, *o.speed_high);
  if (roll.stop == 0) return speed;
  const int away = std::max(roll.pivot - frame, frame - (roll.pivot + roll.stop - 1));
  return speed * std::clamp(static_cast<double>(away) / kSlowingFrames, 0.0, 1.0);
}

class Planner {
 public:
  Planner(std::uint64_t seed, int attempt, const CellFilmOptions& options, const CellVessel& vessel)
      : random_{seed, 11, static_cast<std::uint64_t>(attempt)}, o_(options), vessel_(vessel) {}

  /// Nothing if some cell has no possible position.
  std::optional<CellFilmTruth> plan() {
    std::vector<bool> dark(static_cast<size_t>(*o_.cells));
    const auto dark_cells = std::lround((1 - *o_.bright) * *o_.cells);
    for (long i = 0; i < dark_cells; ++i) dark[static_cast<size_t>(i)] = true;
    for (size_t i = dark.size(); i > 1; --i) {
      const auto other = static_cast<size_t>(random_.below(static_cast<int>(i)));
      const bool kept = dark[i - 1];
      dark[i - 1] = dark[other];
      dark[other] = kept;
    }
    for (int i = 0; i < *o_.cells; ++i)
      if (!add(dark[static_cast<size_t>(i)], rest_of(i))) return {};
    return finished();
  }

 private:
  Rest rest_of(int cell) const {
    if (cell < *o_.stops) return Rest::stops;
    if (cell < *o_.stops + *o_.arrests) return Rest::arrests;
    return cell < *o_.stops + *o_.arrests + *o_.adherent ? Rest::adheres : Rest::never;
  }

  bool add(bool dark, Rest rest) {
    const double contrast = random_.between(*o_.contrast_low, *o_.contrast_high);
    const double radius = random_.between(*o_.radius_low, *o_.radius_high);
    const double speed = random_.between(*o_.speed_low, *o_.speed_high);
    for (int i = 0; i < kCellTries; ++i) {
      FilmCell cell{dark ? -contrast : contrast, speed, {}, {}};
      if (!follow(draw(speed, radius, rest), radius, cell) || !fits(cell)) continue;
      truth_.cells.push_back(std::move(cell));
      return true;
    }
    return false;
  }

  /// All positions and times of a film are equally likely: some are there at first, some come
  /// later.
  Roll draw(double speed, double radius, Rest rest) {
    const double lanes = std::max(0.0, vessel_.half_width() - radius - kWallGap - kWander);
    Roll roll;
    roll.key = random_.next();
    roll.speed = speed;
    roll.lane = random_.between(-lanes, lanes);
    roll.pivot = random_.below(*o_.frames);
    roll.along = random_.between(-0.5, 0.5) * vessel_.length();
    if (rest == Rest::stops)
      roll.stop = kShortestStop + random_.below(kLongestStop - kShortestStop + 1);
    if (rest == Rest::arrests) {
      roll.stop = *o_.frames;
      roll.pivot = *o_.frames / 4 + roll.pivot / 2;
      roll.along *= kRestingPart;
    }
    if (rest == Rest::adheres) {
      roll.stands = true;
      roll.along *= kRestingPart;
    }
    return roll;
  }

  CellSpot spot(const Roll& roll, int frame, double along, double radius) const {
    const double side =
        roll.lane + kWander * smooth_curve(along / kWanderLength, mixed(roll.key + 1));
    const Place seen = vessel_.seen(vessel_.at(along, side), frame);
    return {frame, seen.x, seen.y, radius, 0, true};
  }

  /// From the pivot to both sides, until it is far out of the frame.
  std::vector<CellSpot> all_spots(const Roll& roll, double radius) const {
    const double far = vessel_.length() / 2 + 2 * radius + kEdge + 2 * vessel_.farthest_drift();
    std::vector<CellSpot> spots;
    double along = roll.along;
    for (int frame = roll.pivot - 1; frame >= 0 && along > -far; --frame) {
      along -= step_of(roll, frame, o_);
      spots.push_back(spot(roll, frame, along, radius));
    }
    std::ranges::reverse(spots);
    along = roll.along;
    for (int frame = roll.pivot; frame < *o_.frames && along < far; ++frame) {
      spots.push_back(spot(roll, frame, along, radius));
      along += step_of(roll, frame, o_);
    }
    return spots;
  }

  /// False if the cell is not seen, not for long enough, or in two pieces.
  bool follow(const Roll& roll, double radius, FilmCell& cell) const {
    for (CellSpot& s : all_spots(roll, radius)) {
      s.score = -cell.contrast;
      (vessel_.in_frame({s.x, s.y}) ? cell.track.spots : cell.outside).push_back(s);
    }
    const std::vector<CellSpot>& seen = cell.track.spots;
    const int count = static_cast<int>(seen.size());
    if (count < std::max(1, std::min(kLeastSeen, *o_.frames / 4))) return false;
    return seen.back().frame - seen.front().frame + 1 == count;
  }

  bool fits(const FilmCell& cell) const {
    return std::ranges::none_of(truth_.cells, [&](const FilmCell& other) {
      const int overlap = longest_overlap(cell.track, other.track);
      const auto seen = std::min(cell.track.spots.size(), other.track.spots.size());
      return overlap > kLongestOverlap || 3 * static_cast<size_t>(overlap) > seen;
    });
  }

  CellFilmTruth finished() {
    std::ranges::stable_sort(truth_.cells, {}, [](const FilmCell& cell) {
      return std::tuple(cell.track.spots.front().frame, cell.track.spots.front().y);
    });
    int id = 0;
    for (FilmCell& cell : truth_.cells) {
      cell.track.id = ++id;
      truth_.entries += cell.track.spots.front().frame > 0;
      truth_.exits += cell.track.spots.back().frame < *o_.frames - 1;
    }
    truth_.crossings = find_crossings(truth_.tracks());
    return std::move(truth_);
  }

  Random random_;
  const CellFilmOptions& o_;
  const CellVessel& vessel_;
  CellFilmTruth truth_;
};

}  // namespace

std::vector<CellTrack> CellFilmTruth::tracks() const {
  std::vector<CellTrack> list;
  for (const FilmCell& cell : cells) list.push_back(cell.track);
  return list;
}

CellFilmTruth roll_cells(Size frame, std::uint64_t seed, const CellFilmOptions& o,
                         const CellVessel& vessel) {
  for (int attempt = 0; attempt < kFilmTries; ++attempt) {
    auto truth = Planner(seed, attempt, o, vessel).plan();
    if (truth && static_cast<int>(truth->crossings.size()) >= *o.crossings &&
        truth->entries >= *o.entries && truth->exits >= *o.exits)
      return std::move(*truth);
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("cells: {} cells with {} crossings, {} entries and {} exits cannot be arranged "
                  "in {} frames of {}x{} pixels; give fewer of them, more frames or larger ones",
                  *o.cells, *o.crossings, *o.entries, *o.exits, *o.frames, frame.width,
                  frame.height));
}

}  // namespace tessera
