// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "ops/cells/cells_parts.hpp"
#include "ops/cells/scene/cells_epochs.hpp"
#include "tessera/crop.hpp"

namespace tessera {
namespace {

/// The published threshold, for frames from which the still scene is not subtracted.
constexpr double kThreshold = 1.8;
/// Radii of leukocytes, at the magnifications used, and of single frames.
constexpr double kMinRadius = 6, kMaxRadius = 14;
constexpr std::size_t kMostCircles = 64;
/// Rows of the published program's crop, including the last.
constexpr int kClassicTop = 110, kClassicBottom = 328;

void check_frame(const ImageInfo& frame) {
  check_image("cells", frame);
  if (frame.size.channels != 1 || frame.size.planes != 1)
    refuse("cells", fmt::format("the frame has {} and {}; it can have one of each: make "
                                "colours grey first, and give frames one by one",
                                counted(frame.size.channels, "channel"),
                                counted(frame.size.planes, "plane")));
  if (frame.size.empty())
    refuse("cells", fmt::format("the frame is {}x{}; it can have 1x1 pixels or more",
                                frame.size.width, frame.size.height));
}

void check_numbers(const CellsOptions& o) {
  check_ranges("cells", o);
  const double least = o.min_radius.value_or(kMinRadius), most = o.max_radius.value_or(kMaxRadius);
  if (most < least)
    refuse("cells",
           fmt::format("max-radius is {}; it can be min-radius, {} pixels, or more", most, least));
  if (o.speed > 0 && !o.flow)
    refuse("cells", "speed is given without flow; say which way cells roll");
  if (o.detect_where == DetectWhere::entry && !o.flow)
    refuse("cells", "detect-where entry needs flow; say which way cells roll");
}

std::vector<double> circles_of(const CellsOptions& o) {
  if (o.model == CellsModel::classic) return {8, 10, 12, 14, 16, 18, 20};
  std::vector<double> radii;
  for (double r = *o.min_radius; r <= *o.max_radius + 1e-9; r += o.radius_step) radii.push_back(r);
  if (radii.size() > kMostCircles)
    refuse("cells",
           fmt::format("radii {} to {} by {} are {} circles; there can be up to {}", *o.min_radius,
                       *o.max_radius, o.radius_step, radii.size(), kMostCircles));
  return radii;
}

CellsCrop whole(const ImageInfo& frame) { return {0, 0, frame.size.width, frame.size.height}; }

CellsCrop crop_of(const ImageInfo& frame, const CellsOptions& o) {
  const int width = frame.size.width, height = frame.size.height;
  if (o.crop == "auto") {
    if (o.model == CellsModel::corrected || height <= kClassicBottom) return whole(frame);
    return {0, kClassicTop, width, kClassicBottom - kClassicTop + 1};
  }
  Crop crop;
  from_text("cells: crop", o.crop, crop);
  if (!crop.fits(frame.size))
    refuse("cells",
           fmt::format("crop {} reaches outside the frame, which is {}x{}; it can begin at 0,0 and "
                       "must end inside",
                       o.crop, width, height));
  const auto [x, y] = crop.corner_in(frame.size);
  return {x, y, crop.width, crop.height};
}

/// The part of the crop on the side that cells come from: the side that the flow points away from
/// most.
CellsCrop entry_of(const CellsCrop& crop, const CellsOptions& o) {
  if (o.detect_where != DetectWhere::entry) return crop;
  const double angle = *o.flow * std::numbers::pi / 180, x = std::cos(angle), y = std::sin(angle);
  CellsCrop entry = crop;
  if (std::abs(x) >= std::abs(y)) {
    entry.width = std::min(crop.width, *o.entry);
    if (x < 0) entry.x = crop.x + crop.width - entry.width;
  } else {
    entry.height = std::min(crop.height, *o.entry);
    if (y < 0) entry.y = crop.y + crop.height - entry.height;
  }
  return entry;
}

/// The direction of relief in radians, if one is given.
std::optional<double> relief_of(const CellsOptions& o) {
  if (o.relief == "auto" || o.relief == "none") return std::nullopt;
  double degrees = 0;
  const auto [end, error] =
      std::from_chars(o.relief.data(), o.relief.data() + o.relief.size(), degrees);
  if (error != std::errc() || end != o.relief.data() + o.relief.size() || !std::isfinite(degrees))
    refuse("cells",
           fmt::format("relief is \"{}\"; it can be auto, none or an angle in degrees", o.relief));
  return degrees * std::numbers::pi / 180;
}

int entry_width(double max_radius) { return static_cast<int>(std::ceil(6 * max_radius)); }

void fill_open_options(CellsOptions& o) {
  if (!o.min_radius) o.min_radius = kMinRadius;
  if (!o.max_radius) o.max_radius = kMaxRadius;
  const bool moving_only =
      o.model == CellsModel::corrected && o.background == CellsBackground::still;
  if (!o.threshold) o.threshold = moving_only ? kCells.threshold : kThreshold;
  if (!o.min_frames) o.min_frames = kCells.min_frames;
  if (!o.entry) o.entry = entry_width(*o.max_radius);
  if (o.detect_where == DetectWhere::automatic)
    o.detect_where = o.flow ? DetectWhere::entry : DetectWhere::everywhere;
}

/// Squares that touch the crop, and the margin next to it where it reaches the frame's edge.
CellsCrop binned_crop(const CellsProblem& problem, CellsBins bins) {
  const CellsCrop& crop = problem.crop;
  const Size whole = problem.frame.size, frame = bins.size_of(whole);
  const auto place = [&](int from) { return from / bins.factor + bins.margin; };
  const int left = crop.x == 0 ? 0 : place(crop.x), top = crop.y == 0 ? 0 : place(crop.y);
  const int right = crop.x + crop.width, bottom = crop.y + crop.height;
  return {left, top, (right == whole.width ? frame.width : place(right + bins.factor - 1)) - left,
          (bottom == whole.height ? frame.height : place(bottom + bins.factor - 1)) - top};
}

/// Names of the options that differ from their defaults.
std::vector<std::string> changed_names(const CellsOptions& o) {
  const CellsOptions usual;
  std::vector<std::string> names;
  std::apply(
      [&](const auto&... f) {
        ((o.*(f.member) == usual.*(f.member) ? void() : void(names.emplace_back(f.name))), ...);
      },
      CellsOptions::fields());
  return names;
}

}  // namespace

void check_given_options(CellsModel model, const std::vector<std::string>& given) {
  if (model != CellsModel::classic) return;
  for (const std::string& name : given)
    if (!CellsOptions::is_for_classic(name))
      refuse(
          "cells",
          fmt::format("the classic model decides {} itself; leave it out, or choose the corrected "
                      "model",
                      name));
}

CellsProblem make_cells_problem(const ImageInfo& frame, const CellsOptions& options) {
  check_frame(frame);
  check_numbers(options);
  check_given_options(options.model, changed_names(options));
  CellsProblem p;
  p.frame = frame;
  p.options = options;
  fill_open_options(p.options);
  p.crop = crop_of(frame, options);
  p.entry = entry_of(p.crop, p.options);
  p.radii = circles_of(p.options);
  p.radii_open =
      options.model == CellsModel::corrected && !options.min_radius && !options.max_radius;
  p.relief = relief_of(options);
  p.relief_open = options.model == CellsModel::corrected && options.relief == "auto";
  p.threshold = *p.options.threshold;
  p.threshold_alone = options.threshold.value_or(kThreshold);
  // A track that is just long enough must have ended its trial.
  p.trial =
      options.min_frames ? std::clamp(*options.min_frames - 1, 1, kCells.trial) : kCells.trial;
  p.device = frame.device == kHost ? options.device : frame.device;
  return p;
}

CellsProblem problem_with_radii(const CellsProblem& problem, double least, double most) {
  CellsProblem p = problem;
  if (*p.options.entry == entry_width(*p.options.max_radius)) p.options.entry = entry_width(most);
  p.options.min_radius = least;
  p.options.max_radius = most;
  p.options.radius_step =
      std::max(p.options.radius_step, std::ceil(most - least) / (kMostCircles - 1));
  p.entry = entry_of(p.crop, p.options);
  p.radii = circles_of(p.options);
  p.radii_open = false;
  return p;
}

CellsProblem problem_with_relief(const CellsProblem& problem, std::optional<double> direction) {
  CellsProblem p = problem;
  p.relief = direction;
  p.relief_open = false;
  p.options.relief =
      direction ? fmt::format("{:.0f}", *direction * 180 / std::numbers::pi) : "none";
  return p;
}

CellsProblem binned_problem(const CellsProblem& problem, CellsBins bins) {
  const int factor = bins.factor;
  CellsOptions o = problem.options;
  o.crop = "auto";
  o.min_radius = *o.min_radius / factor;
  o.max_radius = *o.max_radius / factor;
  o.radius_step = std::max(0.5, o.radius_step / factor);
  o.speed /= factor;
  o.entry = (*o.entry + factor - 1) / factor + bins.margin;
  CellsProblem p = make_cells_problem({bins.size_of(problem.frame.size), Type::f32}, o);
  p.crop = binned_crop(problem, bins);
  p.entry = entry_of(p.crop, p.options);
  p.threshold_alone = problem.threshold_alone;
  p.trial = problem.trial;
  p.device = problem.device;
  return p;
}

std::optional<CellsProblem> problem_of_short_film(const CellsProblem& problem, int frames,
                                                  bool min_frames_given) {
  const bool has_no_scene =
      takes_still_away(problem) && !has_scene(scene_epochs(0, frames), frames);
  if (problem.options.model == CellsModel::classic || frames < 2) return std::nullopt;
  if (!has_no_scene && frames > 2 * kCells.min_frames) return std::nullopt;
  CellsProblem p = problem;
  p.is_short = true;
  if (has_no_scene) {
    p.options.background = CellsBackground::none;
    p.threshold = p.threshold_alone;
    p.options.threshold = p.threshold;
  }
  if (!min_frames_given) {
    p.options.min_frames = std::clamp(frames / 2, 2, kCells.min_frames);
    p.trial = std::min(kCells.trial, *p.options.min_frames);
  }
  p.trial = std::min(p.trial, frames - 1);
  // A cell that comes in must be found while enough frames are left.
  if (p.options.detect_every == CellsOptions{}.detect_every)
    p.options.detect_every = std::clamp(frames / 4, 1, p.options.detect_every);
  return p;
}

}  // namespace tessera
