// SPDX-License-Identifier: Apache-2.0
// Sources by hand, the bits, odd images, bad calls.
#include "tessera/sources.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tessera/error.hpp"
#include "tessera/image.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::ForcedIsa;
using testing::Way;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

Image filled_image(const Size& size, Type type, double value) {
  Image image(size, type);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (type == Type::f32)
        image.as<float>().at(x, y) = static_cast<float>(value);
      else
        image.as<double>().at(x, y) = value;
    }
  return image;
}

struct TrueSource {
  double x, y, peak;
  SourceShape shape;
};

/// Noise of standard deviation 1, and sources.
Image field_with(const Size& size, const std::vector<TrueSource>& sources, unsigned seed,
                 double noise = 1) {
  Image image(size, Type::f64);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) image.as<double>().at(x, y) = noise * normal(random);
  for (const TrueSource& s : sources) {
    const int reach = static_cast<int>(4 * s.shape.major), left = static_cast<int>(s.x) - reach,
              top = static_cast<int>(s.y) - reach;
    for (int y = std::max(0, top); y < std::min(size.height, top + 2 * reach + 1); ++y)
      for (int x = std::max(0, left); x < std::min(size.width, left + 2 * reach + 1); ++x) {
        const double angle = s.shape.angle * std::acos(-1) / 180, dx = x - s.x, dy = y - s.y;
        const double u = (-dx * std::sin(angle) + dy * std::cos(angle)) / s.shape.major,
                     v = (dx * std::cos(angle) + dy * std::sin(angle)) / s.shape.minor;
        image.as<double>().at(x, y) += s.peak * std::exp2(-4 * (u * u + v * v));
      }
  }
  return image;
}

SourceList list_of(const Image& image, const SourcesOptions& options = {},
                   const SourcesScale& scale = {}, double rms = 1) {
  const Size size = image.info().size;
  const Image zero = filled_image(size, Type::f64, 0), noise = filled_image(size, Type::f64, rms);
  return sources(image.view(), zero.view(), noise.view(), options, scale);
}

TEST(SourcesByHand, AGaussianWithoutNoiseIsFoundExactly) {
  const Image image = field_with({60, 50}, {{23.3, 30.7, 1000, {6, 4, 30}}}, 1, 0);
  const SourceList list =
      list_of(image, {.correlation = SourceNoise::white}, {.beam = SourceShape{5, 4, 30}});
  ASSERT_EQ(list.sources.size(), 1U);
  const Source& s = list.sources[0];
  EXPECT_NEAR(s.x, 23.3, 1e-6);
  EXPECT_NEAR(s.y, 30.7, 1e-6);
  EXPECT_NEAR(s.peak, 1000, 1e-3);
  EXPECT_NEAR(s.flux, 1000 * 6 * 4 / (5.0 * 4), 1e-3);
  EXPECT_NEAR(s.shape.major, 6, 1e-5);
  EXPECT_NEAR(s.shape.minor, 4, 1e-5);
  EXPECT_NEAR(s.shape.angle, 30, 1e-4);
  EXPECT_EQ(s.flags, 0);
  EXPECT_EQ(s.x_max, 23);
  EXPECT_EQ(s.y_max, 31);
  EXPECT_LT(s.sum, s.flux) << "what lies below the threshold is not in the sum";
  EXPECT_GT(s.sum, 0.99 * s.flux);
  // Theory of least squares for a Gaussian in white noise: A / sqrt(pi s1 s2 / 2), Condon (1997).
  const double s1 = 6 / 2.3548, s2 = 4 / 2.3548;
  EXPECT_NEAR(s.peak_err, std::sqrt(2 / (std::acos(-1) * s1 * s2)), 0.02 * s.peak_err);
  const double along = s1 * s.peak_err / 1000, across = s2 * s.peak_err / 1000;
  EXPECT_NEAR(s.y_err, std::hypot(along * std::cos(std::acos(-1) / 6), across / 2), 0.02 * s.y_err);
}

TEST(SourcesByHand, IslandsTouchAtCornersAndNeedASeed) {
  Image image = filled_image({9, 7}, Type::f32, 0);
  const View<float> v = image.as<float>();
  v.at(1, 1) = 6, v.at(2, 2) = 4, v.at(3, 3) = 4.5F;  // one island over corners
  v.at(6, 1) = 4.9F;                                  // without a seed
  v.at(8, 6) = 5;                                     // one pixel in a corner of the image
  const SourceList list = list_of(image, {.rise = 100});
  ASSERT_EQ(list.sources.size(), 2U);
  EXPECT_EQ(list.sources[0].pixels, 3);
  EXPECT_EQ(list.sources[0].island, 1);
  EXPECT_NEAR(list.sources[0].sum, 14.5, 1e-12);
  EXPECT_EQ(list.sources[1].pixels, 1);
  EXPECT_TRUE(list.sources[1].flags & SourceFlags::edge);
  EXPECT_EQ(list_of(image, {.min_pixels = 2}).sources.size(), 1U);
}

TEST(SourcesByHand, TwoSourcesWithASaddleAreTwo) {
  const std::vector<TrueSource> two{{30, 30, 40, {5, 5, 0}}, {37, 30, 30, {5, 5, 0}}};
  const SourceList list = list_of(field_with({64, 64}, two, 3), {}, {.beam = SourceShape{5, 5, 0}});
  ASSERT_EQ(list.sources.size(), 2U);
  EXPECT_EQ(list.islands, 1);
  for (std::size_t k = 0; k < 2; ++k) {
    const Source& s = list.sources[k];
    EXPECT_TRUE(s.flags & SourceFlags::blend);
    EXPECT_LT(std::abs(s.flux - two[k].peak), 4 * s.flux_err);
    EXPECT_LT(std::abs(s.x - two[k].x), 4 * s.x_err);
  }
  EXPECT_EQ(list_of(field_with({64, 64}, two, 3), {.rise = 1000}).sources.size(), 1U);
}

TEST(SourcesByHand, NegativeSourcesOnlyOnRequest) {
  Image image = field_with({64, 64}, {{30, 30, -40, {5, 5, 0}}}, 4);
  EXPECT_EQ(list_of(image).sources.size(), 0U);
  const SourceList list = list_of(image, {.negative = true});
  ASSERT_EQ(list.sources.size(), 1U);
  EXPECT_TRUE(list.sources[0].flags & SourceFlags::negative);
  EXPECT_LT(std::abs(list.sources[0].peak + 40), 5 * list.sources[0].peak_err);
  EXPECT_LT(list.sources[0].flux, 0);
}

TEST(SourcesByHand, BlankPixelsNextToAnIslandAreFlagged) {
  Image image = field_with({64, 64}, {{30, 30, 40, {5, 5, 0}}}, 4);
  image.as<double>().at(32, 30) = kNaN;
  const SourceList list = list_of(image);
  ASSERT_EQ(list.sources.size(), 1U);
  EXPECT_TRUE(list.sources[0].flags & SourceFlags::blank);
  EXPECT_EQ(list.blank, 1);
  EXPECT_LT(std::abs(list.sources[0].peak - 40), 5 * list.sources[0].peak_err);
}

TEST(SourcesByHand, PullsHaveUnitWidth) {
  std::vector<TrueSource> truth;
  for (int k = 0; k < 400; ++k)
    truth.push_back({30 + 40.0 * (k % 20) + 0.37 * (k % 7),
                     30 + 40.0 * std::floor(k / 20.0) + 0.21 * (k % 5),
                     8.0 + k % 50,
                     {5, 4, 30}});
  for (const bool smooth : {false, true}) {
    // Noise smoothed by hand with a kernel of 3 by 3 equal weights.
    Image noise = field_with({822, 822}, {}, 7, 1);
    Image image = field_with({820, 820}, truth, 7, 0);
    for (int y = 0; y < 820; ++y)
      for (int x = 0; x < 820; ++x) {
        double sum = noise.as<double>().at(x + 1, y + 1);
        if (smooth) {
          sum = 0;
          for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) sum += noise.as<double>().at(x + i, y + j) / 3;
        }
        image.as<double>().at(x, y) += sum;
      }
    const SourceList list = list_of(image, {}, {.beam = SourceShape{5, 4, 30}});
    EXPECT_NEAR(list.noise_pixels, smooth ? 9 : 1, smooth ? 1 : 0.1);
    ASSERT_EQ(list.sources.size(), truth.size());
    double flux = 0, flux2 = 0, place2 = 0;
    for (const Source& s : list.sources) {
      const auto is_near = [&](const TrueSource& t) {
        return std::hypot(s.x - t.x, s.y - t.y) < 4;
      };
      const auto found = std::ranges::find_if(truth, is_near);
      ASSERT_NE(found, truth.end());
      const double pull = (s.flux - found->peak) / s.flux_err;
      flux += pull;
      flux2 += pull * pull;
      place2 += std::pow((s.x - found->x) / s.x_err, 2) + std::pow((s.y - found->y) / s.y_err, 2);
    }
    EXPECT_LT(std::abs(flux / 400), smooth ? 0.45 : 0.2);  // faint sources in smooth noise: +0.2
    EXPECT_NEAR(std::sqrt(flux2 / 400), 1, 0.15);
    EXPECT_NEAR(std::sqrt(place2 / 800), 1, 0.1);
  }
}

/// All numbers of a list in turn.
std::vector<double> numbers_of(const SourceList& list) {
  std::vector<double> all{static_cast<double>(list.islands), static_cast<double>(list.valid),
                          list.noise_pixels};
  for (const Source& s : list.sources)
    for (const double value : {static_cast<double>(s.id),
                               static_cast<double>(s.island),
                               s.x,
                               s.y,
                               s.x_err,
                               s.y_err,
                               s.peak,
                               s.peak_err,
                               s.flux,
                               s.flux_err,
                               s.sum,
                               s.sum_err,
                               s.background,
                               s.rms,
                               s.snr,
                               s.a,
                               s.b,
                               s.theta,
                               s.shape.major,
                               s.shape.minor,
                               s.shape.angle,
                               s.shape_err.major,
                               s.chi2,
                               static_cast<double>(s.flags),
                               static_cast<double>(s.pixels)})
      all.push_back(value);
  return all;
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(SourcesBits, AreTheSameForAnyThreadsStripsAndWays) {
  std::vector<TrueSource> truth;
  for (int k = 0; k < 60; ++k)
    truth.push_back({(k * 37) % 190 + 0.3,
                     (k * 53) % 230 + 0.1,
                     10.0 + 7 * k,
                     {4.0 + k % 9, 3.0 + k % 2, 20.0 * (k % 9) - 80}});
  Image image = field_with({190, 230}, truth, 5);
  for (int x = 50; x < 60; ++x) image.as<double>().at(x, 100) = kNaN;
  const Image zero = filled_image({190, 230}, Type::f64, 0),
              one = filled_image({190, 230}, Type::f64, 1);
  const SourcesScale scale{SourceShape{4, 3, 0}, 4096};
  const SourcesOptions options{.negative = true};
  const std::vector<double> wanted = numbers_of(sources(
      image.view(), zero.view(), one.view(), {.negative = true, .method = "reference"}, scale));
  EXPECT_GT(wanted.size(), 1000U);
  for (const Way& way : all_ways())
    for (const int threads : {1, 2, 5})
      for (const int step : {1, 2, 7, 64, 230}) {
        const ForcedIsa forced(way.isa);
        SourcesOptions own = options;
        own.backend = way.backend;
        const Sources plan(image.info(), own, scale);
        Stream stream(kHost, threads);
        SourceScan scan = plan.begin();
        for (int row = 0; row < 230; row += step) {
          const int count = std::min(step, 230 - row);
          plan.add(scan, AnyView(image.view()).rows(row, count),
                   AnyView(zero.view()).rows(row, count), AnyView(one.view()).rows(row, count),
                   stream);
        }
        EXPECT_TRUE(same_bytes(numbers_of(plan.finish(scan, stream)), wanted))
            << way.name() << ' ' << threads << ' ' << step;
      }
}

TEST(SourcesOdd, ImagesWithoutSources) {
  for (const Size size : {Size{0, 0}, Size{0, 5}, Size{5, 0}, Size{1, 1}, Size{1, 40}, Size{40, 1}})
    EXPECT_TRUE(list_of(filled_image(size, Type::f64, 0)).sources.empty());
  EXPECT_TRUE(list_of(filled_image({30, 30}, Type::f64, kNaN)).sources.empty());
  EXPECT_EQ(list_of(filled_image({30, 30}, Type::f64, kNaN)).blank, 900);
  EXPECT_TRUE(list_of(filled_image({30, 30}, Type::f64, kInfinity)).sources.empty());
  EXPECT_TRUE(list_of(filled_image({30, 30}, Type::f64, 100), {}, {}, 0).sources.empty());
  EXPECT_TRUE(list_of(filled_image({30, 30}, Type::f64, 100), {}, {}, kNaN).sources.empty());
}

TEST(SourcesOdd, AnImageThatIsOneIsland) {
  const SourceList list = list_of(filled_image({30, 20}, Type::f64, 100));
  ASSERT_EQ(list.sources.size(), 1U);
  EXPECT_EQ(list.sources[0].pixels, 600);
  EXPECT_TRUE(list.sources[0].flags & SourceFlags::edge);
  EXPECT_FALSE(list.noise_is_known);
  EXPECT_TRUE(std::isfinite(list.sources[0].flux));
  const SourceList pixel = list_of(filled_image({1, 1}, Type::f64, 100));
  ASSERT_EQ(pixel.sources.size(), 1U);
  EXPECT_TRUE(pixel.sources[0].flags & SourceFlags::no_fit);
  EXPECT_EQ(pixel.sources[0].flux, 100);
}

TEST(SourcesOdd, ScalesWithTheUnit) {
  const std::vector<TrueSource> truth{{30, 31, 50, {5, 4, 10}}, {90, 60, 2e5, {5, 4, 10}}};
  const Image image = field_with({128, 100}, truth, 6);
  const SourceList wanted = list_of(image);
  ASSERT_EQ(wanted.sources.size(), 2U);
  for (const double unit : {0x1p-100, 0x1p100, 0x1p300}) {
    Image scaled(image.info());
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 128; ++x)
        scaled.as<double>().at(x, y) = unit * image.as<double>().at(x, y);
    const SourceList found = list_of(scaled, {}, {}, unit);
    ASSERT_EQ(found.sources.size(), wanted.sources.size()) << unit;
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(found.sources[k].flux / unit, wanted.sources[k].flux,
                  1e-6 * wanted.sources[k].flux);
      EXPECT_NEAR(found.sources[k].flux_err / unit, wanted.sources[k].flux_err,
                  1e-6 * wanted.sources[k].flux_err);
    }
  }
}

TEST(SourcesErrors, BadCallsAreRefused) {
  const ImageInfo info{{8, 6}, Type::f32};
  const Image image(info), wide({9, 6}, Type::f32), bytes({8, 6}, Type::u8);
  const Sources plan(info, {.backend = Backend::cpu});
  Stream stream;
  testing::expect_refused({
      {[&] {
         Sources({{8, 6, 3}, Type::u8});
       },
       "sources: the image is 8x6x3 u8; sources are those of one channel and one plane"},
      {[&] { Sources(info, {.seed = 3, .grow = 4}); },
       "sources: grow is 4 and seed 3; islands grow down from their seeds: give grow at most the "
       "seed"},
      {[&] {
         Sources(info, {}, {.beam = SourceShape{4, 5, 0}});
       },
       "sources: the beam is 4 by 5 pixels at 0 degrees; 0 < minor <= major <= 512 and a finite "
       "angle would be right"},
      {[&] { Sources(info, {}, {.background_pixels = -1}); },
       "sources: background_pixels is -1; it can be 0 or more"},
      {[&] { sources(image.view(), wide.view(), image.view()); },
       "sources: the map background is 9x6, but the image 8x6; give one plane of the same size in "
       "host memory"},
      {[&] { sources(image.view(), image.view(), bytes.view()); },
       "sources: the map rms is u8; it can be f32 or f64"},
      {[&] {
         SourceScan scan = plan.begin();
         plan.finish(scan, stream);
       },
       "sources: 0 of 6 rows were given; give all before finish"},
      {[&] {
         SourceScan scan;
         plan.add(scan, image.view(), image.view(), image.view(), stream);
       },
       "sources: the state is used up; begin() makes a new one"},
      {[&] {
         SourceScan scan = plan.begin();
         for (int k = 0; k < 2; ++k)
           plan.add(scan, image.view(), image.view(), image.view(), stream);
       },
       "sources: rows 6 to 12 are given, but the image has 6"},
  });
}

}  // namespace
}  // namespace tessera
