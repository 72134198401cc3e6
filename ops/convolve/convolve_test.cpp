// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, then every way to run against the reference.
#include "tessera/convolve.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/compare.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "tessera/error.hpp"
#include "tests/support/filter_for.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::filter_for;
using testing::ForcedIsa;
using testing::Guarded;
using testing::Picker;
using testing::random_image;
using testing::Way;

Image row_image(std::initializer_list<double> samples) {
  Image image({static_cast<int>(samples.size()), 1}, Type::f64);
  int x = 0;
  for (const double sample : samples) image.as<double>().at(x++, 0) = sample;
  return image;
}

std::vector<double> filtered(std::initializer_list<double> in, std::initializer_list<double> filter,
                             ConvolveOptions options) {
  options.method = "reference";
  const Image image = row_image(in), weights = row_image(filter);
  const Image out = convolve(image.view(), weights.view(), options);
  const double* first = out.as<double>().data;
  return {first, first + out.info().size.width};
}

using Samples = std::vector<double>;

TEST(ConvolveReference, EveryBorderByHand) {
  // 1 2 4 filtered by 1 10 100, anchored at the 10: left neighbour + 10 middle + 100 right.
  const auto with = [](Border border) {
    return filtered({1, 2, 4}, {1, 10, 100}, {.border = border, .constant = 7});
  };
  EXPECT_EQ(with(Border::valid), (Samples{421}));
  EXPECT_EQ(with(Border::constant), (Samples{217, 421, 742}));
  EXPECT_EQ(with(Border::replicate), (Samples{211, 421, 442}));
  EXPECT_EQ(with(Border::reflect), (Samples{211, 421, 442}));
  EXPECT_EQ(with(Border::reflect_101), (Samples{212, 421, 242}));
  EXPECT_EQ(with(Border::wrap), (Samples{214, 421, 142}));
  // 10 * 1 + 100 * 2 = 210, times 111/110; 2 + 40 = 42, times 111/11
  const Samples inside = with(Border::inside);
  EXPECT_NEAR(inside[0], 210 * 111.0 / 110, 1e-12);
  EXPECT_EQ(inside[1], 421);
  EXPECT_NEAR(inside[2], 42 * 111.0 / 11, 1e-12);
}

TEST(ConvolveReference, AnchorFlipAndScaleByHand) {
  EXPECT_EQ(filtered({1, 2, 4}, {1, 10}, {.border = Border::constant}), (Samples{10, 21, 42}));
  EXPECT_EQ(filtered({1, 2, 4}, {1, 10}, {.border = Border::constant, .anchor = Point{0, 0}}),
            (Samples{21, 42, 4}));
  // Turned: 10 1, and the anchor stays on the 10.
  EXPECT_EQ(filtered({1, 2, 4}, {1, 10}, {.border = Border::constant, .flip = true}),
            (Samples{12, 24, 40}));
  EXPECT_EQ(filtered({1, 2}, {3}, {.scale = -0.5}), (Samples{-1.5, -3}));
}

TEST(ConvolveReference, IntegersRoundToEvenAndSaturate) {
  Image in({5, 1}, Type::u8);
  const unsigned char samples[] = {1, 3, 5, 200, 255};
  std::copy_n(samples, 5, in.as<unsigned char>().data);
  for (const char* method : {"reference", "direct"}) {
    const auto scaled = [&](double scale) {
      const Image out = convolve(in.view(), testing::short_view(box(1, 1)),
                                 {.scale = scale, .backend = Backend::cpu, .method = method});
      const auto* first = out.as<unsigned char>().data;
      return std::vector<int>(first, first + 5);
    };
    EXPECT_EQ(scaled(0.5), (std::vector<int>{0, 2, 2, 100, 128})) << method;
    EXPECT_EQ(scaled(2), (std::vector<int>{2, 6, 10, 255, 255})) << method;
    EXPECT_EQ(scaled(-1), (std::vector<int>{0, 0, 0, 0, 0})) << method;
  }
}

TEST(Convolve, SignedResultsAreExactAndSaturate) {
  const Image in = random_image({130, 9}, Type::u8, 6), filter = sobel('x');
  for (const auto& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    for (const double scale : {1.0, 100.0})
      for (const char* method : {"direct", "separable", "reference"}) {
        const auto with = [&](Type type) {
          return convolve(
              in.view(), filter.view(),
              {.scale = scale, .output_type = type, .backend = Backend::cpu, .method = method});
        };
        const Image made = with(Type::i16), truth = with(Type::f64);
        for (int y = 0; y < 9; ++y)
          for (int x = 0; x < 130; ++x)
            ASSERT_EQ(made.as<short>().at(x, y),
                      std::clamp(truth.as<double>().at(x, y), -32768.0, 32767.0))
                << way.name() << " " << method << " at " << x << ", " << y;
      }
  }
}

/// One problem of the sweep.
struct Case {
  Size size, filter;
  Border border;
  Type input, output;
  int pixel_gap;
  double scale;
  bool flip;
  bool corner_anchor;

  std::string name() const {
    return fmt::format("{}x{}x{}x{} by {}x{}, {}, {} to {}, gap {}, scale {}, flip {}, corner {}",
                       size.width, size.height, size.channels, size.planes, filter.width,
                       filter.height, name_of(border), name_of(input), name_of(output), pixel_gap,
                       scale, flip, corner_anchor);
  }
};

// Sides around one vector (4, 8, 16 lanes, and 2 or 4 of them), one tile (32 by 32), one piece (32
// rows), one block of columns (256) and the filter itself: where fast paths go wrong.
Case make_case(int k, bool small) {
  Picker p(k);
  Case c;
  c.size.width = p.pick<int>({1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  31,
                              32, 33, 63, 64, 65, 127, 130, 255, 256, 257, 259, 300});
  c.size.height = p.pick<int>({1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 34, 63, 64, 65, 70});
  c.size.channels = p.pick<int>({1, 2, 3, 4});
  c.size.planes = p.pick<int>({1, 1, 2, 3});
  c.filter = p.pick<Size>({{1, 1},
                           {3, 3},
                           {2, 2},
                           {5, 5},
                           {1, 7},
                           {7, 1},
                           {4, 6},
                           {9, 3},
                           {15, 15},
                           {43, 17},
                           {17, 43},
                           {32, 33},
                           {64, 1},
                           {33, 32}});
  c.border = p.pick<Border>({Border::valid, Border::constant, Border::replicate, Border::reflect,
                             Border::reflect_101, Border::wrap, Border::inside});
  const auto types = p.pick<std::pair<Type, Type>>({{Type::f32, Type::f32},
                                                    {Type::u8, Type::u8},
                                                    {Type::u16, Type::u16},
                                                    {Type::f64, Type::f64},
                                                    {Type::u8, Type::f32},
                                                    {Type::u16, Type::f32},
                                                    {Type::u8, Type::f64},
                                                    {Type::u16, Type::f64},
                                                    {Type::f32, Type::f64},
                                                    {Type::f64, Type::f32},
                                                    {Type::u8, Type::i16},
                                                    {Type::u16, Type::i16}});
  c.input = types.first;
  c.output = types.second;
  c.pixel_gap = p.pick<int>({0, 0, 1, 3});
  c.scale = p.pick<double>({1, 0.25, -2});
  c.flip = p.pick<int>({0, 1}) == 1;
  c.corner_anchor = p.pick<int>({0, 0, 1}) == 1;
  if (small) c.size.width = std::min(c.size.width, 70);
  return c;
}

/// No plan where the method refuses this problem: sums in double on a GPU, a missing library.
std::optional<Convolve> unless_refused(const ImageInfo& image, AnyView filter,
                                       const ConvolveOptions& options) {
  try {
    return Convolve(image, filter, options);
  } catch (const Error& error) {
    if (std::string(error.what()).find("no method can run this") == std::string::npos) throw;
    return {};
  }
}

/// Whether the method took the case.
bool check_case(const Case& c, const Way& way, const std::string& method, unsigned seed) {
  SCOPED_TRACE(way.name() + " " + method + ": " + c.name());
  const ForcedIsa forced(way.isa);
  const Image values = random_image(c.size, c.input, seed),
              filter = filter_for(method, c.filter, seed + 1);
  const Guarded in(c.size, c.input, c.pixel_gap);
  copy_samples(values.view(), in.view());
  ConvolveOptions options{.border = c.border,
                          .constant = 0.75,
                          .scale = c.scale / static_cast<double>(c.filter.pixels()),
                          .flip = c.flip};
  if (c.corner_anchor) options.anchor = Point{c.filter.width - 1, 0};
  ConvolveOptions truth_options = options;
  truth_options.output_type = Type::f64;
  truth_options.method = "reference";
  options.output_type = c.output;
  options.backend = way.backend;
  options.method = method;

  const std::optional<Convolve> made = unless_refused(values.info(), filter.view(), options);
  if (!made) return false;
  const Convolve& plan = *made;
  const Convolve reference(values.info(), filter.view(), truth_options);
  Image truth(reference.output());
  reference(values.view(), truth.view());
  const Guarded out(plan.output().size, c.output, c.pixel_gap);
  plan(in.view(), out.view());
  const auto comparison =
      compare(truth.view(), out.view(), plan.error_bound(largest_magnitude(values.view())));
  EXPECT_EQ(comparison.disagreement, "");
  EXPECT_TRUE(out.untouched_outside());
  EXPECT_TRUE(is_integer(c.output) || out.fully_written());
  return true;
}

std::vector<std::string> methods_of(Backend backend) {
  std::vector<std::string> names;
  for (const auto& method : convolve_methods())
    if (method.backend == backend && std::string(method.name) != "reference")
      names.emplace_back(method.name);
  return names;
}

// Half of the cases suffice for methods that share direct's borders and types; on a GPU every case
// of separable and lowrank is a kernel to compile.
int step_of(const std::string& method, Backend backend, int count) {
  if (method == "direct") return 1;
  const bool compiled = method == "separable" || method == "lowrank";
  return backend == Backend::cuda && compiled ? std::max(1, count / 16) : 2;
}

void sweep(Backend backend) {
  const int count = testing::run_all() ? 4000 : testing::run_small() ? 40 : 130;
  for (const Way& way : all_ways())
    for (const std::string& method : methods_of(backend)) {
      if (way.backend != backend) continue;
      const int step = step_of(method, backend, count);
      int taken = 0;
      for (int k = 0; k < count && !::testing::Test::HasFailure(); k += step)
        taken +=
            check_case(make_case(k, testing::run_small()), way, method, static_cast<unsigned>(k));
      if (method == "fft-library" || testing::run_small()) continue;  // may be missing; too few
      EXPECT_GE(taken * step, count / 3) << way.name() << " " << method;
    }
}

// A float holds the sum and the result, but not the factor between them.
TEST(Convolve, InsideMultipliesFloatsByMoreThanAFloatHolds) {
  Image in({4, 1}, Type::f32);
  for (int x = 0; x < 4; ++x) in.as<float>().at(x, 0) = 1;
  for (const char* method : {"reference", "direct"}) {
    Image filter({2, 1}, Type::f64);
    filter.as<double>().at(0, 0) = 1e20;
    filter.as<double>().at(1, 0) = 1e-20;
    ConvolveOptions options{.border = Border::inside, .backend = Backend::cpu, .method = method};
    const Image out = convolve(in.view(), filter.view(), options);
    EXPECT_FLOAT_EQ(out.as<float>().at(0, 0), 1e20F) << method;
  }
}

// The weights inside are a tiny part of all weights at the upper edge.
TEST(Convolve, InsideKeepsItsDigitsWhereLittleIsInside) {
  const Image in = random_image({9, 12}, Type::f64, 3);
  for (const double least : {1e-3, 1e-9, 1e-15, 1e-25, 1e-60, 1e-300}) {
    Image filter({1, 5}, Type::f64);
    for (int j = 0; j < 5; ++j)
      filter.as<double>().at(0, j) = j < 3 ? 1.0 + 0.1 * j : least * (1 + j);
    ConvolveOptions options{.border = Border::inside, .anchor = Point{0, 3}};
    options.method = "reference";
    const Image truth = convolve(in.view(), filter.view(), options);
    for (const char* method : {"direct", "separable", "lowrank"}) {
      options.method = method;
      const Convolve plan(in.info(), filter.view(), options);
      Image out(plan.output());
      plan(in.view(), out.view());
      const auto comparison =
          compare(truth.view(), out.view(), plan.error_bound(largest_magnitude(in.view())));
      EXPECT_EQ(comparison.disagreement, "") << method << ", " << least;
    }
  }
}

TEST(Convolve, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(ConvolveCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

TEST(Convolve, EmptyImagesGiveEmptyResults) {
  for (const Size size : {Size{0, 5}, Size{5, 0}, Size{0, 0}, Size{5, 5, 1, 0}}) {
    const Image in(size, Type::f32);
    EXPECT_TRUE(convolve(in.view(), testing::short_view(gaussian(1))).info().size.empty());
  }
  // A filter larger than the image leaves nothing that is valid.
  const Image out = convolve(testing::short_view(Image({4, 4}, Type::f32)),
                             testing::short_view(box(5, 5)), {.border = Border::valid});
  EXPECT_TRUE(out.info().size.empty());
}

void expect_as_far_as_the_filter(const Way& way, const std::string& method) {
  SCOPED_TRACE(way.name() + " " + method);
  Image in = random_image({70, 40}, Type::f32, 3);
  in.as<float>().at(35, 20) = std::numeric_limits<float>::quiet_NaN();
  in.as<float>().at(3, 3) = std::numeric_limits<float>::infinity();
  const auto plan = unless_refused(in.info(), testing::short_view(box(5, 3)),
                                   {.backend = way.backend, .method = method});
  if (!plan) return;  // no library
  Image out(plan->output());
  (*plan)(in.view(), out.view());
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 70; ++x) {
      EXPECT_EQ(std::isnan(out.as<float>().at(x, y)),
                std::abs(x - 35) <= 2 && std::abs(y - 20) <= 1);
      EXPECT_EQ(std::isinf(out.as<float>().at(x, y)), std::abs(x - 3) <= 2 && std::abs(y - 3) <= 1)
          << " at " << x << ", " << y;
    }
}

TEST(Convolve, NotANumberTravelsExactlyAsFarAsTheFilter) {
  for (const Way& way : all_ways()) {
    const ForcedIsa forced(way.isa);
    for (const std::string& method : methods_of(way.backend))
      expect_as_far_as_the_filter(way, method);
  }
}

/// The order that direct promises: row by row, one multiply-add a weight, from 0, then the scale.
float sum_in_order(const Image& in, const Image& filter, int x, int y, float scale) {
  const Size f = filter.info().size;
  float sum = 0;
  for (int j = 0; j < f.height; ++j)
    for (int i = 0; i < f.width; ++i)
      sum = std::fma(static_cast<float>(filter.as<double>().at(i, j)),
                     in.as<float>().at(x + i, y + j), sum);
  return sum * scale;
}

TEST(Convolve, DirectAddsInTheOrderItPromises) {
  for (const Way& way : all_ways()) {
    const bool fused = way.isa == "neon" || way.isa.starts_with("avx");
    if (way.backend != Backend::cpu || !fused) continue;
    const ForcedIsa forced(way.isa);
    for (const Size size : {Size{3, 3}, {5, 1}, {1, 6}, {2, 2}, {9, 7}, {33, 20}}) {
      const Image in = random_image({260, 70}, Type::f32, 1),
                  filter = random_image(size, Type::f64, 2);
      const Image out = convolve(
          in.view(), filter.view(),
          {.border = Border::valid, .scale = 0.3, .backend = Backend::cpu, .method = "direct"});
      for (int y = 0; y < out.info().size.height; ++y)
        for (int x = 0; x < out.info().size.width; ++x)
          ASSERT_EQ(out.as<float>().at(x, y), sum_in_order(in, filter, x, y, 0.3F))
              << way.name() << ", " << size.width << "x" << size.height << " at " << x << ", " << y;
    }
  }
}

TEST(Convolve, NegativeAndZeroStepsAreViewsLikeAnyOther) {
  const Image in = random_image({21, 13}, Type::f32, 4);
  Image mirrored({21, 13}, Type::f32);
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 21; ++x) mirrored.as<float>().at(x, y) = in.as<float>().at(20 - x, 12 - y);
  AnyView turned = in.view();
  turned.data = turned.address(20, 12);
  turned.pixel = -turned.pixel;
  turned.row = -turned.row;
  AnyView constant_rows = in.view();
  constant_rows.row = 0;
  const Image filter = random_image({3, 5}, Type::f64, 5);
  const ConvolveOptions options{.backend = Backend::cpu};
  EXPECT_EQ(testing::bytes_of_view(testing::short_view(convolve(turned, filter.view(), options))),
            testing::bytes_of_view(
                testing::short_view(convolve(mirrored.view(), filter.view(), options))));
  EXPECT_EQ(
      testing::bytes_of_view(testing::short_view(convolve(constant_rows, filter.view(), options))),
      testing::bytes_of_view(testing::short_view(
          convolve(testing::short_view(copy(constant_rows)), filter.view(), options))));
}

}  // namespace
}  // namespace tessera
