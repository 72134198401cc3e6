// SPDX-License-Identifier: Apache-2.0
// Method fft on the CPU with filters of more than 769 columns or rows: large tiles, which all
// threads filter together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/compare.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/convolve_on_cpu.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::Guarded;
using testing::random_image;
using testing::same_part;
using testing::Way;

Convolve plan_of(const ImageInfo& image, AnyView filter, const ConvolveOptions& options = {},
                 const std::string& method = "fft") {
  return testing::convolve_on_cpu(image, filter, method, options);
}

/// The problem of a plan, as far as the choice of tiles looks at it.
ConvolveProblem problem_of(Size image, Size filter, Type sums = Type::f32) {
  ConvolveProblem p;
  p.image = p.output = {image, sums};
  p.filter_width = filter.width;
  p.filter_height = filter.height;
  p.sums = sums;
  return p;
}

/// Compares every SIMD target with the reference, within the method's bound.
void check(Size size, Type type, Size filter_size, ConvolveOptions options = {}) {
  const Image in = random_image(size, type, 21), filter = random_image(filter_size, Type::f64, 22);
  options.scale = 1.0 / static_cast<double>(filter_size.pixels());
  ConvolveOptions exact = options;
  exact.output_type = Type::f64;
  const Convolve reference = plan_of(in.info(), filter.view(), exact, "reference");
  Image truth(reference.output());
  reference(in.view(), truth.view());
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    const Convolve plan = plan_of(in.info(), filter.view(), options);
    SCOPED_TRACE(plan.describe() + ", border " + std::string(name_of(options.border)));
    const Guarded out(plan.output().size, plan.output().type);
    plan(in.view(), out.view());
    const double bound = plan.error_bound(largest_magnitude(in.view()));
    const auto found = compare(truth.view(), out.view(), bound);
    EXPECT_EQ(found.disagreement, "");
    EXPECT_TRUE(out.untouched_outside());
    // Also within the bound of direct: `auto` chooses between them.
    const Convolve direct = plan_of(in.info(), filter.view(), options, "direct");
    EXPECT_LE(found.largest_error,
              direct.error_bound(largest_magnitude(in.view())) + (is_integer(type) ? 0.5 : 0));
  }
}

TEST(ConvolveLargeFft, SizesAroundWhereLargeTilesBegin) {
  for (const int taps : {767, 768, 769, 770, 771, 1023, 1024, 1025}) {
    check({97, 11}, Type::f32, {taps, 3});
    check({11, 97}, Type::f32, {3, taps});
    const bool large = fft_tile_shape(problem_of({97, 11}, {taps, 3})).large;
    EXPECT_EQ(large, taps > 769) << taps;
  }
  check({13, 9}, Type::f32, {771, 770});
  check({13, 9}, Type::f64, {770, 771});
}

TEST(ConvolveLargeFft, OneRowAndOneColumn) {
  for (const Type type : {Type::f32, Type::f64}) {
    check({300, 40}, type, {1, 900});
    check({300, 40}, type, {900, 1});
    check({1, 1}, type, {2000, 1});
    check({2, 1}, type, {1, 2000});
  }
}

TEST(ConvolveLargeFft, EveryBorderAndType) {
  for (const Border border : {Border::constant, Border::replicate, Border::reflect,
                              Border::reflect_101, Border::wrap, Border::inside}) {
    check({60, 21, 3}, Type::f32, {800, 4}, {.border = border, .constant = 0.5});
    check({21, 60}, Type::f64, {5, 801}, {.border = border, .constant = 0.5});
  }
  check({900, 21}, Type::f32, {800, 4}, {.border = Border::valid});
  check({21, 900}, Type::f64, {4, 801}, {.border = Border::valid});
  for (const Type type : {Type::u8, Type::u16}) {
    check({50, 30, 2, 2}, type, {801, 3}, {.border = Border::wrap});
    check({50, 30}, type, {3, 801}, {.output_type = Type::f32});
    check({50, 30}, type, {801, 3}, {.output_type = Type::f64});
  }
  check({50, 30}, Type::f32, {801, 3}, {.output_type = Type::f64});
  check({50, 30}, Type::f64, {801, 3}, {.output_type = Type::f32});
}

TEST(ConvolveLargeFft, AnchorsAndTurnedFilters) {
  check({60, 21}, Type::f32, {800, 4}, {.anchor = Point{0, 3}});
  check({60, 21}, Type::f32, {800, 4}, {.anchor = Point{799, 0}, .flip = true});
}

// Pairs side by side and one above the other, with odd ends.
TEST(ConvolveLargeFft, ManyTiles) {
  const Size wide{12003, 3}, high{3, 12003}, both{11300, 66};
  EXPECT_GT(12003,
            2 * fft_tile_shape(problem_of(wide, {800, 1})).columns(problem_of(wide, {800, 1})));
  EXPECT_GT(12003, fft_tile_shape(problem_of(high, {1, 800})).rows(problem_of(high, {1, 800})));
  check(wide, Type::f32, {800, 1});
  check(high, Type::f32, {1, 800});
  if (!testing::run_small()) check(both, Type::f32, {800, 1}, {.border = Border::wrap});
}

TEST(ConvolveLargeFft, ShiftsByTheFilter) { testing::expect_shift_by_filter({790, 780}); }

TEST(ConvolveLargeFft, SameBitsInStripsAndThreads) {
  const Image in = random_image({140, 100, 2}, Type::u8, 8),
              filter = random_image({801, 3}, Type::f64, 9);
  for (const Border border : {Border::wrap, Border::inside}) {
    const Convolve plan = plan_of(in.info(), filter.view(), {.border = border});
    EXPECT_LT(plan.row_step(), 100);
    testing::expect_same_bits(plan, in);
  }
  testing::expect_eight_threads_may_share(plan_of(in.info(), filter.view()), in);
}

// A strip that is smaller than a group of rows makes the whole group: few strips here.
TEST(ConvolveLargeFft, SameBitsInStripsOfHighTiles) {
  const Image in = random_image({40, 9000}, Type::f32, 8),
              filter = random_image({2, 800}, Type::f64, 9);
  const Convolve plan = plan_of(in.info(), filter.view());
  EXPECT_LT(plan.row_step(), 9000);
  Image whole(plan.output());
  plan(in.view(), whole.view());
  for (const auto& [threads, rows] : {std::pair{1, 6000}, {3, 1500}, {7, 4001}})
    EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(testing::short_view(testing::streamed(
                                               plan, in, threads, testing::limit_for(plan, rows)))))
        << threads << " threads, " << rows << " rows";
}

TEST(ConvolveLargeFft, TilesThatAreNotFiniteAreDirect) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Image filter = random_image({801, 3}, Type::f64, 11);
  for (const float odd : {std::nanf(""), infinity, -infinity}) {
    Image in = random_image({40, 260, 3}, Type::f32, 10);
    in.as<float>().at(20, 200, 1) = odd;
    const Convolve plan = plan_of(in.info(), filter.view()),
                   direct = plan_of(in.info(), filter.view(), {}, "direct");
    EXPECT_TRUE(same_part(plan, direct, in, {0, 199}, {40, 3})) << odd;
    EXPECT_FALSE(same_part(plan, direct, in, {0, 0}, {40, 20})) << odd;
    Image whole(plan.output());
    plan(in.view(), whole.view());
    EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(testing::short_view(testing::streamed(
                                               plan, in, 3, testing::limit_for(plan, 7)))));
  }
}

// The sums of a transform run over where those of the filter do not.
TEST(ConvolveLargeFft, LargePixelsAreFilteredDirectly) {
  Image in = random_image({100, 20}, Type::f32, 10);
  for (int y = 5; y < 15; ++y)
    for (int x = 0; x < 100; ++x) in.as<float>().at(x, y) = 3e37F;
  const Image filter = box(901, 1);
  const Convolve plan = plan_of(in.info(), filter.view()),
                 direct = plan_of(in.info(), filter.view(), {}, "direct");
  EXPECT_TRUE(same_part(plan, direct, in, {0, 5}, {100, 10}));
}

TEST(ConvolveLargeFft, EmptyResults) {
  const Convolve plan =
      plan_of({{100, 20}, Type::f32}, testing::short_view(box(801, 3)), {.border = Border::valid});
  EXPECT_TRUE(plan.output().size.empty());
  const Image none({0, 5}, Type::f32);
  EXPECT_TRUE(convolve(none.view(), testing::short_view(box(801, 3)),
                       {.backend = Backend::cpu, .method = "fft"})
                  .info()
                  .size.empty());
}

// Memory: at most 256 MB per tile unless the filter needs more, and strips of rows in proportion to
// those of the filter.
TEST(ConvolveLargeFft, TilesAreInProportion) {
  for (const Type sums : {Type::f32, Type::f64})
    for (const Size image :
         {Size{1, 1}, Size{4096, 4096}, Size{100000, 50}, Size{50, 100000}, Size{60000, 60000}})
      for (const Size filter : {Size{770, 1}, Size{1, 770}, Size{801, 801}, Size{1025, 9},
                                Size{2049, 2049}, Size{1 << 20, 1}, Size{12000, 12000}}) {
        const ConvolveProblem p = problem_of(image, filter, sums);
        const TileShape shape = fft_tile_shape(p);
        SCOPED_TRACE(fmt::format("{}x{} by {}x{}: {}x{}", image.width, image.height, filter.width,
                                 filter.height, shape.across, shape.down));
        ASSERT_TRUE(shape.large);
        EXPECT_GE(shape.columns(p), std::min(image.width / 2, filter.width / 4));
        EXPECT_GE(shape.rows(p), std::min(image.height, filter.height / 4));
        EXPECT_LE(shape.rows(p), std::max(64, 8 * filter.height));
        const double bytes = 2.0 * shape.across * shape.down * bytes_of(sums);
        const double least =
            2.0 * std::max(16, filter.width) * std::max(16, filter.height) * bytes_of(sums);
        EXPECT_LE(bytes, std::max(256.0 * (1 << 20), 4 * least));
      }
}

TEST(ConvolveLargeFft, AutoTakesItAndSaysItsTiles) {
  const Image filter = random_image({1001, 1001}, Type::f64, 1);
  const Convolve plan = plan_of({{1500, 1500}, Type::f32}, filter.view(), {}, "auto");
  EXPECT_EQ(plan.method(), "fft");
  EXPECT_NE(plan.describe().find("pairs of 2048x2560 tiles"), std::string::npos) << plan.describe();
}

}  // namespace
}  // namespace tessera
