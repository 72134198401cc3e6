// SPDX-License-Identifier: Apache-2.0
// What correlations are known for: peaks at the shift of a copy, symmetry, noise that does not
// correlate; and samples that are not finite, which must spoil what they are in and nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tessera/correlate.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Calls `check` for every way and method there is.
template <class Check>
void every_way(Check check) {
  for (const Way& way : all_ways())
    for (const char* method : {"direct", "fft"}) {
      const ForcedIsa forced(way.isa);
      SCOPED_TRACE(way.name() + " " + method);
      CorrelateOptions options;
      options.backend = way.backend;
      options.method = method;
      check(options);
    }
}

TEST(CorrelateProperties, AShiftedCopyPeaksAtItsShift) {
  const Image scene = random_image({140, 120}, Type::f32, 1);
  const AnyView image = scene.view().region(0, 0, 100, 90),
                moved = scene.view().region(7, 12, 100, 90);
  every_way([&](CorrelateOptions options) {
    options.max_shift = 30;
    options.quadrants = Quadrants::all;
    options.scale = ShiftScale::coefficient;
    const Image map = correlate(image, moved, options);  // moved(x, y) is image(x + 7, y + 12)
    const Point first = Correlate(image.info(), options).first_shift();
    for (int y = 0; y < 59; ++y)
      for (int x = 0; x < 59; ++x) {
        const bool peak = first.x + x == 7 && first.y + y == 12;
        EXPECT_EQ(map.as<float>().at(x, y) > 0.5F, peak) << x << ", " << y;
      }
  });
}

TEST(CorrelateProperties, AutocorrelationIsSymmetricBitByBit) {
  const Image image = random_image({75, 61, 1, 2}, Type::f32, 2);
  every_way([&](CorrelateOptions options) {
    if (options.backend == Backend::cuda) return;  // by rounding only
    options.max_shift = 40;
    options.quadrants = Quadrants::all;
    const Image map = correlate(image.view(), options);
    for (int y = 0; y < 79; ++y)
      for (int x = 0; x < 79; ++x)
        ASSERT_EQ(map.as<float>().at(x, y), map.as<float>().at(78 - x, 78 - y)) << x << ", " << y;
    options.quadrants = Quadrants::one;
    const Image quarter = correlate(image.view(), options);
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 40; ++x)
        EXPECT_NEAR(quarter.as<float>().at(x, y), map.as<float>().at(39 + x, 39 + y), 3e-3);
  });
}

TEST(CorrelateProperties, TwoImagesTheOtherWayRoundAreTurned) {
  const Image a = random_image({50, 45}, Type::f32, 3), b = random_image({50, 45}, Type::f32, 4);
  every_way([&](CorrelateOptions options) {
    options.max_shift = 33;
    options.quadrants = Quadrants::all;
    const Image forth = correlate(a.view(), b.view(), options);
    const Image back = correlate(b.view(), a.view(), options);
    for (int y = 0; y < 65; ++y)
      for (int x = 0; x < 65; ++x)
        EXPECT_NEAR(forth.as<float>().at(x, y), back.as<float>().at(64 - x, 64 - y), 1e-3);
  });
}

TEST(CorrelateProperties, WhiteNoiseDecorrelatesWithinItsErrorBar) {
  // Coefficients of n independent pixels have a spread of 1 / sqrt(n).
  const Image noise = random_image({300, 280}, Type::f32, 5);
  every_way([&](CorrelateOptions options) {
    options.max_shift = 60;
    options.scale = ShiftScale::coefficient;
    const Image map = correlate(noise.view(), options);
    EXPECT_NEAR(map.as<float>().at(0, 0), 1, 1e-6);
    double squares = 0;
    for (int dy = 0; dy < 60; ++dy)
      for (int dx = dy == 0 ? 1 : 0; dx < 60; ++dx) {
        const double spreads = map.as<float>().at(dx, dy) * std::sqrt((300.0 - dx) * (280.0 - dy));
        EXPECT_LT(std::abs(spreads), 5) << dx << ", " << dy;
        squares += spreads * spreads;
      }
    EXPECT_NEAR(squares / 3599, 1, 0.1);
  });
}

/// NaN and infinities where the reference has them, near it elsewhere.
void expect_like_reference(const Image& image, const Image& other, CorrelateOptions options) {
  const Image map = correlate(image.view(), other.view(), options);
  options.backend = Backend::cpu;
  options.method = "reference";
  const Image truth = correlate(image.view(), other.view(), options);
  for (long long k = 0; k < truth.info().size.samples(); ++k) {
    const float expected = truth.as<float>().data[k], found = map.as<float>().data[k];
    if (std::isfinite(expected))
      EXPECT_NEAR(found, expected, 1e-3) << k;
    else
      EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)))
          << found << " instead of " << expected << " at " << k;
  }
}

TEST(CorrelateProperties, WhatIsNotFiniteSpoilsOnlyItsSums) {
  for (const float special : {kNan, kInfinity, -kInfinity})
    for (const Quadrants quadrants : {Quadrants::one, Quadrants::all})
      every_way([&](CorrelateOptions options) {
        options.max_shift = testing::run_small() ? 8 : 30;
        options.quadrants = quadrants;
        options.sums = "each";
        Image image = random_image({40, 37, 1, 2}, Type::f32, 6);
        const Image other = random_image({40, 37, 1, 2}, Type::f32, 7);
        // In a corner: only shifts that reach it are spoilt, and plane 1 stays clean.
        image.as<float>().at(39, 36, 0, 0) = special;
        expect_like_reference(image, image, options);
        expect_like_reference(image, other, options);
        expect_like_reference(other, image, options);
        image.as<float>().at(0, 3, 0, 0) = -kInfinity;
        image.as<float>().at(1, 0, 0, 1) = 0;
        expect_like_reference(image, image, options);
      });
}

TEST(CorrelateProperties, AllNanIsAllNan) {
  Image image({40, 30}, Type::f32);
  for (int k = 0; k < 1200; ++k) image.as<float>().data[k] = kNan;
  every_way([&](CorrelateOptions options) {
    options.max_shift = 30;
    const Image map = correlate(image.view(), options);
    for (int k = 0; k < 900; ++k) EXPECT_TRUE(std::isnan(map.as<float>().data[k]));
  });
}

TEST(CorrelateProperties, DoublesBeyondFloatsAreStillThere) {
  Image image({20, 20}, Type::f64), other({20, 20}, Type::f64);
  image.as<double>().at(3, 4) = 1e200;
  other.as<double>().at(1, 2) = 1e-198;
  every_way([&](CorrelateOptions options) {
    if (options.backend == Backend::cuda) return;
    options.max_shift = 5;
    const Image map = correlate(image.view(), other.view(), options);
    EXPECT_FLOAT_EQ(map.as<float>().at(2, 2), 100.0F);
    EXPECT_EQ(map.as<float>().at(2, 1), 0.0F);
  });
}

}  // namespace
}  // namespace tessera
