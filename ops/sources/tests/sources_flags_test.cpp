// SPDX-License-Identifier: Apache-2.0
// Fits that no source can have, and second sources in the pixels of a first.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/sources/fit/sources_width.hpp"
#include "tessera/image.hpp"
#include "tessera/sources.hpp"

namespace tessera {
namespace {

constexpr SourceShape kFlagsBeam{5, 4, 30};

void add_gaussian(Image& image, double x, double y, double peak, const SourceShape& shape) {
  SourceGaussian g;
  g.v = {peak, x, y, 0, 0, 0};
  set_shape(g, moments_of(shape));
  const Size size = image.info().size;
  for (int row = 0; row < size.height; ++row)
    for (int column = 0; column < size.width; ++column)
      image.as<double>().at(column, row) += g.at(column, row);
}

Image noise_of_one(const Size& size, unsigned seed) {
  Image image(size, Type::f64);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image.as<double>().at(x, y) = normal(random);
  return image;
}

Image flagged_image(const Size& size, double value) {
  Image image(size, Type::f64);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image.as<double>().at(x, y) = value;
  return image;
}

SourceList flagged_list(const Image& image, const SourcesScale& scale) {
  const Size size = image.info().size;
  const Image zero = flagged_image(size, 0), one = flagged_image(size, 1);
  return sources(image.view(), zero.view(), one.view(), {.correlation = SourceNoise::white}, scale);
}

TEST(SourcesWidth, IsThatOfTheBeamInTheNarrowestDirection) {
  SourceGaussian g;
  g.v[0] = 1;
  const auto width = [&](const SourceShape& shape) {
    set_shape(g, moments_of(shape));
    return narrowest_width(g, kFlagsBeam).width;
  };
  EXPECT_NEAR(width(kFlagsBeam), 1, 1e-12);
  EXPECT_NEAR(width({5, 2, 30}), 0.5, 1e-12);
  EXPECT_NEAR(width({4, 4, 0}), 0.8, 1e-12);
  EXPECT_NEAR(width({50, 5, -60}), 1, 1e-12) << "across the beam's long axis";
  set_shape(g, moments_of(SourceShape{7, 3, -20}));
  const RelativeWidth here = narrowest_width(g, kFlagsBeam);
  for (std::size_t p = 0; p < 3; ++p) {
    SourceGaussian above = g, below = g;
    above.v[3 + p] += 1e-6;
    below.v[3 + p] -= 1e-6;
    const double slope =
        (narrowest_width(above, kFlagsBeam).width - narrowest_width(below, kFlagsBeam).width) /
        2e-6;
    EXPECT_NEAR(here.slopes[p], slope, 1e-6 * std::abs(slope) + 1e-8);
  }
}

TEST(SourcesFlags, ARowOfBrightPixelsIsNotNarrowerThanTheBeam) {
  Image image = noise_of_one({64, 64}, 1);
  for (int x = 28; x < 36; ++x) image.as<double>().at(x, 30) += 12;
  const SourceList list = flagged_list(image, {.beam = kFlagsBeam});
  ASSERT_EQ(list.sources.size(), 1U);
  const Source& s = list.sources[0];
  EXPECT_TRUE(s.flags & SourceFlags::fixed_shape) << SourceFlags::text(s.flags);
  EXPECT_NEAR(s.shape.major, 5, 1e-9);
  EXPECT_NEAR(s.shape.minor, 4, 1e-9);
  EXPECT_NEAR(s.shape.angle, 30, 1e-9);
  const SourceList without = flagged_list(image, {});
  ASSERT_EQ(without.sources.size(), 1U);
  EXPECT_TRUE(without.sources[0].flags & SourceFlags::no_fit);
}

// A fit to what lies around the pixel, 18 pixels wide and a tenth as high, is not the pixel's.
TEST(SourcesFlags, ABrightPixelOnAFaintRimHasTheBeamsShape) {
  Image image = flagged_image({64, 64}, 0);
  add_gaussian(image, 30, 31, 0.5, {18, 14, 0});
  image.as<double>().at(30, 31) += 7;
  const SourceList list = flagged_list(image, {.beam = kFlagsBeam});
  ASSERT_EQ(list.sources.size(), 1U);
  const Source& s = list.sources[0];
  EXPECT_EQ(s.flags, SourceFlags::fixed_shape) << SourceFlags::text(s.flags) << s.shape.major;
  EXPECT_NEAR(s.shape.major, 5, 1e-9);
}

TEST(SourcesFlags, ABeamOfAHeaderMayBeALittleTooWide) {
  Image image = noise_of_one({64, 64}, 2);
  add_gaussian(image, 30.2, 31.4, 5000, {4.7, 3.8, 30});
  const SourceList list = flagged_list(image, {.beam = kFlagsBeam});
  ASSERT_EQ(list.sources.size(), 1U);
  EXPECT_EQ(list.sources[0].flags, 0) << SourceFlags::text(list.sources[0].flags);
  EXPECT_NEAR(list.sources[0].shape.major, 4.7, 0.01);
}

// 64 pairs 4 pixels apart, which no saddle separates, and as many sources alone.
TEST(SourcesFlags, TwoSourcesInOneBeamAreAPoorFit) {
  for (const bool is_known : {true, false}) {
    SourcesScale scale;
    if (is_known) scale.beam = kFlagsBeam;
    for (const int others : {1, 0}) {
      Image image = noise_of_one({400, 400}, 3);
      for (int k = 0; k < 64; ++k) {
        const double x = 25.3 + 50.0 * (k % 8) + 0.1 * (k % 3),
                     y = 25.1 + 50.0 * std::floor(k / 8.0);
        const SourceShape shape{5.0 + (others ? 0 : k % 4), 4, 30};
        add_gaussian(image, x, y, 60, shape);
        if (others) add_gaussian(image, x + 4, y + 1, 35, shape);
      }
      const SourceList list = flagged_list(image, scale);
      ASSERT_EQ(list.sources.size(), 64U);
      int poor = 0;
      for (const Source& s : list.sources) poor += (s.flags & SourceFlags::poor_fit) != 0 ? 1 : 0;
      if (others)
        EXPECT_GE(poor, 60) << (is_known ? "beam" : "no beam");
      else
        EXPECT_LE(poor, 1) << (is_known ? "beam" : "no beam");
    }
  }
}

}  // namespace
}  // namespace tessera
