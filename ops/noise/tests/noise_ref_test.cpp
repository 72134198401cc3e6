// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand: the ground that all other tests of noise stand on.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ops/noise/grid/noise_fill.hpp"
#include "tessera/noise.hpp"
#include "tessera/percentile_filter.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using Samples = std::vector<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Image image_of(Size size, const Samples& samples) {
  Image image(size, Type::f64);
  std::copy(samples.begin(), samples.end(), image.as<double>().data);
  return image;
}
Samples samples_of(const Image& image) {
  const double* first = image.as<double>().data;
  return {first, first + image.info().size.samples()};
}
NoiseOptions by_reference(NoiseBox box) { return {.box = box, .method = "reference"}; }

/// 1 to 9, three by three.
Image nine() { return image_of({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

TEST(NoiseReference, QuartilesOfOneBox) {
  // The middle box holds 1 to 9: quartiles 3, 5 and 7.
  const NoiseMaps maps = noise(testing::short_view(nine()), by_reference({3, 3}));
  EXPECT_EQ(maps.background.as<double>().at(1, 1), 5);
  EXPECT_EQ(maps.rms.as<double>().at(1, 1), 4 / 1.34896);
  // The corner's box holds 1 2 4 5, 4 pixels of it inside: h = 0.75, 1.5, 2.25.
  EXPECT_EQ(maps.background.as<double>().at(0, 0), 3);
  EXPECT_EQ(maps.rms.as<double>().at(0, 0), (4.25 - 1.75) / 1.34896);
  NoiseOptions normal = by_reference({3, 3});
  normal.normal = true;
  EXPECT_EQ(testing::short_view(noise(testing::short_view(nine()), normal).rms)
                .as<const double>()
                .at(1, 1),
            4 / 1.3489795);
}

TEST(NoiseReference, EvenBoxesHaveTheirExtraPixelOnTheLowSide) {
  // Four columns about column 2: 0 to 3.
  const Image in = image_of({6, 1}, {0, 1, 2, 3, 4, 100});
  NoiseOptions options = by_reference({4, 3});
  options.quantiles = {{0, 1}};
  const Image maps = noise_quantiles(in.view(), options);
  EXPECT_EQ(samples_of(maps), (Samples{0, 0, 0, 1, 2, 3, 1, 2, 3, 4, 100, 100}));
}

TEST(NoiseReference, EveryBorderByHand) {
  const Image in = image_of({4, 1}, {4, 2, 7, 9});
  const auto lowest = [&](Border border) {
    NoiseOptions options = by_reference({3, 3});
    options.border = border;
    options.quantiles = {{0.5}};
    return samples_of(noise_quantiles(in.view(), options));
  };
  EXPECT_EQ(lowest(Border::inside), (Samples{3, 4, 7, 8}));
  EXPECT_EQ(lowest(Border::replicate), (Samples{4, 4, 7, 9}));
  EXPECT_EQ(lowest(Border::reflect), (Samples{4, 4, 7, 9}));
  EXPECT_EQ(lowest(Border::reflect_101), (Samples{2, 4, 7, 7}));
}

TEST(NoiseReference, BlanksDoNotCountAndStayBlank) {
  const Image in = image_of({3, 3}, {1, kNan, 3, kInfinity, 5, 6, 7, -kInfinity, 0});
  NoiseOptions options = by_reference({5, 5});
  EXPECT_TRUE(std::isnan(
      testing::short_view(noise(in.view(), options).background).as<const double>().at(1, 1)))
      << "6 of 9 are valid, 8 are wanted";
  options.border = Border::replicate;
  const NoiseMaps maps = noise(in.view(), options);
  EXPECT_TRUE(std::isnan(maps.background.as<double>().at(0, 1)));
  EXPECT_FALSE(std::isnan(maps.background.as<double>().at(1, 1)));
  options.nomask = true;
  EXPECT_FALSE(std::isnan(
      testing::short_view(noise(in.view(), options).background).as<const double>().at(0, 1)));
  options.nomask = false;
  options.zero_is_blank = true;
  EXPECT_TRUE(
      std::isnan(testing::short_view(noise(in.view(), options).rms).as<const double>().at(2, 2)));
}

TEST(NoiseReference, OtherEstimators) {
  const auto middle = [](const Image& in, NoiseEstimator estimator) {
    NoiseOptions options = by_reference({3, 3});
    options.estimator = estimator;
    const NoiseMaps maps = noise(in.view(), options);
    return Samples{maps.background.as<double>().at(1, 1), maps.rms.as<double>().at(1, 1)};
  };
  // Distances from 5: 0 1 1 2 2 3 3 4 4.
  EXPECT_EQ(middle(nine(), NoiseEstimator::mad), (Samples{5, 1.4826 * 2}));
  // Nothing lies 3 deviations away: mean 5, variance 60 / 9.
  EXPECT_EQ(middle(nine(), NoiseEstimator::clip), (Samples{5, std::sqrt(60 / 9.0)}));
  EXPECT_EQ(middle(nine(), NoiseEstimator::mode), (Samples{5, std::sqrt(60 / 9.0)}));
}

TEST(NoiseReference, ClippingTakesSourcesOut) {
  // 24 values of +-1 about 10 and one of 1000: mean 49.6, deviation 194; 1000 goes, and the rest
  // has mean 10 and deviation 1.
  Samples samples(25, 9);
  for (std::size_t k = 0; k < 24; k += 2) samples[k] = 11;
  samples[24] = 1000;
  const Image in = image_of({5, 5}, samples);
  NoiseOptions options = by_reference({5, 5});
  options.estimator = NoiseEstimator::clip;
  const NoiseMaps clipped = noise(in.view(), options);
  EXPECT_EQ(clipped.background.as<double>().at(2, 2), 10);
  EXPECT_EQ(clipped.rms.as<double>().at(2, 2), 1);
  options.estimator = NoiseEstimator::mode;
  EXPECT_EQ(testing::short_view(noise(in.view(), options).background).as<const double>().at(2, 2),
            10);
}

TEST(NoiseReference, BinsByHand) {
  // 0 to 80: median 40, quartiles 20 and 60, so s = 40 / 1.34896 and 8 bins over 12 s are each
  // 1.5 s = 44.48 wide from 40 - 6 s = -137.92 on. Bin 3 holds 0 to 39, bin 4 the rest; the
  // median, 40, has h = 40, 40 values before it and 41 in its bin.
  Samples samples(81);
  for (std::size_t k = 0; k < samples.size(); ++k) samples[k] = static_cast<double>(k * 37 % 81);
  const Image in = image_of({9, 9}, samples);
  NoiseOptions options{.box = {17, 17}, .mode = NoiseMode::binned, .bins = 8};
  options.method = "reference";
  const double s = 40 / 1.34896;
  const NoiseMaps maps = noise(in.view(), options);
  EXPECT_DOUBLE_EQ(maps.background.as<double>().at(4, 4), 40 - 6 * s + 1.5 * s * (4 + 0.5 / 41));
  EXPECT_DOUBLE_EQ(maps.rms.as<double>().at(4, 4),
                   1.5 * s * (4 + 20.5 / 41 - 3 - 20.5 / 40) / 1.34896);
}

TEST(NoiseReference, PercentilesByScipysRule) {
  const Image in = image_of({5, 1}, {5, 1, 4, 2, 3});
  const auto filtered = [&](double percentile, Border border) {
    return samples_of(percentile_filter(
        in.view(), percentile,
        {.box = {3, 1}, .border = border, .constant = -1, .method = "reference"}));
  };
  EXPECT_EQ(filtered(50, Border::reflect), (Samples{5, 4, 2, 3, 3}));
  EXPECT_EQ(filtered(0, Border::reflect), (Samples{1, 1, 1, 2, 2}));
  EXPECT_EQ(filtered(100, Border::wrap), (Samples{5, 5, 4, 4, 5}));
  EXPECT_EQ(filtered(-34, Border::constant), (Samples{1, 4, 2, 3, 2}));
  EXPECT_EQ(filtered(0, Border::constant), (Samples{-1, 1, 1, 2, -1}));
}

TEST(NoiseFill, TheNearestValueFirstRowByRow) {
  Image map = image_of({4, 3}, {kNan, kNan, 2, kNan, kNan, kNan, kNan, kNan, 1, kNan, kNan, kNan});
  fill_from_nearest(map.view());
  EXPECT_EQ(samples_of(map), (Samples{2, 2, 2, 2, 1, 2, 2, 2, 1, 1, 2, 2}));
}

/// Every hole against every value.
Samples filled_by_search(const Image& map, const std::vector<int>& columns,
                         const std::vector<int>& rows) {
  const Size size = map.info().size;
  Samples filled;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      double best = kNan, least = kInfinity;
      for (int j = 0; j < size.height; ++j)
        for (int i = 0; i < size.width; ++i) {
          const double distance = std::hypot(columns[x] - columns[i], rows[y] - rows[j]);
          if (std::isnan(map.as<double>().at(i, j)) || distance >= least) continue;
          least = distance;
          best = map.as<double>().at(i, j);
        }
      filled.push_back(best);
    }
  return filled;
}

TEST(NoiseFill, IsTheNearestOfAll) {
  std::mt19937 random(5);
  const auto draw = [&](unsigned sides) { return static_cast<int>(random() % sides); };
  for (int k = 0; k < 60; ++k) {
    Image map({1 + k % 23, 1 + k % 17}, Type::f64);
    const Size size = map.info().size;
    for (int p = 0; p < size.width * size.height; ++p)
      map.as<double>().data[p] = draw(19) <= k % 3 ? p : kNan;
    map.as<double>().data[0] = 0;
    std::vector<int> columns{0}, rows{0};
    while (std::ssize(columns) < size.width) columns.push_back(columns.back() + 1 + draw(2));
    while (std::ssize(rows) < size.height) rows.push_back(rows.back() + 1 + draw(3));
    const Samples truth = filled_by_search(map, columns, rows);
    fill_from_nearest(map.view(), columns, rows, 2);
    EXPECT_EQ(samples_of(map), truth) << k;
  }
}

TEST(SignalToNoise, IsNanWithoutNoise) {
  const Image in = image_of({4, 1}, {5, 6, kNan, 8}), background = image_of({4, 1}, {1, 1, 1, 2});
  const Image rms = image_of({4, 1}, {2, 0, 1, 4});
  Image out({4, 1}, Type::f64);
  signal_to_noise(in.view(), background.view(), rms.view(), out.view());
  EXPECT_EQ(out.as<double>().at(0, 0), 2);
  EXPECT_TRUE(std::isnan(out.as<double>().at(1, 0)));
  EXPECT_TRUE(std::isnan(out.as<double>().at(2, 0)));
  EXPECT_EQ(out.as<double>().at(3, 0), 1.5);
}

// Maps that are filled, or made without a mask, have values where the image has none.
TEST(SignalToNoise, BlankPixelsHaveNone) {
  const Image in = image_of({4, 1}, {kInfinity, 0, -0.0, 5});
  const Image background = image_of({4, 1}, {1, 1, 1, 1}), rms = image_of({4, 1}, {2, 2, 2, 2});
  Image out({4, 1}, Type::f64);
  signal_to_noise(in.view(), background.view(), rms.view(), out.view());
  EXPECT_TRUE(std::isnan(out.as<double>().at(0, 0)));
  EXPECT_EQ(out.as<double>().at(1, 0), -0.5);
  signal_to_noise(in.view(), background.view(), rms.view(), out.view(), true);
  for (int x = 0; x < 3; ++x) EXPECT_TRUE(std::isnan(out.as<double>().at(x, 0))) << x;
  EXPECT_EQ(out.as<double>().at(3, 0), 2);
}

}  // namespace
}  // namespace tessera
