// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, and every method against the reference.
#include "tessera/match_template.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/sweep.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::ForcedIsa;
using testing::Guarded;
using testing::random_image;
using testing::short_view;

constexpr double kBound = 2e-6;  // of the header
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Image image_of(Size size, const std::vector<double>& values) {
  Image image(size, Type::f64);
  std::copy(values.begin(), values.end(), image.as<double>().data);
  return image;
}

MatchOptions reference() {
  return {.output_type = Type::f64, .backend = Backend::cpu, .method = "reference"};
}

std::vector<double> values_of(const Image& map) {
  std::vector<double> values;
  for (int p = 0; p < map.info().size.planes; ++p)
    for (int y = 0; y < map.info().size.height; ++y)
      for (int x = 0; x < map.info().size.width; ++x)
        values.push_back(map.info().type == Type::f32 ? map.as<float>().at(x, y, 0, p)
                                                      : map.as<double>().at(x, y, 0, p));
  return values;
}

void expect_near(const Image& map, const std::vector<double>& expected, double bound) {
  const std::vector<double> found = values_of(map);
  ASSERT_EQ(found.size(), expected.size());
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= worst))
      worst = std::abs(found[i] - expected[i]), where = i;
  EXPECT_LE(worst, bound) << "at " << where << ": " << found[where] << ", not " << expected[where];
}

TEST(MatchReference, ByHand) {
  // Windows of 1 2 4 3: 1 2, 2 4 and 4 3; the template rises, so r is 1, 1 and -1.
  const Image line = image_of({4, 1}, {1, 2, 4, 3}), rise = image_of({2, 1}, {10, 11});
  expect_near(match_template(line.view(), rise.view(), reference()), {1, 1, -1}, 1e-15);
  // 0 1 0 deviates by -1 2 -1 thirds; 1 2 4 by -4 -1 5 thirds, 2 4 3 by -1 1 0, 4 3 5 by 0 -1 1.
  const Image five = image_of({5, 1}, {1, 2, 4, 3, 5}), hill = image_of({3, 1}, {0, 1, 0});
  expect_near(match_template(five.view(), hill.view(), reference()),
              {-3 / std::sqrt(6 * 42), std::sqrt(3) / 2, -std::sqrt(3) / 2}, 1e-15);
}

TEST(MatchReference, BordersAndCentres) {
  const Image line = image_of({3, 1}, {1, 2, 4}), rise = image_of({2, 1}, {0, 1});
  MatchOptions options = reference();
  const auto with = [&](Border border, double constant) {
    options.border = border;
    options.constant = constant;
    return match_template(line.view(), rise.view(), options);
  };
  // The centre of two columns is the second: pixel 0 sees one column outside.
  expect_near(with(Border::constant, 5), {-1, 1, 1}, 1e-15);
  expect_near(with(Border::replicate, 0), {0, 1, 1}, 1e-15);
  expect_near(with(Border::wrap, 0), {-1, 1, 1}, 1e-15);
  expect_near(with(Border::reflect_101, 0), {-1, 1, 1}, 1e-15);
  expect_near(with(Border::inside, 0), {0, 1, 1}, 1e-15);
  EXPECT_EQ(MatchTemplate(line.info(), rise.view(), options).first_place(), (Point{-1, 0}));
}

TEST(MatchReference, PixelsThatDoNotCount) {
  // Without its second pixel the template is 0 1, and the image's windows are 1 4, 2 3.
  const Image line = image_of({4, 1}, {1, 2, 4, 3});
  const Image holed = image_of({3, 1}, {0, kNan, 1}), masked = image_of({3, 1}, {0, 7, 1});
  expect_near(match_template(line.view(), holed.view(), reference()), {1, 1}, 1e-15);
  const Image mask = image_of({3, 1}, {1, 0, 2});
  expect_near(match_template(line.view(), masked.view(), mask.view(), reference()), {1, 1}, 1e-15);
  // A NaN of the image leaves 0 7 of the template: 1 2 rises. Two of three pixels count.
  const Image gap = image_of({4, 1}, {1, 2, kNan, 3});
  expect_near(match_template(gap.view(), masked.view(), reference()), {1, 1}, 1e-15);
  MatchOptions most = reference();
  most.overlap = 0.7;
  expect_near(match_template(gap.view(), masked.view(), most), {0, 0}, 0);
}

TEST(MatchReference, ChannelsCountTogether) {
  const Image pixels = image_of({2, 1, 2}, {1, 5, 2, 3}), one = image_of({1, 1, 2}, {1, 2});
  expect_near(match_template(pixels.view(), one.view(), reference()), {1, 1}, 1e-15);
}

TEST(MatchReference, NothingVaries) {
  const Image flat = image_of({3, 1}, {0.1, 0.1, 0.1}), rise = image_of({2, 1}, {0, 1});
  const Image pixel = image_of({1, 1}, {3});
  expect_near(match_template(flat.view(), rise.view(), reference()), {0, 0}, 0);
  expect_near(match_template(rise.view(), pixel.view(), reference()), {0, 0}, 0);
}

struct MatchCase {
  Image image, pattern;
  MatchOptions options;
};

/// Every method on every SIMD target against the reference, in a guarded output.
void compare(const MatchCase& one) {
  MatchOptions truth = one.options;
  truth.method = "reference";
  truth.output_type = Type::f64;
  const std::vector<double> expected =
      values_of(match_template(one.image.view(), one.pattern.view(), truth));
  for (const std::string& isa : isa_names())
    for (const char* method : {"direct", "fft", "auto"}) {
      const ForcedIsa forced(isa);
      MatchOptions options = one.options;
      options.method = method;
      const MatchTemplate plan(one.image.info(), one.pattern.view(), options);
      SCOPED_TRACE(plan.describe());
      const Guarded out(plan.output().size, plan.output().type);
      plan(one.image.view(), out.view());
      EXPECT_TRUE(out.untouched_outside());
      expect_near(copy(out.view()), expected, kBound);
    }
}

/// `image` with values v becoming scale v + offset.
Image with_values(Image image, double scale, double offset) {
  const Size size = image.info().size;
  double* const first = image.as<double>().data;
  for (long long i = 0; i < size.samples(); ++i) first[i] = scale * first[i] + offset;
  return image;
}

TEST(Match, EveryMethodAgreesWithTheReference) {
  const std::vector<Size> sizes{{40, 30}, {97, 41, 3}, {33, 300}, {300, 20, 1, 2}, {20, 20, 4}};
  const std::vector<Size> templates{{1, 1}, {7, 5}, {20, 20}, {8, 16}, {1, 9}, {13, 1}, {2, 3}};
  const std::vector<Type> types{Type::u8, Type::u16, Type::f32, Type::f64};
  const std::vector<Border> borders{Border::valid,   Border::constant,    Border::replicate,
                                    Border::reflect, Border::reflect_101, Border::wrap,
                                    Border::inside};
  unsigned seed = 1;
  testing::for_cases(
      2,
      [&](Size size, Size shape, Type type, Type other, Border border) {
        shape.channels = size.channels;
        MatchOptions options{.border = border, .constant = 20};
        if (seed % 2) options.output_type = Type::f64;
        compare({random_image(size, type, seed), random_image(shape, other, seed + 100), options});
        ++seed;
      },
      sizes, templates, types, types, borders);
}

TEST(Match, BrightImagesKeepTheirContrast) {
  const Image noise = random_image({80, 70}, Type::f64, 3);
  const Image pattern = random_image({9, 8}, Type::f64, 4);
  for (const double offset : {1e6, -1e9, 1e12})
    compare({with_values(copy(noise.view()), 1, offset), copy(pattern.view()), {}});
  compare({copy(noise.view()), with_values(copy(pattern.view()), 1e-3, 1e6), {}});
  // One half is bright: no offset is right for all windows.
  Image halves = copy(noise.view());
  for (int y = 0; y < 70; ++y)
    for (int x = 40; x < 80; ++x) halves.as<double>().at(x, y) += 1e9;
  compare({copy(halves.view()), copy(pattern.view()), {}});
  halves.as<double>().at(20, 20) = 1e15;
  compare({copy(halves.view()), copy(pattern.view()), {.border = Border::inside}});
}

TEST(Match, FlatPartsAreZero) {
  Image image = random_image({90, 60}, Type::f64, 5);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x) image.as<double>().at(x, y) = 0.1;
  const Image pattern = random_image({6, 6}, Type::f32, 6);
  compare({copy(image.view()), copy(pattern.view()), {}});
  const Image map = match_template(image.view(), pattern.view());
  for (int y = 0; y <= 34; ++y)
    for (int x = 0; x <= 44; ++x) ASSERT_EQ(map.as<float>().at(x, y), 0) << x << ", " << y;
  compare({with_values(copy(image.view()), 0, 0.3), copy(pattern.view()), {}});
  compare({copy(image.view()), with_values(random_image({5, 5}, Type::f64, 1), 0, 0.7), {}});
}

TEST(Match, NanAndInfinityDoNotCount) {
  for (const Size size : {Size{70, 50}, Size{40, 30, 2}}) {
    Image image = random_image(size, Type::f32, 7), pattern = random_image(size, Type::f32, 8);
    pattern = copy(pattern.view().region(3, 3, 11, 9));
    image.as<float>().at(13, 11) = NAN;
    image.as<float>().at(14, 11, size.channels - 1) = INFINITY;
    for (int y = 20; y < 30; ++y)
      for (int x = 0; x < 20; ++x) image.as<float>().at(x, y) = NAN;
    compare({copy(image.view()), copy(pattern.view()), {}});
    compare({copy(image.view()), copy(pattern.view()), {.border = Border::wrap, .overlap = 0.8}});
    pattern.as<float>().at(2, 2) = NAN;
    compare({random_image(size, Type::u16, 9), copy(pattern.view()), {}});
    compare({std::move(image), std::move(pattern), {.overlap = 0}});
  }
  Image nothing({12, 12}, Type::f32);
  for (int i = 0; i < 144; ++i) nothing.as<float>().data[i] = NAN;
  compare({std::move(nothing), random_image({3, 3}, Type::u8, 1), {.overlap = 0}});
}

TEST(Match, StepsStripsAndThreadsChangeNoBit) {
  const Image whole = random_image({150, 1400}, Type::u16, 11);
  const AnyView image = testing::every_second_upwards(whole.view(), {75, 700});
  const Image pattern = random_image({9, 7}, Type::u8, 12);
  for (const Border border : {Border::valid, Border::reflect, Border::inside}) {
    const MatchTemplate plan(image.info(), pattern.view(), {.border = border});
    EXPECT_GT(plan.output().size.height, plan.row_step());  // several groups
    Image map(plan.output()), packed_map(plan.output()), pieces(plan.output());
    plan(image, map.view());
    plan(short_view(copy(image)), packed_map.view());
    EXPECT_TRUE(testing::same_samples(map.view(), packed_map.view()));
    Stream stream(kHost, 3);
    for (const Rows rows : {Rows{0, 100}, Rows{100, 300}, Rows{300, plan.output().size.height}}) {
      const Rows needs =
          plan.needs({rows.first / plan.row_step() * plan.row_step(),
                      std::min(plan.output().size.height,
                               ((rows.end - 1) / plan.row_step() + 1) * plan.row_step())});
      const int first = std::max(0, needs.first), end = std::min(700, needs.end);
      plan(Piece{image.rows(first, end - first), first},
           MutablePiece{pieces.view().rows(rows.first, rows.count()), rows.first}, stream);
    }
    stream.wait();
    EXPECT_TRUE(testing::same_samples(map.view(), pieces.view()));
  }
}

TEST(Match, FindsWhereTheTemplateWasCut) {
  const Image image = random_image({200, 150, 3}, Type::u8, 13);
  const Image pattern = copy(image.view().region(120, 31, 24, 18));
  const Image map = match_template(image.view(), pattern.view());
  const std::vector<MatchPeak> peaks = match_peaks(map.view(), {.count = 3, .distance = 10});
  ASSERT_EQ(peaks.size(), 3U);
  EXPECT_EQ(peaks[0].x, 120);
  EXPECT_EQ(peaks[0].y, 31);
  EXPECT_NEAR(peaks[0].value, 1, kBound);
  EXPECT_LT(peaks[1].value, 0.3);
}

TEST(MatchPeaks, ByHand) {
  const Image map = image_of({5, 2}, {0.5, 0.4, 0.2, 0.9, 0.9,  //
                                      0.1, 0.3, kNan, 0.1, 0.2});
  const auto found = [&](const PeakOptions& options) {
    std::vector<MatchPeak> peaks = match_peaks(map.view(), options);
    std::vector<Point> places;
    for (const MatchPeak& peak : peaks) places.push_back({peak.x, peak.y});
    return places;
  };
  using Places = std::vector<Point>;
  EXPECT_EQ(found({}), (Places{{3, 0}}));
  EXPECT_EQ(found({.count = 9}), (Places{{3, 0}, {0, 0}}));
  EXPECT_EQ(found({.count = 9, .distance = 0}), (Places{{3, 0}, {4, 0}, {0, 0}}));
  EXPECT_EQ(found({.count = 9, .distance = 3}), (Places{{3, 0}}));
  EXPECT_EQ(found({.count = 9, .threshold = 0.6}), (Places{{3, 0}}));
  EXPECT_EQ(found({.threshold = 0.95}), Places{});
}

}  // namespace
}  // namespace tessera
