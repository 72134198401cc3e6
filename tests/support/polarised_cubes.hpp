// SPDX-License-Identifier: Apache-2.0
/// Cubes of Q and U with flags, and how far spectra made of them are from the reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tessera/faraday.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

/// Channels in no order, of different weights, some of none.
inline FaradayChannels some_channels(int count) {
  FaradayChannels channels;
  for (int k = 0; k < count; ++k) {
    channels.frequency.push_back(0.9e9 + 0.9e9 * ((k * 7) % count) / count);
    channels.weight.push_back(k % 11 == 5 ? 0 : 1 + 0.5 * std::sin(k));
  }
  return channels;
}

inline FaradayAxes some_axes(int channels, const std::string& phi) {
  return faraday_axes(some_channels(channels), FaradayOptions{.phi = phi});
}

/// Noise. The first pixel lacks a voxel, the last all.
template <class T>
struct PolarisedCubes {
  PolarisedCubes(Size image, const FaradayAxes& of)
      : axes(of),
        size{image.width, image.height, 1, axes.channels()},
        q(random_image(size, TypeOf<T>::value, 1)),
        u(random_image(size, TypeOf<T>::value, 2)) {
    at(q, 0, std::min(3, axes.channels() - 1)) = std::numeric_limits<T>::quiet_NaN();
    if (pixels() == 1) return;
    for (int k = 0; k < axes.channels(); ++k)
      at(u, pixels() - 1, k) = std::numeric_limits<T>::infinity() * static_cast<T>(k % 2 ? 1 : -1);
  }
  long long pixels() const { return 1LL * size.width * size.height; }
  T& at(Image& cube, long long pixel, int plane) const {
    return cube.as<T>().data[plane * pixels() + pixel];
  }
  Image spectrum() const {
    return Image({size.width, size.height, 1, axes.depths()}, q.info().type);
  }

  /// Over a pixel's channels that count.
  double mean_of(long long pixel) const {
    double sum = 0, weights = 0;
    for (int k = 0; k < axes.channels(); ++k) {
      const double a = q.template as<const T>().data[k * pixels() + pixel],
                   b = u.template as<const T>().data[k * pixels() + pixel];
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      sum += axes.weight[static_cast<std::size_t>(k)] * std::hypot(a, b);
      weights += axes.weight[static_cast<std::size_t>(k)];
    }
    return sum / weights;
  }

  /// Greatest |error| of spectra, of the mean |P| of their pixel. NaN must be where it belongs.
  double worst_error(const Image& real, const Image& imaginary) const {
    Image true_real = spectrum(), true_imaginary = spectrum();
    FaradayOptions options;
    options.backend = Backend::cpu;
    options.method = "reference";
    FaradaySynth(q.info(), axes, options)(q.view(), u.view(), true_real.view(),
                                          true_imaginary.view());
    double worst = 0;
    for (long long pixel = 0; pixel < pixels(); ++pixel) {
      const double mean = mean_of(pixel);
      for (int p = 0; p < axes.depths(); ++p) {
        const auto value = [&](const Image& cube) {
          return static_cast<double>(cube.as<const T>().data[p * pixels() + pixel]);
        };
        EXPECT_EQ(std::isnan(value(real)), std::isnan(value(true_real))) << pixel << ", " << p;
        EXPECT_EQ(std::isnan(value(imaginary)), std::isnan(value(true_imaginary)))
            << pixel << ", " << p;
        if (!std::isnan(value(true_real)))
          worst = std::max(worst, std::hypot(value(real) - value(true_real),
                                             value(imaginary) - value(true_imaginary)) /
                                      mean);
      }
    }
    return worst;
  }

  FaradayAxes axes;
  Size size;
  Image q, u;
};

}  // namespace tessera::testing
