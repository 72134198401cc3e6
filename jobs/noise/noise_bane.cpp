// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_bane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tessera {
namespace {

constexpr int kStepWithoutBeam = 16, kBeamsAStep = 4, kStepsABox = 6;

/// The side of a pixel in degrees, from CDELT and PC or from CD; 0 if the header has neither.
double pixel_scale(const HeaderCards& header) {
  const auto number = [&](const char* keyword, double otherwise) {
    return header.number(keyword).value_or(otherwise);
  };
  const double cd =
      number("CD1_1", 0) * number("CD2_2", 0) - number("CD1_2", 0) * number("CD2_1", 0);
  const double pc =
      number("PC1_1", 1) * number("PC2_2", 1) - number("PC1_2", 0) * number("PC2_1", 0);
  const double area = cd != 0 ? cd : number("CDELT1", 0) * number("CDELT2", 0) * pc;
  return std::sqrt(std::abs(area));
}

/// The beam in degrees; 0 if the header does not have it.
double beam_size(const HeaderCards& header) {
  return std::sqrt(header.number("BMAJ").value_or(0) * header.number("BMIN").value_or(0));
}

/// Four beams in pixels; nothing if the header does not tell, or if no box is that large.
std::optional<int> step_of_beam(const HeaderCards& header) {
  const double steps = std::ceil(kBeamsAStep * beam_size(header) / pixel_scale(header));
  // If one of them is missing, the quotient is 0, infinite or NaN.
  if (!(steps >= 1 && steps < kNoiseBoxSides.highest)) return std::nullopt;
  return static_cast<int>(steps);
}

int box_side(int step) {
  return static_cast<int>(
      std::clamp<double>(kStepsABox * step, kNoiseBoxSides.lowest, kNoiseBoxSides.highest));
}

}  // namespace

int bane_step(const HeaderCards& header) { return step_of_beam(header).value_or(kStepWithoutBeam); }

std::string bane_note(const NoiseOptions& options, const std::vector<std::string>& given,
                      const HeaderCards& header, bool has_table) {
  if (options.mode != NoiseMode::grid || std::ranges::count(given, "grid") > 0 ||
      step_of_beam(header))
    return "";
  std::string why = fmt::format("four beams are {:.3g} pixels",
                                kBeamsAStep * beam_size(header) / pixel_scale(header));
  if (!(pixel_scale(header) > 0))
    why = "the header does not have the size of a pixel (CDELT1, CDELT2)";
  if (!(beam_size(header) > 0))
    why = has_table ? "every channel has its own beam, in a table (CASAMBM)"
                    : "the header does not have a beam (BMAJ, BMIN)";
  return fmt::format(
      "--like bane takes steps of {} pixels, because {}; give --grid, four beams in "
      "pixels",
      kStepWithoutBeam, why);
}

NoiseOptions as_bane(NoiseOptions options, const std::vector<std::string>& given,
                     const HeaderCards& header) {
  const auto is_free = [&](const char* name) { return std::ranges::count(given, name) == 0; };
  const int step = bane_step(header);
  const NoiseBox grid =
      is_free("grid") ? NoiseBox{step, step} : options.grid.value_or(NoiseBox{step, step});
  if (is_free("mode")) options.mode = NoiseMode::grid;
  if (options.mode == NoiseMode::grid) {
    options.grid = grid;
    if (is_free("refine")) options.refine = 0;
  }
  if (is_free("box")) options.box = {box_side(grid.width), box_side(grid.height)};
  if (is_free("border")) options.border = Border::inside;
  if (!options.quantiles.orders.empty()) return options;
  options.two_pass = true;
  if (is_free("estimator") && options.mode != NoiseMode::binned)
    options.estimator = NoiseEstimator::clip;
  return options;
}

}  // namespace tessera
