// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/cells/study/detect_args.cuh"

namespace tessera {
namespace {

constexpr double kNear = 2;           // pixels from a cell's true centre
constexpr double kShareFound = 0.95;  // of the cells

/// The error of a mean of n slopes and of the root of their variance, relative to the root of the
/// mean square: n roundings each. Two circles whose scores hardly differ may change places, so that
/// signs mean nothing where there is no cell.
double score_bound(double score, bool floats) {
  const double rounding = floats ? 0x1p-24 : 0x1p-53;
  return 4 * kGicovPoints * rounding * (1 + score * score);
}

std::string wrong_score(const std::vector<double>& truth, const std::vector<double>& made,
                        bool squared, bool floats, const char* what) {
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double right = squared ? std::sqrt(truth[k]) : std::abs(truth[k]);
    const double found = squared ? std::sqrt(made[k]) : std::abs(made[k]);
    if (!(std::abs(right - found) <= score_bound(right, floats)))
      return fmt::format("{} {} is {} and should be {}", what, k, made[k], truth[k]);
  }
  return "";
}

std::string wrong_cell(std::size_t k, const char* what, double made, double truth) {
  return fmt::format("cell {}: {} is {} and should be {}", k, what, made, truth);
}

bool differ(double a, double b, double bound) { return !(std::abs(a - b) <= bound); }

std::string wrong_position(const Tracked& truth, const Tracked& made, double bound) {
  for (std::size_t k = 0; k < truth.cells.size(); ++k) {
    const StarCell &right = truth.cells[k], &found = made.cells[k];
    if (differ(right.x, found.x, bound)) return wrong_cell(k, "x", found.x, right.x);
    if (differ(right.y, found.y, bound)) return wrong_cell(k, "y", found.y, right.y);
  }
  return "";
}

template <class Near>
std::string too_few(const StudyFilm& film, const char* what, Near near) {
  const auto count = std::count_if(film.cells.begin(), film.cells.end(),
                                   [&](const auto& cell) { return near(cell); });
  if (static_cast<double>(count) >= kShareFound * static_cast<double>(film.cells.size())) return "";
  return fmt::format("{} of {} cells are {}", count, film.cells.size(), what);
}

}  // namespace

std::string wrong_detection(const Detected& truth, const Detected& made, bool floats) {
  if (std::string wrong = wrong_score(truth.gicov, made.gicov, false, floats, "score");
      !wrong.empty())
    return wrong;
  if (std::string wrong = wrong_score(truth.dilated, made.dilated, true, floats, "maximum");
      !wrong.empty())
    return wrong;
  if (truth.cells.size() != made.cells.size())
    return fmt::format("{} cells are found and should be {}", made.cells.size(),
                       truth.cells.size());
  for (std::size_t k = 0; k < truth.cells.size(); ++k) {
    const FoundCell &right = truth.cells[k], &found = made.cells[k];
    if (right.column != found.column) return wrong_cell(k, "column", found.column, right.column);
    if (right.row != found.row) return wrong_cell(k, "row", found.row, right.row);
    if (right.score * found.score <= 0) return wrong_cell(k, "score", found.score, right.score);
    if (differ(right.x, found.x, 1e-9)) return wrong_cell(k, "x", found.x, right.x);
    if (differ(right.y, found.y, 1e-9)) return wrong_cell(k, "y", found.y, right.y);
  }
  return "";
}

// In float the iteration may end one step sooner or later; in that step samples change by 1e-5 on
// average, and the star may take one step of at most 0.064 pixels more or less.
std::string wrong_tracking(const Tracked& truth, const Tracked& made, double bound) {
  const int steps = bound > 0 ? 2 : 0;
  const double pixels = bound > 0 ? 0.065 : 1e-9;
  constexpr double kLastChange = 1e-3;
  for (std::size_t k = 0; k < truth.cells.size(); ++k) {
    const int more = std::abs(truth.mgvf_steps[k] - made.mgvf_steps[k]);
    const double sample = bound > 0 ? bound + kLastChange * more : 1e-12;
    if (more > steps)
      return wrong_cell(k, "steps of the field", made.mgvf_steps[k], truth.mgvf_steps[k]);
    for (std::size_t at = 0; at < truth.fields[k].size(); ++at)
      if (differ(truth.fields[k][at], made.fields[k][at], sample))
        return wrong_cell(k, "a sample of the field", made.fields[k][at], truth.fields[k][at]);
    if (std::abs(truth.star_steps[k] - made.star_steps[k]) > steps)
      return wrong_cell(k, "steps of the star", made.star_steps[k], truth.star_steps[k]);
  }
  return wrong_position(truth, made, pixels);
}

// Errors of a star's last step add up over frames.
std::string wrong_positions(const Tracked& truth, const Tracked& made, bool floats) {
  return wrong_position(truth, made, floats ? 0.5 : 1e-9);
}

namespace {

template <class Cell, class Near>
std::string too_different(const std::vector<Cell>& reference, const std::vector<Cell>& found,
                          const char* what, Near near) {
  const auto in = [&](const std::vector<Cell>& cells, const std::vector<Cell>& others) {
    return std::ranges::count_if(cells, [&](const Cell& cell) {
      return std::ranges::any_of(others, [&](const Cell& other) { return near(cell, other); });
    });
  };
  const auto right = in(reference, found), more = in(found, reference);
  const auto enough = [](auto count, std::size_t all) {
    return static_cast<double>(count) >= kShareFound * static_cast<double>(all);
  };
  if (enough(right, reference.size()) && enough(more, found.size())) return "";
  return fmt::format("{} of the reference's {} {} are found, and {} of {} are the reference's",
                     right, reference.size(), what, more, found.size());
}

}  // namespace

std::string other_detections(const std::vector<CellDetection>& reference,
                             const std::vector<CellDetection>& found) {
  return too_different(reference, found, "cells",
                       [](const CellDetection& a, const CellDetection& b) {
                         return std::hypot(a.x - b.x, a.y - b.y) <= kNear;
                       });
}

std::string other_tracks(const std::vector<CellTrack>& reference,
                         const std::vector<CellTrack>& tracks) {
  return too_different(reference, tracks, "tracks", [](const CellTrack& a, const CellTrack& b) {
    const CellSpot &last = a.spots.back(), &other = b.spots.back();
    return last.frame == other.frame && std::hypot(last.x - other.x, last.y - other.y) <= kNear;
  });
}

std::string missing_cells(const StudyFilm& film, const std::vector<CellDetection>& found) {
  return too_few(film, "found", [&](const StudyFilm::Cell& cell) {
    return std::any_of(found.begin(), found.end(), [&](const CellDetection& one) {
      return std::hypot(one.x - cell.x, one.y - cell.y) <= kNear;
    });
  });
}

std::string lost_cells(const StudyFilm& film, const std::vector<CellTrack>& tracks) {
  const int last = film.frames.info().size.planes - 1;
  return too_few(film, "followed to the last frame", [&](const StudyFilm::Cell& cell) {
    return std::any_of(tracks.begin(), tracks.end(), [&](const CellTrack& track) {
      const CellSpot& spot = track.spots.back();
      return spot.frame == last && std::hypot(spot.x - cell.x_in(last), spot.y - cell.y) <= kNear;
    });
  });
}

}  // namespace tessera
