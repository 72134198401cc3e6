// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_bane.hpp"

#include <algorithm>
#include <cmath>

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

int box_side(int step) {
  return static_cast<int>(
      std::clamp<double>(kStepsABox * step, kNoiseBoxSides.lowest, kNoiseBoxSides.highest));
}

}  // namespace

int bane_step(const HeaderCards& header) {
  const double beam =
      std::sqrt(header.number("BMAJ").value_or(0) * header.number("BMIN").value_or(0));
  const double steps = std::ceil(kBeamsAStep * beam / pixel_scale(header));
  // If one of them is missing, the quotient is 0, infinite or NaN.
  if (!(steps >= 1 && steps < kNoiseBoxSides.highest)) return kStepWithoutBeam;
  return static_cast<int>(steps);
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
