// SPDX-License-Identifier: Apache-2.0
/// Q and U cubes for tests of faraday, and the comparison of spectra with the reference.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "ops/faraday/synth/faraday_problem.hpp"
#include "tessera/faraday.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

/// 0.8 to 1.8 GHz in no order, every fifth as the one before; weights from 0.1 to 2, and some 0.
inline FaradayChannels some_channels(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> hertz(0.8e9, 1.8e9), weight(0.1, 2);
  FaradayChannels channels;
  for (int k = 0; k < count; ++k) {
    channels.frequency.push_back(k % 5 == 4 ? channels.frequency.back() : hertz(random));
    channels.weight.push_back(k % 7 == 3 ? 0 : weight(random));
  }
  return channels;
}

struct FaradayCubes {
  FaradayCubes(Size size, Type type, unsigned seed)
      : q(random_image(size, type, seed)), u(random_image(size, type, seed + 1000)) {}
  Image q, u;
};

inline void set_sample(Image& image, int x, int y, int plane, double value) {
  if (image.info().type == Type::f64)
    image.as<double>().at(x, y, 0, plane) = value;
  else
    image.as<float>().at(x, y, 0, plane) = static_cast<float>(value);
}
inline double sample_of(AnyView view, int x, int y, int plane) {
  return view.type == Type::f64 ? view.as<const double>().at(x, y, 0, plane)
                                : view.as<const float>().at(x, y, 0, plane);
}

/// The bound of the header, as a share of the mean |Q + i U|.
inline double faraday_bound(Type type) { return type == Type::f64 ? 1e-12 : 1e-5; }

/// The methods of a backend that do this, except the reference.
inline std::vector<std::string> faraday_methods_for(const ImageInfo& image, const FaradayAxes& axes,
                                                    Backend backend) {
  FaradayProblem problem{image, image, axes};
  problem.output.size.planes = axes.depths();
  std::vector<std::string> names;
  for (const FaradayMethod& method : faraday_methods())
    if (method.backend == backend && std::string(method.name) != "reference" &&
        method.refuses(problem).empty())
      names.emplace_back(method.name);
  return names;
}

/// Weighted mean |Q + i U| of a pixel over the channels it has.
inline double mean_polarised(const FaradayAxes& axes, AnyView q, AnyView u, int x, int y) {
  double sum = 0, weights = 0;
  for (int k = 0; k < axes.channels(); ++k) {
    const double length = std::hypot(sample_of(q, x, y, k), sample_of(u, x, y, k));
    const double weight = axes.weight[static_cast<std::size_t>(k)];
    if (!std::isfinite(length) || weight == 0) continue;
    sum += weight * length;
    weights += weight;
  }
  return sum / weights;
}

/// The largest error as a share of a pixel's mean; NaN must be where the reference has it.
inline double worst_error(const FaradayAxes& axes, AnyView q, AnyView u, AnyView real,
                          AnyView imaginary) {
  const FaradaySynth reference(q.info(), axes, {.backend = Backend::cpu, .method = "reference"});
  Image real_of(reference.output()), imaginary_of(reference.output());
  reference(q, u, real_of.view(), imaginary_of.view());
  double worst = 0;
  for (int y = 0; y < q.size.height; ++y)
    for (int x = 0; x < q.size.width; ++x) {
      const double mean = mean_polarised(axes, q, u, x, y);
      for (int p = 0; p < axes.depths(); ++p) {
        const double re = sample_of(real_of.view(), x, y, p), a = sample_of(real, x, y, p);
        const double im = sample_of(imaginary_of.view(), x, y, p);
        const double b = sample_of(imaginary, x, y, p);
        if (std::isnan(re) != std::isnan(a) || std::isnan(im) != std::isnan(b)) return HUGE_VAL;
        const double error = std::isnan(re) ? 0 : std::hypot(a - re, b - im);
        if (error > 0) worst = std::max(worst, error / mean);
        if (!(error <= HUGE_VAL)) return HUGE_VAL;
      }
    }
  return worst;
}

}  // namespace tessera::testing
