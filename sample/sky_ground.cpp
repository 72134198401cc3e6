// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_ground.hpp"

#include <algorithm>
#include <cmath>

#include "sample/exact_math.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

constexpr double kGreatestRise = 2;
/// Over a box of 64 pixels per side the mean of exp(g r^2) around the centre is greater than 1 by
/// 2 g (64^2 - 1) / 12; with this fraction of bias, maps of boxes still show the true noise.
constexpr double kGentleBias = 5e-4, kBoxVariance = (64.0 * 64 - 1) / 12;

double squared_radius(const Size& size) {
  const double x = (size.width - 1) / 2.0, y = (size.height - 1) / 2.0;
  return x * x + y * y;
}

/// From the centre of `count` pixels.
double from_middle(int place, int count) { return place - (count - 1) / 2.0; }

}  // namespace

double noise_rise(const Size& size, const SkyOptions& options) {
  if (options.rise) return *options.rise;
  const double gentle = kGentleBias / (2 * kBoxVariance) * squared_radius(size);
  return gentle > log_of(kGreatestRise) ? kGreatestRise : 1 / exp_of_minus(gentle);
}

SkyGround::SkyGround(const Size& size, std::uint64_t seed, const SkyOptions& options)
    : size_(size), options_(options) {
  const double direction = Random{seed, 51}.unit();
  slope_x_ = options.gradient / 1000 * cosine_of_turns(direction);
  slope_y_ = options.gradient / 1000 * sine_of_turns(direction);
  for (std::size_t k = 0; k < waves_.size(); ++k) waves_[k] = draw_wave(seed, k);
  // One pixel has no corners.
  growth_ = log_of(noise_rise(size, options)) / std::max(squared_radius(size), 0.25);
  for (int x = 0; x < size.width; ++x) growth_across_.push_back(growth(from_middle(x, size.width)));
}

double SkyGround::growth(double distance) const {
  return 1 / exp_of_minus(growth_ * distance * distance);
}

SkyGround::Wave SkyGround::draw_wave(std::uint64_t seed, std::uint64_t number) const {
  Random random{seed, 52, number};
  const double waves_a_pixel = 1 / (options_.swell_length * random.between(0.8, 1.25));
  const double direction = random.unit(), across = waves_a_pixel * cosine_of_turns(direction);
  Wave wave{waves_a_pixel * sine_of_turns(direction), random.unit(), {}, {}};
  for (int x = 0; x < size_.width; ++x) {
    wave.sines.push_back(sine_of_turns(x * across));
    wave.cosines.push_back(cosine_of_turns(x * across));
  }
  return wave;
}

std::vector<double> SkyGround::background(int row) const {
  std::vector<double> values;
  const double here = options_.background + slope_y_ * from_middle(row, size_.height);
  for (int x = 0; x < size_.width; ++x)
    values.push_back(here + slope_x_ * from_middle(x, size_.width));
  // The variance of a sine is one half.
  const double height = options_.swell * std::sqrt(2.0 / static_cast<double>(waves_.size()));
  for (const Wave& wave : waves_) {
    const double turns = row * wave.down + wave.phase;
    const double sine = height * sine_of_turns(turns), cosine = height * cosine_of_turns(turns);
    for (std::size_t x = 0; x < values.size(); ++x)
      values[x] += wave.sines[x] * cosine + wave.cosines[x] * sine;
  }
  return values;
}

std::vector<double> SkyGround::sigma(int row) const {
  std::vector<double> values = growth_across_;
  const double here = options_.noise * growth(from_middle(row, size_.height));
  for (double& value : values) value *= here;
  return values;
}

}  // namespace tessera
