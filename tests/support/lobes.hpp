// SPDX-License-Identifier: Apache-2.0
/// Spectra for tests of the maps: a lobe a pixel over noise; here and there a value, or all of a
/// pixel, is NaN or infinite, all depths tie, or all are 0.
#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "tessera/faraday_maps.hpp"
#include "tessera/image.hpp"

namespace tessera::testing {

inline FaradayAxes lobe_axes(int depths, double dphi) {
  FaradayChannels channels;
  for (int k = 0; k < 40; ++k) channels.frequency.push_back(1.1e9 + 8e6 * k);
  std::vector<double> phi;
  const int origin = depths / 3;
  for (int p = 0; p < depths; ++p) phi.push_back((p - origin) * dphi);
  return faraday_axes(channels, std::move(phi));
}

template <class T>
struct Lobes {
  Image real, imaginary;

  Lobes(Size size, unsigned seed)
      : real(size, TypeOf<T>::value), imaginary(size, TypeOf<T>::value) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.05);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const double place = uniform(random) * size.planes, turn = 6.3 * uniform(random);
        const double scale = std::pow(10, 8 * uniform(random) - 4);
        for (int p = 0; p < size.planes; ++p) {
          const double lobe = std::exp(-0.1 * (p - place) * (p - place));
          put(x, y, p, scale * (lobe * std::cos(turn) + noise(random)),
              scale * (lobe * std::sin(turn) + noise(random)));
        }
        spoil(x, y, static_cast<int>(random() % 16),
              static_cast<int>(random() % static_cast<unsigned>(size.planes)));
      }
  }
  void put(int x, int y, int p, double re, double im) {
    real.as<T>().at(x, y, 0, p) = static_cast<T>(re);
    imaginary.as<T>().at(x, y, 0, p) = static_cast<T>(im);
  }

 private:
  void spoil(int x, int y, int how, int where) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int p = 0; p < real.info().size.planes; ++p) {
      if (how == 0) put(x, y, p, kNan, 1);
      if (how == 1) put(x, y, p, 0, 0);
      if (how == 2) put(x, y, p, 3, -4);
      if (how == 3) put(x, y, p, p % 3 - 1, p % 2);  // many equals
    }
    if (how == 4) put(x, y, where, 1, kNan);
    if (how == 5) put(x, y, where, kInfinity, 1);
    if (how == 6) put(x, y, where, -kInfinity, kNan);
  }
};

inline std::vector<FaradayMap> all_faraday_maps() {
  std::vector<FaradayMap> maps;
  for (const auto& [name, map] : Names<FaradayMap>::list) maps.push_back(map);
  return maps;
}

}  // namespace tessera::testing
