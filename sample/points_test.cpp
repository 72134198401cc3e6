// SPDX-License-Identifier: Apache-2.0
#include "sample/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sample/exact_math.hpp"
#include "tests/support/files.hpp"
#include "tests/support/hash.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

Image whole(Points& points) {
  Image image(points.info());
  points.read({0, points.info().size.height}, image.view());
  return image;
}

Image points_image(Size size, std::uint64_t seed, Type type, const PointsOptions& options = {}) {
  Points points(size, seed, type, options);
  return whole(points);
}

TEST(ExactMath, IsNearTheLibrarys) {
  for (double t = 0; t < 40; t += 0.37) EXPECT_NEAR(exp_of_minus(t) / std::exp(-t), 1, 1e-12) << t;
  for (double x = 1e-12; x < 1e12; x *= 1.7)
    EXPECT_NEAR(log_of(x), std::log(x), 1e-13 * std::max(1.0, std::abs(std::log(x)))) << x;
  EXPECT_EQ(exp_of_minus(0), 1);
  EXPECT_EQ(exp_of_minus(1e6), 0);
  EXPECT_EQ(log_of(1), 0);
  EXPECT_EQ(log_of(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log_of(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_NEAR(log_of(5e-324), -744.44007192138126, 1e-9);
}

// As in scene_test: computed on aarch64 with g++ 12.
TEST(Points, AreTheSameOnEveryMachine) {
  EXPECT_EQ(hash_of(testing::short_view(points_image({120, 90}, 1, Type::f32, {.noise = 3}))),
            13619462428573193534u);
  EXPECT_EQ(hash_of(testing::short_view(points_image({120, 90}, 2, Type::u16))),
            14255194579051885626u);
}

TEST(Points, StripsAndThreadsGiveTheSameBytes) {
  const Size size{100, 83};
  const PointsOptions options{.sources = 50, .noise = 2};
  const Image image = points_image(size, 3, Type::f32, options);
  for (const int threads : {1, 3})
    for (const int strip : {1, 7, 40}) {
      Points points(size, 3, Type::f32, options, threads);
      Image other(points.info());
      for (int row = 0; row < size.height; row += strip) {
        const Rows rows{row, std::min(size.height, row + strip)};
        points.read(rows, other.view().rows(row, rows.count()));
      }
      EXPECT_TRUE(same_samples(image.view(), other.view())) << threads << " threads, " << strip;
    }
}

TEST(Points, TruthLiesOnLocalMaxima) {
  const PointsOptions options{.sources = 40, .separation = 14};
  Points points({400, 300}, 4, Type::f64, options);
  const Image image = whole(points);
  const auto view = image.as<double>();
  ASSERT_EQ(points.truth().size(), 40u);
  for (const PointSource& source : points.truth()) {
    const int x = static_cast<int>(std::lround(source.x)),
              y = static_cast<int>(std::lround(source.y));
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        const int nx = x + i, ny = y + j;
        if (nx < 0 || ny < 0 || nx >= 400 || ny >= 300) continue;
        EXPECT_LE(view.at(nx, ny), view.at(x, y)) << source.x << ", " << source.y;
      }
  }
}

// Cells of such widths cannot be counted.
TEST(Points, SeparationsThatAreAlmostNothing) {
  const std::vector<PointSource> wanted = Points({64, 64}, 4).truth();
  for (const double separation : {5e-324, 1e-320, 1e-100, 1e-12}) {
    const Points points({64, 64}, 4, Type::f32, {.separation = separation});
    ASSERT_EQ(points.truth().size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(points.truth()[i].x, wanted[i].x);
  }
}

// Three logarithms around a maximum give the centre of a Gaussian exactly.
TEST(Points, CentresAndFluxesAreTheTruth) {
  const PointsOptions options{.sources = 1, .sigma = 2, .background = 0};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Points points({200, 200}, seed, Type::f64, options);
    const PointSource source = points.truth()[0];
    const int x = static_cast<int>(source.x), y = static_cast<int>(source.y);
    if (x < 15 || y < 15 || x > 184 || y > 184) continue;
    const Image image = whole(points);
    const auto view = image.as<double>();
    const double before = std::log(view.at(x - 1, y)), here = std::log(view.at(x, y)),
                 after = std::log(view.at(x + 1, y));
    EXPECT_NEAR(x + (before - after) / (2 * (before - 2 * here + after)), source.x, 1e-9);
    double flux = 0;
    for (int j = 0; j < 200; ++j)
      for (int i = 0; i < 200; ++i) flux += view.at(i, j);
    EXPECT_NEAR(flux / source.flux, 1, 1e-6);
  }
}

TEST(Points, FluxesFollowThePowerLaw) {
  const PointsOptions options{.sources = 20000, .flux_low = 1, .flux_high = 1e4};
  Points points({1000, 1000}, 5, Type::f32, options);
  int above_1 = 0, above_4 = 0;
  for (const PointSource& source : points.truth()) {
    EXPECT_GE(source.flux, 1 - 1e-9);
    EXPECT_LE(source.flux, 1e4 * (1 + 1e-9));
    above_1 += source.flux > 1;
    above_4 += source.flux > 4;
  }
  EXPECT_NEAR(static_cast<double>(above_1) / above_4, 8, 0.8);  // 4 to the power 1.5
}

TEST(Points, NoiseHasTheWidthAskedFor) {
  const Image image =
      points_image({400, 400}, 6, Type::f64, {.sources = 0, .background = 10, .noise = 3});
  double sum = 0, squares = 0;
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 400; ++x) {
      const double value = image.as<double>().at(x, y) - 10;
      sum += value;
      squares += value * value;
    }
  EXPECT_NEAR(sum / 160000, 0, 5 * 3 / 400.0);  // five standard errors
  EXPECT_NEAR(std::sqrt(squares / 160000), 3, 5 * 3 / std::sqrt(2 * 160000.0));
}

TEST(Points, IntegersAreRoundedAndSaturated) {
  const PointsOptions options{.sources = 3, .flux_low = 1e9, .flux_high = 1e9, .background = 41.6};
  const Image image = points_image({60, 60}, 7, Type::u16, options);
  unsigned short least = 65535, most = 0;
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x) {
      least = std::min(least, image.as<unsigned short>().at(x, y));
      most = std::max(most, image.as<unsigned short>().at(x, y));
    }
  EXPECT_EQ(least, 42);
  EXPECT_EQ(most, 65535);
}

TEST(Points, TakesAnySizeAndSeed) {
  for (const Size size : {Size{1, 1}, Size{1, 50}, Size{50, 1}})
    EXPECT_EQ(points_image(size, 8, Type::f32).info().size, size);
  EXPECT_FALSE(same_samples(testing::short_view(points_image({50, 50}, 1, Type::f32)),
                            testing::short_view(points_image({50, 50}, 2, Type::f32))));
}

TEST(Points, TruthAsTextHasALineASource) {
  EXPECT_EQ(truth_as_csv({{1.5, 2, 100}, {0.25, 3, 1e6}}), "x,y,flux\n1.5,2,100\n0.25,3,1000000\n");
}

TEST(Points, RefusesWhatItCannotMake) {
  const auto make = [](const PointsOptions& options) { Points({64, 64}, 1, Type::f32, options); };
  expect_error([&] { make({.sources = -1}); }, ErrorKind::usage,
               "points: sources is -1; it can be 0 or more");
  expect_error([&] { make({.sigma = 0}); }, ErrorKind::usage, "points: sigma is 0");
  expect_error([&] { make({.flux_low = 5, .flux_high = 4}); }, ErrorKind::usage,
               "flux-low is 5; it can be up to flux-high, 4");
  expect_error([&] { make({.noise = -1}); }, ErrorKind::usage, "noise is -1");
  expect_error([&] { make({.separation = 30}); }, ErrorKind::usage, "of 200 sources fit in 64x64");
  expect_error([] { Points({64, 64, 3}, 1); }, ErrorKind::usage, "1 channel");
}

}  // namespace
}  // namespace tessera
