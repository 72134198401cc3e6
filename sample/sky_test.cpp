// SPDX-License-Identifier: Apache-2.0
// The contents of a sky, measured from its pixels.
#include "sample/sky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/files.hpp"
#include "tests/support/hash.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

Image map_of(const Sky& sky, SkyMap map) {
  Image image(sky.info());
  sky.read(map, {0, sky.info().size.height}, image.view());
  return image;
}

/// Options of a flat 0; tests add what they need.
SkyOptions nothing() {
  return {.background = 0, .gradient = 0, .swell = 0, .noise = 0, .rise = 1, .sources = 0};
}

// As in scene_test: computed on aarch64 with g++ 12.
TEST(Sky, IsTheSameOnEveryMachine) {
  const Sky sky({101, 80}, 1, {.sources = 9, .field_of_view = 1.1, .holes = 2});
  EXPECT_EQ(hash_of(testing::short_view(map_of(sky, SkyMap::image))), 13631964325796456749u);
  EXPECT_EQ(hash_of(testing::short_view(map_of(sky, SkyMap::background))), 7914754461178372257u);
  EXPECT_EQ(hash_of(testing::short_view(map_of(sky, SkyMap::sigma))), 1114731575551497365u);
}

TEST(Sky, StripsAndThreadsGiveTheSameBytes) {
  const SkyOptions options{.sources = 12, .margin = 2, .holes = 1};
  for (const SkyMap map : {SkyMap::image, SkyMap::background, SkyMap::sigma}) {
    const Image whole = map_of(Sky({99, 67}, 5, options, Type::f32, 1), map);
    for (const int threads : {1, 2, 3, 7}) {
      const Sky sky({99, 67}, 5, options, Type::f32, threads);
      Image strips(sky.info());
      for (int row = 0; row < 67; row += 13)
        sky.read(map, {row, std::min(67, row + 13)},
                 strips.view().rows(row, std::min(13, 67 - row)));
      EXPECT_TRUE(same_samples(strips.view(), whole.view())) << threads;
    }
  }
}

TEST(Sky, IsItsBackgroundPlusNoisePlusSources) {
  SkyOptions options{.sources = 0};
  const Sky sky({300, 200}, 4, options, Type::f64);
  const Image image = map_of(sky, SkyMap::image), ground = map_of(sky, SkyMap::background),
              sigma = map_of(sky, SkyMap::sigma);
  double sum = 0, squares = 0, neighbours = 0, before = 0;
  int beyond_two = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 300; ++x) {
      const double number = (image.as<double>().at(x, y) - ground.as<double>().at(x, y)) /
                            sigma.as<double>().at(x, y);
      sum += number;
      squares += number * number;
      neighbours += number * before;
      beyond_two += std::abs(number) > 2;
      before = number;
    }
  const double count = 300 * 200, five = 5 / std::sqrt(count);
  EXPECT_NEAR(sum / count, 0, five);
  EXPECT_NEAR(squares / count, 1, five * std::numbers::sqrt2);
  EXPECT_NEAR(neighbours / count, 0, five);
  EXPECT_NEAR(beyond_two / count, 0.0455, five * 0.21);
}

// Positions in pixels, with columns to the left as east, by the C library's functions and not ours.
TEST(Sky, SourcesAreGaussiansAsTheTruthSays) {
  SkyOptions options = nothing();
  options.sources = 14;
  options.beam = 4;
  options.extended = 0.5;
  const Sky sky({90, 70}, 2, options, Type::f64);
  const Image image = map_of(sky, SkyMap::image);
  int extended = 0;
  for (const SkySource& s : sky.truth()) {
    extended += s.shape.major > 4;
    EXPECT_NEAR(s.flux, s.peak * s.shape.major * s.shape.minor / (4 * 3.2), 1e-12 * s.flux);
    EXPECT_GE(s.peak, options.flux_low * (1 - 1e-12));
    EXPECT_LE(s.peak, options.flux_high * (1 + 1e-12));
    EXPECT_LE(s.shape.minor, s.shape.major);
    EXPECT_LE(s.shape.major, 4 * 4);
  }
  EXPECT_GT(extended, 0);
  EXPECT_LT(extended, 14);
  for (int y = 0; y < 70; y += 3)
    for (int x = 0; x < 90; x += 2) {
      double sum = 0;
      for (const SkySource& s : sky.truth()) {
        const double angle = s.shape.angle * std::numbers::pi / 180;
        const double north = y - s.y, east = s.x - x;
        const double along = north * std::cos(angle) + east * std::sin(angle),
                     across = east * std::cos(angle) - north * std::sin(angle);
        const double halves =
            std::pow(2 * along / s.shape.major, 2) + std::pow(2 * across / s.shape.minor, 2);
        sum += s.peak * std::exp2(-halves);
      }
      ASSERT_NEAR(image.as<double>().at(x, y), sum, 2e-8 * 14 * options.flux_high) << x << " " << y;
    }
}

TEST(Sky, BrightSourcesAreFewerByTheSlope) {
  SkyOptions options = nothing();
  options.sources = 4000;
  options.flux_low = 1;
  options.flux_high = 1000;
  const Sky sky({500, 400}, 3, options);
  EXPECT_TRUE(std::ranges::is_sorted(sky.truth(), {}, &SkySource::y));
  const auto brighter =
      std::ranges::count_if(sky.truth(), [](const SkySource& s) { return s.peak > 4; });
  // One in eight: 500, with a standard deviation of 21.
  EXPECT_NEAR(static_cast<double>(brighter), 500, 105);
}

TEST(Sky, NoiseRisesTowardsTheCorners) {
  const Sky sky({201, 101}, 1, {.noise = 2, .rise = 3, .sources = 0}, Type::f64);
  const Image sigma = map_of(sky, SkyMap::sigma);
  const auto at = [&](int x, int y) { return sigma.as<double>().at(x, y); };
  EXPECT_NEAR(at(100, 50), 2, 1e-12);
  for (const auto& [x, y] : {std::pair{0, 0}, {200, 0}, {0, 100}, {200, 100}})
    EXPECT_NEAR(at(x, y), 6, 1e-11);
  EXPECT_NEAR(at(0, 50), 2 * std::pow(3, 1e4 / 1.25e4), 1e-11);
}

// A box of 64 pixels per side measures the noise at its centre, for any image size.
TEST(Sky, NoiseIsGentleUnlessAsked) {
  EXPECT_EQ(noise_rise({4096, 4096}, {}), 2);
  EXPECT_EQ(noise_rise({9, 7}, {.rise = 5}), 5);
  EXPECT_NEAR(noise_rise({9, 7}, {}), 1, 1e-4);
  for (const int side : {128, 512, 1024, 2048}) {
    const Sky sky({side, side}, 1, {.sources = 0}, Type::f64);
    Image rows({{side, 64}, Type::f64, kHost});
    sky.read(SkyMap::sigma, {side / 2 - 32, side / 2 + 32}, rows.view());
    double sum = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = side / 2 - 32; x < side / 2 + 32; ++x) sum += rows.as<double>().at(x, y);
    const double bias = sum / 4096 / rows.as<double>().at(side / 2, 32) - 1;
    EXPECT_LT(std::abs(bias), 1e-3) << side;
    EXPECT_GT(bias, 1e-5) << side << ": it does vary";
  }
}

TEST(Sky, TheBackgroundHasItsMeanGradientAndSwell) {
  SkyOptions options = nothing();
  options.background = 7;
  options.gradient = 3;
  const Image plane = map_of(Sky({1001, 501}, 6, options, Type::f64), SkyMap::background);
  const auto at = [&](int x, int y) { return plane.as<double>().at(x, y); };
  EXPECT_NEAR(at(500, 250), 7, 1e-12);
  const double across = at(1000, 0) - at(0, 0), down = 2 * (at(0, 500) - at(0, 0));
  EXPECT_NEAR(std::hypot(across, down), 3, 1e-11);
  options = nothing();
  options.swell = 2;
  options.swell_length = 25;
  const Image swell = map_of(Sky({1000, 500}, 6, options, Type::f64), SkyMap::background);
  double sum = 0, squares = 0;
  for (int y = 0; y < 500; ++y)
    for (int x = 0; x < 1000; ++x) {
      const double value = swell.as<double>().at(x, y);
      sum += value;
      squares += value * value;
    }
  EXPECT_NEAR(sum / 5e5, 0, 0.1);
  EXPECT_NEAR(std::sqrt(squares / 5e5), 2, 0.1);
}

TEST(Sky, BlanksAreWhereTheyWereAskedFor) {
  SkyOptions options{.sources = 3, .margin = 5, .field_of_view = 0.9};
  const Sky sky({120, 100}, 7, options);
  const Image image = map_of(sky, SkyMap::image), ground = map_of(sky, SkyMap::background);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 120; ++x) {
      const bool seen = std::hypot(x - 59.5, y - 49.5) <= 45 && y >= 5 && y < 95;
      ASSERT_EQ(std::isnan(image.as<float>().at(x, y)), !seen) << x << " " << y;
      ASSERT_TRUE(std::isfinite(ground.as<float>().at(x, y)));
    }
  const auto blanks = [](const SkyOptions& how) {
    const Image made = map_of(Sky({200, 200}, 7, how), SkyMap::image);
    const float* first = made.as<float>().data;
    return std::count_if(first, first + 200 * 200, [](float value) { return std::isnan(value); });
  };
  EXPECT_EQ(blanks({.sources = 3}), 0);
  const auto some = blanks({.sources = 3, .holes = 4, .hole_size = 20});
  EXPECT_GT(some, 4 * 25);
  EXPECT_LT(some, 4 * 900);
}

TEST(Sky, TruthIsATable) {
  const std::string text = truth_as_csv(Sky({64, 64}, 4, {.sources = 3}).truth());
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
  EXPECT_TRUE(text.starts_with("x,y,peak,flux,major,minor,angle\n")) << text;
}

TEST(Sky, OfOnePixelIsASky) {
  const Image image = map_of(Sky({1, 1}, 1, {.rise = 2, .sources = 0}), SkyMap::image);
  EXPECT_TRUE(std::isfinite(image.as<float>().at(0, 0)));
}

TEST(Sky, BadOptionsAreRefused) {
  const auto made = [](const SkyOptions& options, Type type = Type::f32, Size size = {9, 9}) {
    return [=] { Sky(size, 1, options, type); };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(made({.noise = -1}), ErrorKind::usage, "noise is -1; it can be 0 to");
  expect_error(made({.background = nan}), ErrorKind::usage, "background is nan");
  expect_error(made({.rise = 0.5}), ErrorKind::usage, "rise is 0.5; it can be 1 to");
  expect_error(made({.sources = -1}), ErrorKind::usage, "sources is -1");
  expect_error(made({.flux_low = 2, .flux_high = 1}), ErrorKind::usage, "flux-low is 2");
  expect_error(made({.beam = 0}), ErrorKind::usage, "beam is 0");
  expect_error(made({.extended = 1.5}), ErrorKind::usage, "extended is 1.5");
  expect_error(made({.holes = -3}), ErrorKind::usage, "holes is -3");
  expect_error(made({.sources = 90, .separation = 9}), ErrorKind::usage, "sources fit in 9x9");
  expect_error(made({}, Type::u8), ErrorKind::usage, "give f32 or f64");
  expect_error(made({}, Type::f32, {9, 9, 3}), ErrorKind::usage, "3 channels");
  expect_error(made({}, Type::f32, {0, 9}), ErrorKind::usage, "0x9 pixels");
  expect_error(made({}, Type::f32, {2'000'000'000, 9}), ErrorKind::usage,
               "size: 2000000000x9 is too large");
}

}  // namespace
}  // namespace tessera
