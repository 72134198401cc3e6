// SPDX-License-Identifier: Apache-2.0
/// What a sky is without its sources: background and noise at every pixel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sample/sky_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Noise at the corners over that at the centre: as asked, or as much as is gentle.
double noise_rise(const Size& size, const SkyOptions& options);

/// Both maps are sums of columns times rows, so that a row costs a few multiplications a pixel.
class SkyGround {
 public:
  SkyGround(const Size& size, std::uint64_t seed, const SkyOptions& options);

  std::vector<double> background(int row) const;
  /// The standard deviation: that at the centre times exp(r^2), as one over a telescope's beam.
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
  double growth_ = 0;  ///< the logarithm of sigma grows by so much a squared pixel
  std::array<Wave, 3> waves_;
  std::vector<double> growth_across_;
};

}  // namespace tessera
