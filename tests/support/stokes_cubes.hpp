// SPDX-License-Identifier: Apache-2.0
/// Cubes of Stokes I for tests: power laws with noise, flags, and pixels that cannot be fitted.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tessera/image.hpp"
#include "tessera/stokes_fit.hpp"

namespace tessera::testing {

inline std::vector<double> band(double low, double high, int channels) {
  std::vector<double> frequencies;
  for (int k = 0; k < channels; ++k)
    frequencies.push_back(low + (high - low) * k / std::max(channels - 1, 1));
  return frequencies;
}

template <class T>
struct StokesCube {
  std::vector<double> frequencies, sigma;
  Image i, noise;

  /// S/N per channel from 0.5 to half of `contrast`; every fifth pixel lacks channels, every
  /// eleventh has a channel with interference of 8 times the noise, one is empty, one negative, one
  /// zero.
  explicit StokesCube(Size size, double contrast = 400, unsigned seed = 1)
      : frequencies(band(0.9e9, 1.7e9, size.planes)), i(size, TypeOf<T>::value), noise(i.info()) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (int k = 0; k < size.planes; ++k) sigma.push_back(0.01 * (1 + 0.5 * std::sin(0.3 * k)));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const int n = y * size.width + x;
        const double flux = 0.005 * std::pow(contrast, uniform(random)), index = 2 * normal(random),
                     curl = 2 * normal(random);
        for (int k = 0; k < size.planes; ++k) {
          const auto at = static_cast<std::size_t>(k);
          const double l = std::log10(frequencies[at] / 1.2e9);
          double value = flux * std::pow(10, index * l + curl * l * l) + sigma[at] * normal(random);
          if (n % 5 == 4 && uniform(random) < 0.3) value = std::numeric_limits<double>::quiet_NaN();
          if (n % 11 == 7 && k == size.planes / 3) value += 8 * sigma[at];
          if (n == 2) value = std::numeric_limits<double>::quiet_NaN();
          if (n == 3) value = -std::abs(value);
          if (n == 6) value = 0;
          i.template as<T>().at(x, y, 0, k) = static_cast<T>(value);
          noise.template as<T>().at(x, y, 0, k) =
              static_cast<T>(n % 13 == 5 && k % 4 == 1 ? 0 : sigma[at] * (1 + 0.2 * (x % 3)));
        }
      }
  }
};

}  // namespace tessera::testing
