// SPDX-License-Identifier: Apache-2.0
/// A sky without its sources: background and noise at every pixel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sample/sky_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Noise at the corners relative to the centre: as requested, or a gentle default.
double noise_rise(const Size& size, const SkyOptions& options);

/// Both maps are sums of columns times rows, so that a row costs a few multiplications per pixel.
class SkyGround {
 public:
  SkyGround(const Size& size, std::uint64_t seed, const SkyOptions& options);

  std::vector<double> background(int row) const;
  /// The standard deviation: its value at the centre times exp(r^2), like the inverse of a
  /// telescope's beam.
  std::vector<double> sigma(int row) const;

 private:
  /// sin(2 pi (x across + y down + phase)); sines and cosines of the part in x are kept.
  struct Wave {
    double down = 0, phase = 0;
    std::vector<double> sines, cosines;
  };
  Wave draw_wave(std::uint64_t seed, std::uint64_t number) const;
  double growth(double distance) const;

  Size size_;
  SkyOptions options_;
  double slope_x_ = 0, slope_y_ = 0;
  double growth_ = 0;  ///< growth of the logarithm of sigma per squared pixel
  std::array<Wave, 3> waves_;
  std::vector<double> growth_across_;
};

}  // namespace tessera
