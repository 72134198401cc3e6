// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "sample/exact_math.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

/// Number of taps of a sample between pixels.
constexpr int kTaps = 6;

/// Lagrange's polynomial through six pixels, 2 before and 3 after, at fraction `part` after a
/// pixel: for features of 4 px and more its error is far below a grey level, for any fraction.
std::array<float, kTaps> taps_at(double part) {
  std::array<float, kTaps> taps;
  for (int i = 0; i < kTaps; ++i) {
    double weight = 1;
    for (int j = 0; j < kTaps; ++j)
      if (j != i) weight *= (part + 2 - j) / (i - j);
    taps[static_cast<size_t>(i)] = static_cast<float>(weight);
  }
  return taps;
}

/// A wall is a dark line with a fainter bright one inside.
double wall(double inside, double depth) {
  const double bright = inside - 8;
  return depth * (0.5 * exp_of_minus(bright * bright / 18) - exp_of_minus(inside * inside / 24.5));
}

/// From -1 to 1 over the frame: a spot of light somewhere in it, and a slope.
std::vector<float> uneven(Size frame, std::uint64_t seed) {
  Random random{seed, 13};
  const double spot_x = random.between(0.2, 0.8), spot_y = random.between(0.2, 0.8);
  const double slope_x = random.between(-0.5, 0.5), slope_y = random.between(-0.5, 0.5);
  std::vector<double> values;
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) {
      const double u = (x + 0.5) / frame.width, v = (y + 0.5) / frame.height;
      const double dx = u - spot_x, dy = v - spot_y;
      values.push_back(exp_of_minus((dx * dx + dy * dy) / 0.3) + slope_x * u + slope_y * v);
    }
  const auto [least, most] = std::ranges::minmax(values);
  std::vector<float> scaled;
  for (const double value : values)
    scaled.push_back(most > least ? static_cast<float>(2 * (value - least) / (most - least) - 1)
                                  : 0.0f);
  return scaled;
}

}  // namespace

CellGround::CellGround(Size frame, std::uint64_t seed, const CellFilmOptions& o,
                       const CellVessel& vessel, int threads)
    : frame_(frame) {
  margin_ = static_cast<int>(vessel.farthest_drift()) + kTaps;
  width_ = frame.width + 2 * margin_;
  const int height = frame.height + 2 * margin_;
  scene_ =
      texture_field(width_, height, mixed(seed) + 12, *o.texture_fine, *o.texture_coarse, threads);
  parallel_for(height, threads, [&](int y) {
    float* row = &scene_[static_cast<size_t>(y) * static_cast<size_t>(width_)];
    for (int x = 0; x < width_; ++x) {
      const double across = vessel.across({double(x) - margin_, double(y) - margin_});
      const double inside = vessel.half_width() - std::abs(across);
      row[x] = static_cast<float>(*o.ground + *o.texture * row[x] + wall(inside, *o.walls));
    }
  });
  light_ = uneven(frame, seed);
  for (float& value : light_) value = static_cast<float>(1 + *o.light * value);
}

void CellGround::row(int row, Place drift, float* values) const {
  const double left = margin_ - drift.x, top = row + margin_ - drift.y;
  const double whole_left = std::floor(left), whole_top = std::floor(top);
  const auto across = taps_at(left - whole_left), down = taps_at(top - whole_top);
  const float* corner = &scene_[static_cast<size_t>(whole_top - 2) * static_cast<size_t>(width_) +
                                static_cast<size_t>(whole_left - 2)];
  std::vector<float> mixed_rows(static_cast<size_t>(frame_.width + kTaps - 1));
  for (size_t tap = 0; tap < kTaps; ++tap)
    for (size_t x = 0; x < mixed_rows.size(); ++x)
      mixed_rows[x] += down[tap] * corner[tap * static_cast<size_t>(width_) + x];
  const float* light = &light_[static_cast<size_t>(row) * static_cast<size_t>(frame_.width)];
  std::fill_n(values, frame_.width, 0.0f);
  for (size_t tap = 0; tap < kTaps; ++tap)
    for (int x = 0; x < frame_.width; ++x)
      values[x] += across[tap] * mixed_rows[static_cast<size_t>(x) + tap];
  for (int x = 0; x < frame_.width; ++x) values[x] *= light[x];
}

}  // namespace tessera
