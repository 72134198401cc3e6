// SPDX-License-Identifier: Apache-2.0
// The reference by hand; then every method against it, byte by byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/samples.hpp"
#include "ops/noise/rank/rank_problem.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/sweep.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::ForcedIsa;
using testing::Guarded;
using testing::Way;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Image image_of(Size size, Type type, const std::vector<double>& values) {
  Image image(size, type);
  for (int k = 0; k < std::ssize(values); ++k)
    store_sample(image.view(), k % size.width, k / size.width, 0, 0,
                 values[static_cast<std::size_t>(k)]);
  return image;
}

std::vector<double> by_reference(const Image& in, const Image& footprint, RankOptions options) {
  options.backend = Backend::cpu;
  options.method = "reference";
  const Image out = rank_filter(in.view(), footprint.view(), options);
  std::vector<double> values;
  for (int y = 0; y < out.view().size.height; ++y)
    for (int x = 0; x < out.view().size.width; ++x)
      values.push_back(sample_at(out.view(), x, y, 0, 0));
  return values;
}

TEST(RankReference, ByHand) {
  const Image in = image_of({4, 1}, Type::u8, {9, 1, 5, 3});
  const Image three = box_element(3, 1);
  using Values = std::vector<double>;
  EXPECT_EQ(by_reference(in, three, {}), (Values{9, 5, 3, 3}));  // 9 9 1, 9 1 5, 1 5 3, 5 3 3
  EXPECT_EQ(by_reference(in, three, {.rank = 0}), (Values{1, 1, 1, 3}));
  EXPECT_EQ(by_reference(in, three, {.rank = -1}), (Values{9, 9, 5, 5}));
  EXPECT_EQ(by_reference(in, three, {.percentile = 34}), (Values{9, 5, 3, 3}));
  EXPECT_EQ(by_reference(in, three, {.rank = 0, .border = Border::constant, .constant = 4}),
            (Values{1, 1, 1, 3}));
  EXPECT_EQ(by_reference(in, three, {.rank = 2, .border = Border::wrap}), (Values{9, 9, 5, 9}));
  EXPECT_EQ(by_reference(in, three, {.border = Border::inside}), (Values{9, 5, 3, 5}));
  EXPECT_EQ(by_reference(in, three, {.rank = 0, .anchor = Point{0, 0}}), (Values{1, 1, 3, 3}));
}

TEST(RankReference, NanDoNotCount) {
  const Image in = image_of({5, 1}, Type::f32, {kNan, kNan, kNan, 2, -0.0});
  const std::vector<double> low = by_reference(in, box_element(3, 1), {.rank = 0});
  EXPECT_TRUE(std::isnan(low[0]) && std::isnan(low[1]));
  EXPECT_EQ(low[2], 2);
  EXPECT_EQ(low[3], 0);
  EXPECT_FALSE(std::signbit(low[3]));
  // Two of three are left: rank 1 of 3 is the one at int(2 (1 + 1/2) / 3).
  EXPECT_EQ(by_reference(in, box_element(3, 1), {.rank = 1})[3], 2);
}

Image crooked_footprint() {
  return image_of({5, 4}, Type::u8, {0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0});
}
/// Its only pixels lie away from the anchor.
Image far_footprint() {
  return image_of({6, 5}, Type::u8, {0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

const std::vector<std::string> kFootprints{
    "box:3x3", "box:5x5", "box:7x7", "box:1x1",   "box:2x2", "disk:2",  "box:8x8",    "box:1x9",
    "disk:4",  "crooked", "far",     "box:21x17", "disk:11", "cross:3", "line:17,30", "box:4x1"};

Image footprint_of(const std::string& name) {
  return name == "crooked" ? crooked_footprint()
         : name == "far"   ? far_footprint()
                           : element_from_text(name);
}

Image channels_of(Size size, Type type, const std::string& filling) {
  Image image(size, type);
  testing::NoiseFilling values(filling, 5);
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int c = 0; c < size.channels; ++c) {
          const double value = values.next(x, y);
          store_sample(image.view(), x, y, c, plane, is_integer(type) ? 100 + 10 * value : value);
        }
  return image;
}

struct RankCase {
  std::string footprint, filling;
  Type type;
  Border border;
  Size size;
  double percentile;
  int gap;

  RankOptions options() const {
    RankOptions o;
    o.percentile = percentile;
    o.border = border;
    o.constant = 2.5;
    return o;
  }
};

void expect_reference_bytes(const RankCase& c, Backend backend) {
  const Image in = channels_of(c.size, c.type, c.filling), footprint = footprint_of(c.footprint);
  RankOptions options = c.options();
  options.backend = Backend::cpu;
  options.method = "reference";
  const Image truth = rank_filter(in.view(), footprint.view(), options);
  for (const RankMethod& method : rank_methods()) {
    if (method.backend != backend || method.name == std::string("reference")) continue;
    options.backend = backend;
    options.method = method.name;
    const auto plan =
        testing::if_offered([&] { return RankFilter(in.info(), footprint.view(), options); });
    if (!plan) continue;
    const Guarded out(c.size, c.type, c.gap);
    (*plan)(in.view(), out.view());
    EXPECT_TRUE(out.untouched_outside()) << plan->describe();
    EXPECT_TRUE(testing::same_samples(out.view(), truth.view()))
        << fmt::format("{}, {}, border {}, percentile {}, gap {}", plan->describe(), c.filling,
                       name_of(c.border), c.percentile, c.gap);
  }
}

void sweep(Backend backend) {
  const std::vector<std::string> fillings{"normal",    "ties",       "zeros of both signs",
                                          "1 % blank", "half blank", "all blank"};
  const std::vector<Type> types{Type::u8, Type::f32, Type::u16, Type::f64};
  const std::vector<Border> borders{Border::reflect, Border::constant,    Border::replicate,
                                    Border::wrap,    Border::reflect_101, Border::inside};
  const std::vector<Size> sizes{{67, 21},  {5, 3},        {1, 1},    {40, 18, 3},
                                {300, 17}, {23, 9, 4, 2}, {3, 40, 2}};
  const std::vector<double> percentiles{50, 0, 100, 30, 99, 7};
  const std::vector<int> gaps{0, 0, 3};
  testing::for_cases(
      6,
      [&](const std::string& footprint, const std::string& filling, Type type, Border border,
          Size size, double percentile, int gap) {
        expect_reference_bytes({footprint, filling, type, border, size, percentile, gap}, backend);
      },
      kFootprints, fillings, types, borders, sizes, percentiles, gaps);
}

TEST(Rank, CpuMethodsMatchReference) {
  for (const Way& way : testing::all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    sweep(Backend::cpu);
  }
}

TEST(Rank, RowsWiderThanABlockMatchReference) {
  for (const char* footprint : {"box:3x3", "cross:1"})
    expect_reference_bytes({footprint, "normal", Type::u8, Border::wrap, {8300, 35}, 50, 0},
                           Backend::cpu);
}

/// Another exact method stands in for the reference, which takes minutes here.
void expect_histogram_as_bisect(const RankCase& c) {
  const Image in = channels_of(c.size, c.type, c.filling), footprint = footprint_of(c.footprint);
  const auto by = [&](const char* method) {
    RankOptions options = c.options();
    options.backend = Backend::cpu;
    options.method = method;
    return rank_filter(in.view(), footprint.view(), options);
  };
  const Image made = by("histogram"), truth = by("bisect");
  EXPECT_TRUE(testing::same_samples(made.view(), truth.view())) << c.footprint;
}

// Counts above 32767 are negative in 16 bits.
TEST(Rank, HistogramsHoldManyPixels) {
  for (const Border border : {Border::wrap, Border::inside})
    for (const double percentile : {2.0, 80.0})
      expect_histogram_as_bisect(
          {"box:255x255", "normal", Type::u8, border, {40, 12}, percentile, 0});
}

// Several blocks of rows and columns, in which lower levels follow late.
TEST(Rank, HistogramsOfLargeImages) {
  expect_histogram_as_bisect(
      {"box:31x9", "any scale", Type::u8, Border::reflect, {1300, 150}, 50, 0});
}

TEST(RankCuda, MethodsMatchReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Every rank of small windows.
void every_rank(Backend backend) {
  const Image in = channels_of({37, 19}, Type::f32, "1 % blank");
  for (const char* footprint : {"box:3x3", "box:5x5", "box:7x7", "cross:2"}) {
    const Image shape = element_from_text(footprint);
    const int count = static_cast<int>(by_reference(shape, box_element(1, 1), {}).size());
    for (int rank : testing::spread(0, footprint[0] == 'c' ? 8 : count - 1, 9)) {
      RankOptions options{.rank = rank, .backend = Backend::cpu, .method = "reference"};
      const Image truth = rank_filter(in.view(), shape.view(), options);
      for (const RankMethod& method : rank_methods()) {
        options.backend = backend;
        options.method = method.name;
        if (method.backend != backend) continue;
        const auto made =
            testing::if_offered([&] { return rank_filter(in.view(), shape.view(), options); });
        EXPECT_TRUE(!made || testing::same_samples(made->view(), truth.view()))
            << footprint << " rank " << rank << " " << method.name;
      }
    }
  }
}

TEST(Rank, CpuEveryRankMatchesReference) { every_rank(Backend::cpu); }

TEST(RankCuda, EveryRankMatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  every_rank(Backend::cuda);
}

/// Footprints of several planes, which may reach further than the image is deep.
void volumes(Backend backend) {
  const Image image = channels_of({19, 14, 1, 5}, Type::f32, "1 % blank"),
              colours = channels_of({7, 9, 3, 4}, Type::u16, "ties");
  Image box({3, 3, 1, 3}, Type::u8), pole({1, 1, 1, 11}, Type::u8), holes({2, 3, 1, 2}, Type::u8);
  for (Image* shape : {&box, &pole, &holes})
    for (int plane = 0; plane < shape->info().size.planes; ++plane)
      for (int y = 0; y < shape->info().size.height; ++y)
        for (int x = 0; x < shape->info().size.width; ++x)
          store_sample(shape->view(), x, y, 0, plane,
                       shape == &holes && (x + y + plane) % 3 == 0 ? 0 : 1);
  int plans = 0;
  for (const Image* in : {&image, &colours})
    for (const Image* shape : {&box, &pole, &holes})
      for (const Border border :
           {Border::reflect, Border::constant, Border::wrap, Border::inside}) {
        RankOptions options{.percentile = 40,
                            .border = border,
                            .constant = 3,
                            .backend = Backend::cpu,
                            .method = "reference"};
        const Image truth = rank_filter(in->view(), shape->view(), options);
        for (const RankMethod& method : rank_methods()) {
          if (method.backend != backend) continue;
          options.backend = backend;
          options.method = method.name;
          const auto plan =
              testing::if_offered([&] { return RankFilter(in->info(), shape->view(), options); });
          if (!plan) continue;
          ++plans;
          Image out(in->info());
          (*plan)(in->view(), out.view());
          EXPECT_TRUE(testing::same_samples(out.view(), truth.view()))
              << plan->describe() << ", border " << name_of(border);
        }
      }
  EXPECT_GE(plans, 24);
}

TEST(Rank, CpuVolumesMatchReference) { volumes(Backend::cpu); }

TEST(RankCuda, VolumesMatchReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  volumes(Backend::cuda);
}

TEST(Rank, PercentileFilterTakesChannelsAndPlanes) {
  const Image in = channels_of({30, 20, 3, 2}, Type::u16, "normal");
  const PercentileOptions options{.box = {3, 3}};
  const Image boxes = percentile_filter(in.view(), 30, options);
  const Image ranks =
      rank_filter(in.view(), testing::short_view(box_element(3, 3)), {.percentile = 30});
  EXPECT_TRUE(testing::same_samples(boxes.view(), ranks.view()));
}

TEST(Rank, MedianIsTheMiddleRank) {
  const Image in = channels_of({30, 20}, Type::u8, "normal");
  const Image shape = disk_element(2);
  EXPECT_TRUE(testing::same_samples(
      testing::short_view(median(in.view(), shape.view())),
      testing::short_view(rank_filter(in.view(), shape.view(), {.rank = 6}))));
}

TEST(Rank, SmallWindowsGoThroughNetworks) {
  const ImageInfo image{{512, 512}, Type::u8};
  const auto method = [&](const char* footprint) {
    return RankFilter(image, testing::short_view(element_from_text(footprint)),
                      {.backend = Backend::cpu})
        .method();
  };
  EXPECT_EQ(method("box:3x3"), "square");
  EXPECT_EQ(method("box:7x7"), "square");
  EXPECT_EQ(method("disk:1"), "network");
  EXPECT_EQ(method("box:41x41"), "histogram");
}

TEST(Rank, NanOutsideDoNotCount) {
  const Image in = testing::random_image({23, 17}, Type::f32, 1);
  for (const char* method : {"auto", "reference", "bisect", "columns", "boxes"}) {
    const RankOptions inside{.border = Border::inside, .backend = Backend::cpu, .method = method};
    RankOptions nan = inside;
    nan.border = Border::constant;
    nan.constant = kNan;
    const Image box = box_element(3, 3);
    const Image without = rank_filter(in.view(), box.view(), nan),
                clipped = rank_filter(in.view(), box.view(), inside);
    EXPECT_TRUE(testing::same_samples(without.view(), clipped.view())) << method;
  }
}

TEST(RankErrors, CallsAreRefused) {
  const Image in({8, 6}, Type::f32), three = box_element(3, 3), none({2, 3}, Type::u8);
  const Image nans = image_of({2, 1}, Type::f32, {1, kNan}), bytes({8, 6}, Type::u8);
  const auto with = [&](const RankOptions& options) {
    return [&in, &three, options] { rank_filter(in.view(), three.view(), options); };
  };
  testing::expect_refused({
      {with({.rank = 9}), "rank: rank 9 is not offered for 9 pixels; it can be -9 to 8"},
      {with({.rank = -10}), "rank: rank -10 is not offered for 9 pixels; it can be -9 to 8"},
      {with({.rank = 1, .percentile = 50.0}),
       "rank: rank 1 and percentile 50 are both given; leave out one"},
      {with({.percentile = 100.5}), "rank: percentile 100.5 is not offered; it can be -100 to 100"},
      {with({.border = Border::valid}),
       "median: border valid is not offered; it can be reflect, reflect-101, replicate, constant, "
       "wrap or inside"},
      {[&] { median(bytes.view(), three.view(), {.border = Border::constant, .constant = kNan}); },
       "median: constant is nan, which u8 does not have; give a number, or an image of f32"},
      {[&] { median(in.view(), none.view()); },
       "median: all 6 pixels of the footprint are 0; at least one must not be"},
      {[&] { median(in.view(), nans.view()); },
       "median: the footprint's pixel at column 1, row 0 is nan; it must be 0 or not"},
      {[&] { median(in.view(), testing::short_view(box_element(1025, 1))); },
       "median: the footprint is 1025x1; each side can be 1 to 1024 pixels"},
  });
}

}  // namespace
}  // namespace tessera
