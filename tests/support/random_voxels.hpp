// SPDX-License-Identifier: Apache-2.0
/// Cubes for tests of the bands: with flags, weights of 0 and noise that is not known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tessera/faraday_bands.hpp"
#include "tessera/image.hpp"

namespace tessera::testing {

/// The same bits, or both NaN.
template <class T>
void expect_same_values(AnyView one, AnyView other) {
  const View<const T> a = one.as<const T>(), b = other.as<const T>();
  for (int p = 0; p < a.size.planes; ++p)
    for (int y = 0; y < a.size.height; ++y)
      for (int x = 0; x < a.size.width; ++x) {
        const T left = a.at(x, y, 0, p), right = b.at(x, y, 0, p);
        if (std::isnan(left) && std::isnan(right)) continue;
        ASSERT_TRUE(left == right && std::signbit(left) == std::signbit(right))
            << "plane " << p << " at " << x << ", " << y << ": " << left << " and " << right;
      }
}

/// Channels at given lambda^2.
inline FaradayAxes axes_at(const std::vector<double>& lambda2, std::vector<double> weight = {}) {
  FaradayChannels channels{{}, std::move(weight)};
  for (const double l : lambda2) channels.frequency.push_back(299792458 / std::sqrt(l));
  return faraday_axes(channels, FaradayOptions{.phi_max = 100, .dphi = 5});
}

/// Cubes with flags, weights of 0 and noise that is not known.
template <class T>
struct RandomVoxels {
  FaradayAxes axes;
  Image q, u, weight, sigma;

  explicit RandomVoxels(Size size)
      : q(size, TypeOf<T>::value), u(q.info()), weight(q.info()), sigma(q.info()) {
    std::mt19937 random(static_cast<unsigned>(size.width * 31 + size.planes));
    std::normal_distribution<double> normal;
    std::vector<double> lambda2, weights;
    for (int k = 0; k < size.planes; ++k) {
      lambda2.push_back(0.01 + 0.001 * k + 1e-4 * std::abs(normal(random)));
      weights.push_back(k % 7 == 3 ? 0 : 1 + 0.1 * k);
    }
    axes = axes_at(lambda2, weights);
    for (int k = 0; k < size.planes; ++k)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const double dice = normal(random);
          q.as<T>().at(x, y, 0, k) =
              static_cast<T>(dice > 1 ? std::numeric_limits<double>::quiet_NaN() : dice);
          u.as<T>().at(x, y, 0, k) =
              static_cast<T>(dice < -1.5 ? std::numeric_limits<double>::quiet_NaN() : dice);
          weight.as<T>().at(x, y, 0, k) = static_cast<T>(dice > 0.9 ? 0 : std::abs(normal(random)));
          sigma.as<T>().at(x, y, 0, k) = static_cast<T>(
              dice > 0.8 ? std::numeric_limits<double>::quiet_NaN() : std::abs(normal(random)));
        }
  }
};

}  // namespace tessera::testing
