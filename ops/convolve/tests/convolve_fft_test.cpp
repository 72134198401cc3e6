// SPDX-License-Identifier: Apache-2.0
// What method fft on the CPU promises beyond the sweeps of convolve_test: many tiles, bounds,
// pixels that are not finite. Filters that need large tiles are in convolve_large_fft_test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/compare.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/convolve_on_cpu.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::convolve_on_cpu;
using testing::ForcedIsa;
using testing::random_image;
using testing::same_part;
using testing::Way;

/// Runs `check` for every SIMD target.
template <class Check>
void for_all(Check check) {
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    SCOPED_TRACE(way.name());
    check();
  }
}

Image truth_of(const Image& in, AnyView filter, ConvolveOptions options) {
  options.output_type = Type::f64;
  const Convolve reference = convolve_on_cpu(in.info(), filter, "reference", options);
  Image truth(reference.output());
  reference(in.view(), truth.view());
  return truth;
}

double largest_error(const Convolve& plan, const Image& in, const Image& truth) {
  Image out(plan.output());
  plan(in.view(), out.view());
  return compare(truth.view(), out.view(), 0).largest_error;
}

// Several tiles in both directions, also of 256x256, with odd ends.
TEST(ConvolveFft, ErrorsKeepToTheirBoundAndToTheDirectOne) {
  const ConvolveOptions options{.border = Border::reflect};
  for (const Size size : {Size{9, 9}, Size{10, 12}, Size{31, 31}, Size{17, 43}, Size{97, 3},
                          Size{2, 140}, Size{70, 40}})
    for (const Type type : {Type::f32, Type::f64}) {
      const Image in = random_image({201, 183}, type, 5), filter = random_image(size, Type::f64, 6);
      const Image truth = truth_of(in, filter.view(), options);
      for_all([&] {
        const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "fft", options),
                       direct = convolve_on_cpu(in.info(), filter.view(), "direct", options);
        const double error = largest_error(plan, in, truth);
        EXPECT_LE(error, plan.error_bound(1)) << plan.describe();
        EXPECT_LE(error, direct.error_bound(1)) << plan.describe();
        EXPECT_GT(error, 0);
      });
    }
}

TEST(ConvolveFft, ShiftsByTheFilter) {
  for_all([] { testing::expect_shift_by_filter({20, 11}); });
}

// Tiles here end within the image, each way.
TEST(ConvolveFft, SameBitsInStripsThroughManyTiles) {
  for_all([] {
    const Image in = random_image({140, 150, 2}, Type::u8, 8),
                filter = random_image({3, 5}, Type::f64, 9);
    for (const Border border : {Border::wrap, Border::inside}) {
      const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "fft", {.border = border});
      EXPECT_LT(plan.row_step(), 150);
      testing::expect_same_bits(plan, in);
    }
  });
}

TEST(ConvolveFft, TilesThatAreNotFiniteAreDirect) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Image filter = random_image({9, 9}, Type::f64, 11);
  for_all([&] {
    for (const float odd : {std::nanf(""), infinity, -infinity}) {
      Image in = random_image({300, 260, 3}, Type::f32, 10);
      in.as<float>().at(200, 200, 1) = odd;
      const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "fft"),
                     direct = convolve_on_cpu(in.info(), filter.view(), "direct");
      EXPECT_TRUE(same_part(plan, direct, in, {190, 190}, {20, 20})) << odd;
      EXPECT_FALSE(same_part(plan, direct, in, {0, 0}, {20, 20})) << odd;
    }
  });
}

// The sums of a transform run over where those of the filter do not.
TEST(ConvolveFft, LargePixelsAreFilteredDirectly) {
  for_all([&] {
    Image in = random_image({100, 100}, Type::f32, 10);
    for (int y = 30; y < 60; ++y)
      for (int x = 30; x < 60; ++x) in.as<float>().at(x, y) = 3e37F;
    const Convolve plan = convolve_on_cpu(in.info(), testing::short_view(box(3, 3)), "fft"),
                   direct = convolve_on_cpu(in.info(), testing::short_view(box(3, 3)), "direct");
    EXPECT_TRUE(same_part(plan, direct, in, {35, 35}, {20, 20}));
    EXPECT_NEAR(
        testing::short_view(convolve(in.view(), testing::short_view(box(3, 3)), {.method = "fft"}))
            .as<const float>()
            .at(45, 45),
        3e37F, 1e32F);
  });
}

// Edge pixels of border inside are divided by the little that lies inside, and so are their errors.
TEST(ConvolveFft, BoundsFollowTheShareInside) {
  for_all([] {
    const Image in = random_image({90, 80}, Type::f32, 12), filter = gaussian(3, 12);
    const ConvolveOptions corner{.border = Border::inside, .anchor = Point{24, 24}};
    const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "fft", corner),
                   centred =
                       convolve_on_cpu(in.info(), filter.view(), "fft", {.border = Border::inside});
    EXPECT_LE(largest_error(plan, in, truth_of(in, filter.view(), corner)), plan.error_bound(1));
    EXPECT_GT(plan.error_bound(1), 100 * centred.error_bound(1));
  });
}

TEST(ConvolveFft, FiltersLargerThanTheImage) {
  for_all([] {
    const Image in = random_image({37, 21}, Type::f32, 13),
                filter = random_image({120, 75}, Type::f64, 14);
    for (const Border border : {Border::reflect_101, Border::constant, Border::inside}) {
      const ConvolveOptions options{.border = border, .constant = 0.5};
      const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "fft", options);
      EXPECT_LE(largest_error(plan, in, truth_of(in, filter.view(), options)), plan.error_bound(1));
    }
  });
}

TEST(ConvolveFft, DescribeSaysTheTiles) {
  const ImageInfo image{{4096, 4096}, Type::f32};
  EXPECT_NE(convolve_on_cpu(image, testing::short_view(box(43, 43)), "fft")
                .describe()
                .find("pairs of 256x256 tiles"),
            std::string::npos);
}

TEST(ConvolveFft, AutoTakesItForLargeFiltersOnly) {
  const ImageInfo image{{4096, 4096}, Type::f32};
  const Image small = random_image({3, 3}, Type::f64, 1),
              large = random_image({43, 43}, Type::f64, 1);
  EXPECT_EQ(convolve_on_cpu(image, small.view(), "auto").method(), "direct");
  EXPECT_EQ(convolve_on_cpu(image, large.view(), "auto").method(), "fft");
}

}  // namespace
}  // namespace tessera
