// SPDX-License-Identifier: Apache-2.0
// What a pixel becomes depends on nothing but the pixel: threads, pieces, instruction sets, steps
// of views and neighbours do not change a bit. And pulls: errors against simulated truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tessera/stokes_fit.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/stokes_cubes.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::band;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::StokesCube;
using testing::Way;

TEST(StokesFitBits, SameForAnyThreadsPiecesAndTargets) {
  const StokesCube<float> cube({71, 5, 1, 21});
  const StokesVoxels all{cube.i.view(), cube.noise.view()};
  for (const StokesLoss loss : {StokesLoss::squares, StokesLoss::cauchy}) {
    std::vector<unsigned char> first_model, first_maps;
    for (const Way& way : all_ways()) {
      if (way.backend != Backend::cpu) continue;
      const ForcedIsa forced(way.isa);
      const StokesFit plan(cube.i.info(), cube.frequencies,
                           {.order = -3, .loss = loss, .backend = Backend::cpu});
      for (const int threads : {1, 3})
        for (const int rows : {2, 5}) {
          Stream stream(kHost, threads);
          Image model(cube.i.info()), maps(plan.output());
          for (int y = 0; y < 5; y += rows) {
            const int count = std::min(rows, 5 - y);
            plan({all.i.rows(y, count), all.sigma.rows(y, count)}, model.view().rows(y, count),
                 maps.view().rows(y, count), stream);
          }
          if (first_maps.empty()) {
            first_model = bytes_of_view(model.view());
            first_maps = bytes_of_view(maps.view());
          }
          EXPECT_TRUE(bytes_of_view(model.view()) == first_model &&
                      bytes_of_view(maps.view()) == first_maps)
              << plan.describe() << ", " << threads << " threads, " << rows << " rows";
        }
    }
  }
}

TEST(StokesFitBits, OnePixelIsTheSameAlone) {
  const StokesCube<double> cube({40, 1, 1, 15});
  const StokesFitOptions options{.order = 2, .sigma = cube.sigma};
  const StokesFit plan(cube.i.info(), cube.frequencies, options);
  Image maps(plan.output());
  plan({cube.i.view()}, {}, maps.view());
  for (const int x : {0, 9, 31, 39}) {
    Image one({1, 1, 1, 15}, Type::f64);
    for (int k = 0; k < 15; ++k)
      one.as<double>().at(0, 0, 0, k) = cube.i.as<double>().at(x, 0, 0, k);
    const StokesFit alone(one.info(), cube.frequencies, options);
    Image found(alone.output());
    alone({one.view()}, {}, found.view());
    for (int plane = 0; plane < StokesPlanes::count; ++plane) {
      const double a = found.as<double>().at(0, 0, 0, plane),
                   b = maps.as<double>().at(x, 0, 0, plane);
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << x << ", plane " << plane;
    }
  }
}

/// Mean and width of (measured - true) / error.
struct Pull {
  double sum = 0, squares = 0, count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double width() const { return std::sqrt(squares / count - mean() * mean()); }
};

// 4096 pixels: the width of pulls is known to 1.1%, their mean to 1.6%. Noise doubles towards the
// end of the band, half of the channels are missing in half of the pixels.
void check_pulls(StokesCurve curve, StokesLoss loss, int order, double width) {
  constexpr int kSide = 64, kChannels = 48;
  const std::vector<double> f = band(1.0e9, 1.8e9, kChannels);
  std::vector<double> sigma;
  for (int k = 0; k < kChannels; ++k) sigma.push_back(0.02 * (1 + 1.0 * k / kChannels));
  Image i({kSide, kSide, 1, kChannels}, Type::f64);
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (int k = 0; k < kChannels; ++k)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const auto at = static_cast<std::size_t>(k);
        const double truth = curve == StokesCurve::log ? std::pow(f[at] / 1.4e9, -0.8)
                                                       : 1 - 0.8 * (f[at] / 1.4e9 - 1);
        i.as<double>().at(x, y, 0, k) = x >= kSide / 2 && k >= kChannels / 2
                                            ? std::numeric_limits<double>::quiet_NaN()
                                            : truth + sigma[at] * normal(random);
      }
  const StokesFit plan(i.info(), f,
                       {.curve = curve,
                        .order = order,
                        .reference = 1.4e9,
                        .loss = loss,
                        .sigma = sigma,
                        .backend = Backend::cpu});
  Image maps(plan.output());
  plan({i.view()}, {}, maps.view());
  Pull alpha[2], flux[2];
  double reduced = 0;
  const auto value = [&](int plane, int x, int y) { return maps.as<double>().at(x, y, 0, plane); };
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      ASSERT_EQ(value(StokesPlanes::status, x, y), 0);
      const int half = x >= kSide / 2;
      alpha[half].add((value(StokesPlanes::alpha, x, y) + 0.8) /
                      value(StokesPlanes::alpha_error, x, y));
      if (curve == StokesCurve::log)
        flux[half].add((value(StokesPlanes::coefficient, x, y) - 1) /
                       value(StokesPlanes::error, x, y));
      reduced += value(StokesPlanes::reduced, x, y) / kSide / kSide;
    }
  for (const int half : {0, 1}) {
    EXPECT_NEAR(alpha[half].mean(), 0, 0.1);
    EXPECT_NEAR(alpha[half].width(), width, 0.05);
    if (curve == StokesCurve::log) {
      EXPECT_NEAR(flux[half].width(), width, 0.05);
    }
    ::testing::Test::RecordProperty(std::string("alpha_") +
                                        (curve == StokesCurve::log ? "log" : "linear") +
                                        std::to_string(order) + (half ? "_half" : "_whole"),
                                    std::to_string(alpha[half].width()));
  }
  if (loss == StokesLoss::squares) {
    EXPECT_NEAR(reduced, 1, 0.01);
  }
}

TEST(StokesFitPulls, HaveUnitWidth) {
  check_pulls(StokesCurve::log, StokesLoss::squares, 1, 1);
  check_pulls(StokesCurve::log, StokesLoss::squares, 2, 1);
  check_pulls(StokesCurve::linear, StokesLoss::squares, 1, 1);
}

// The covariance of scipy, which rm-lite takes, is that of the second derivative of the loss. In
// noise of Gauss the width is sqrt(E[psi^2] / E[psi']) with psi = r / (1 + r^2 / 9): 0.894.
TEST(StokesFitPulls, OfCauchyAreNarrower) {
  check_pulls(StokesCurve::log, StokesLoss::cauchy, 1, 0.91);
}

}  // namespace
}  // namespace tessera
