// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, and every other way against the reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/correlate_scale.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::ForcedIsa;
using testing::Guarded;
using testing::Picker;
using testing::random_image;
using testing::Way;
using Values = std::vector<float>;

/// The bound of the header, as a share of the energy.
double bound_of(const std::string& method) { return method == "fft" ? 5e-7 : 1e-6; }

Values values_of(const Image& map) {
  const float* first = map.as<float>().data;
  return {first, first + map.info().size.samples()};
}

/// Rows 1 2 3 and 4 5 6.
Image six() {
  Image image({3, 2}, Type::f32);
  std::iota(image.as<float>().data, image.as<float>().data + 6, 1.0F);
  return image;
}

CorrelateOptions reference(int max_shift) {
  return {.max_shift = max_shift, .backend = Backend::cpu, .method = "reference"};
}

TEST(CorrelateReference, OneQuadrant) {
  EXPECT_EQ(values_of(correlate(testing::short_view(six()), reference(2))),
            (Values{91, 58, 32, 17}));
  EXPECT_EQ(values_of(correlate(testing::short_view(six()), reference(1))), (Values{91}));
}

TEST(CorrelateReference, AllQuadrants) {
  CorrelateOptions options = reference(2);
  options.quadrants = Quadrants::all;
  EXPECT_EQ(values_of(correlate(testing::short_view(six()), options)),
            (Values{17, 32, 23, 58, 91, 58, 23, 32, 17}));
  const Correlate plan(six().info(), options);
  EXPECT_EQ(plan.first_shift(), (Point{-1, -1}));
  EXPECT_EQ(plan.output().size, (Size{3, 3}));
}

TEST(CorrelateReference, TheFirstImageIsMoved) {
  // With one pixel as the other image, shifts point to where the first image is looked at.
  Image corner({3, 2}, Type::f32);
  corner.as<float>().at(0, 0) = 1;
  EXPECT_EQ(values_of(correlate(testing::short_view(six()), corner.view(), reference(2))),
            (Values{1, 2, 4, 5}));
  EXPECT_EQ(values_of(correlate(corner.view(), testing::short_view(six()), reference(2))),
            (Values{1, 0, 0, 0}));
}

TEST(CorrelateReference, Scales) {
  const auto scaled = [](ShiftScale scale) {
    CorrelateOptions options = reference(2);
    options.scale = scale;
    return values_of(correlate(testing::short_view(six()), options));
  };
  EXPECT_EQ(scaled(ShiftScale::overlap), (Values{91.0F / 6, 58.0F / 4, 32.0F / 3, 17.0F / 2}));
  EXPECT_EQ(scaled(ShiftScale::energy), (Values{1, 58.0F / 91, 32.0F / 91, 17.0F / 91}));
  const auto coefficient = scaled(ShiftScale::coefficient);
  const Values expected{1, 58 * 6 / (4 * 91.0F), 32 * 6 / (3 * 91.0F), 17 * 6 / (2 * 91.0F)};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(coefficient[k], expected[k], 1e-7);
}

TEST(CorrelateReference, OneAddressAndOtherStepsAreAnotherImage) {
  CorrelateOptions options = reference(1);
  options.scale = ShiftScale::energy;
  const Image image = six();
  AnyView first_row_twice = image.view();
  first_row_twice.row = 0;
  EXPECT_EQ(values_of(correlate(image.view(), first_row_twice, options)),
            (Values{static_cast<float>(46 / std::sqrt(91.0 * 28))}));
}

TEST(CorrelateReference, PlanesChannelsAndBatches) {
  // Two images of one plane with two channels: 1 2, 3 4 and 5 6, 7 8.
  Image images({2, 1, 2, 2}, Type::u8);
  std::iota(images.as<unsigned char>().data, images.as<unsigned char>().data + 8, 1);
  CorrelateOptions options = reference(1);
  options.batch = 2;
  const auto maps = [&](const char* sums) {
    options.sums = sums;
    return values_of(correlate(images.view(), options));
  };
  EXPECT_EQ(maps("all"), (Values{1 + 4 + 9 + 16, 25 + 36 + 49 + 64}));
  EXPECT_EQ(maps("each"), (Values{1 + 9, 4 + 16, 25 + 49, 36 + 64}));
  EXPECT_EQ(maps("joint"), (Values{1 * 2 + 3 * 4, 5 * 6 + 7 * 8}));
  EXPECT_EQ(maps("1:0,0:0+1:1"), (Values{14, 30, 86, 174}));
}

TEST(CorrelateSums, Texts) {
  const auto names = [](const char* text, int planes) {
    std::vector<std::string> list;
    for (const CorrelateSum& sum : parse_sums(text, planes)) list.push_back(sum.name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("all", 3), (Names{"0:0+1:1+2:2"}));
  EXPECT_EQ(names("each", 2), (Names{"0:0", "1:1"}));
  EXPECT_EQ(names("pairs", 4), (Names{"0:0+1:1", "2:2+3:3"}));
  EXPECT_EQ(names("joint", 4), (Names{"0:2", "0:3", "1:2", "1:3"}));
  EXPECT_EQ(names("0:0+1:1,0:2", 3), (Names{"0:0+1:1", "0:2"}));
  EXPECT_EQ(parse_sums("1:0", 2)[0].pairs, (std::vector<PlanePair>{{1, 0}}));
}

/// One problem of the sweep.
struct Case {
  Size size;
  int batch, shift_share, pixel_gap;  ///< shifts up to the smaller side / shift_share
  Quadrants quadrants;
  ShiftScale scale;
  Type type;
  std::string sums;
  bool cross, positive;

  std::string name() const {
    return fmt::format("{}x{}x{}x{} {}, batch {}, share {}, gap {}, {}, {}, sums {}, cross {}",
                       size.width, size.height, size.channels, size.planes, name_of(type), batch,
                       shift_share, pixel_gap, name_of(quadrants), name_of(scale), sums, cross);
  }
};

// Sides around one vector, one tile of shifts (24, 96), one slab (16) and the chunk of a sum (48).
Case make_case(int k) {
  Picker p(k);
  Case c;
  c.size.width = p.pick<int>({1, 2, 1, 33, 5, 16, 17, 24, 25, 47, 48, 49, 96, 97, 64, 130, 300});
  c.size.height = p.pick<int>({1, 1, 2, 3, 34, 16, 15, 31, 24, 49, 7, 48, 33, 60, 5, 70, 3});
  c.size.channels = p.pick<int>({1, 1, 2, 3, 1, 4});
  c.size.planes = p.pick<int>({1, 2, 1, 1, 4});
  c.batch = p.pick<int>({1, 2, 1, 1});
  c.size.planes *= c.batch;
  c.shift_share = p.pick<int>({1, 1, 2, 1, 5});
  c.pixel_gap = p.pick<int>({0, 0, 1, 3});
  c.quadrants = p.pick<Quadrants>({Quadrants::one, Quadrants::all});
  c.scale = p.pick<ShiftScale>(
      {ShiftScale::none, ShiftScale::overlap, ShiftScale::energy, ShiftScale::coefficient});
  c.type = p.pick<Type>({Type::f32, Type::u8, Type::f64, Type::u16});
  c.sums = p.pick<std::string>({"all", "each", "0:0", "mixed", "pairs", "joint"});
  c.cross = p.pick<int>({0, 1, 0}) == 1;
  c.positive = p.pick<int>({0, 0, 1}) == 1;
  // Less where the reference would take long.
  if (c.size.width > 60 && c.size.height > 30) c.shift_share = 5;
  const int planes = c.size.planes / c.batch * c.size.channels;
  if (planes % 2 != 0 && (c.sums == "pairs" || c.sums == "joint")) c.sums = "each";
  if (c.sums == "mixed") c.sums = fmt::format("0:{0}+{0}:{0},{0}:0", planes - 1);
  return c;
}

Image make_image(const Case& c, unsigned seed) {
  Image image = random_image(c.size, c.type, seed);
  if (c.positive && c.type == Type::f32)
    for (long long k = 0; k < c.size.samples(); ++k) image.as<float>().data[k] += 1;
  return image;
}

/// The allowed difference of results: the bound times the energy, divided as the results are.
class Tolerance {
 public:
  Tolerance(const Correlate& plan, AnyView image, AnyView other, const Case& c) : plan_(plan) {
    CorrelateProblem p;
    p.image = plan.input();
    p.batch = c.batch;
    p.planes = c.size.planes / c.batch * c.size.channels;
    p.sums = plan.sums();
    for (int k = 0; k < c.batch; ++k) {
      p.scale = ShiftScale::energy;
      energies_.emplace_back(p, image, other, k);
      p.scale = c.scale;
      divisors_.emplace_back(p, image, other, k);
    }
  }
  double at(int column, int row, int plane) const {
    const int sums = static_cast<int>(plan_.sums().size());
    const auto image = static_cast<std::size_t>(plane / sums);
    const int dx = plan_.first_shift().x + column, dy = plan_.first_shift().y + row;
    return bound_of(plan_.method()) * energies_[image].at(plane % sums, dx, dy) /
           divisors_[image].at(plane % sums, dx, dy);
  }

 private:
  const Correlate& plan_;
  std::vector<ShiftDivisors> energies_, divisors_;
};

::testing::AssertionResult agree(const Image& truth, AnyView map, const Tolerance& tolerance) {
  const View<const float> expected = truth.as<float>(), found = map.as<const float>();
  const Size s = truth.info().size;
  for (int p = 0; p < s.planes; ++p)
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x) {
        const double a = expected.at(x, y, 0, p), b = found.at(x, y, 0, p);
        if (!(std::abs(a - b) <= tolerance.at(x, y, p)))
          return ::testing::AssertionFailure()
                 << fmt::format("{} instead of {} at {}, {} of map {}; {} is allowed", b, a, x, y,
                                p, tolerance.at(x, y, p));
      }
  return ::testing::AssertionSuccess();
}

void check_case(const Case& c, const Way& way, unsigned seed) {
  const ForcedIsa forced(way.isa);
  const Image image = make_image(c, seed), other = c.cross ? make_image(c, seed + 1000) : image;
  const Guarded in(c.size, c.type, c.pixel_gap);
  copy_samples(image.view(), in.view());
  CorrelateOptions options =
      reference(std::max(1, std::min(c.size.width, c.size.height) / c.shift_share));
  options.quadrants = c.quadrants;
  options.sums = c.sums;
  options.scale = c.scale;
  options.batch = c.batch;
  const Image truth = correlate(image.view(), other.view(), options);
  options.backend = way.backend;
  for (const char* method : {"direct", "fft"}) {
    SCOPED_TRACE(way.name() + " " + method + ": " + c.name());
    options.method = method;
    const Correlate plan(image.info(), options);
    const Guarded map(plan.output().size, Type::f32, c.pixel_gap);
    if (c.cross)
      plan(in.view(), other.view(), map.view());
    else
      plan(in.view(), map.view());
    EXPECT_TRUE(agree(truth, map.view(), Tolerance(plan, image.view(), other.view(), c)));
    EXPECT_TRUE(map.untouched_outside());
  }
}

void sweep(Backend backend) {
  const int count = testing::run_all() ? 1500 : testing::run_small() ? 20 : 60;
  for (const Way& way : all_ways())
    for (int k = 0; way.backend == backend && k < count && !::testing::Test::HasFailure(); ++k)
      check_case(make_case(k), way, static_cast<unsigned>(k));
}

TEST(Correlate, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(CorrelateCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Shifts all over a map against the definition, in double: the reference would take too long.
double largest_error(const Image& image, const CorrelateOptions& options) {
  const Correlate plan(image.info(), options);
  Image map(plan.output());
  plan(image.view(), map.view());
  const View<const float> a = image.as<float>();
  const int side = plan.output().size.width;
  const auto correlation = [&](int dx, int dy) {
    double sum = 0;
    for (int p = 0; p < a.size.planes; ++p)
      for (int y = 0; y < a.size.height - dy; ++y)
        for (int x = 0; x < a.size.width - dx; ++x)
          sum += double{a.at(x + dx, y + dy, 0, p)} * double{a.at(x, y, 0, p)};
    return sum;
  };
  double most = 0;
  for (const int dy : {0, 1, side / 2, side - 2, side - 1})
    for (const int dx : {0, 1, 23, 24, side / 2, side - 1})
      most = std::max(most, std::abs(correlation(dx, dy) - map.as<float>().at(dx, dy)));
  return most / correlation(0, 0);
}

TEST(Correlate, KeepsItsBoundOnLargeImages) {
  // The last two are the worst for sums in float: all terms alike, so that roundings add up.
  const Size size = testing::run_small() ? Size{120, 90} : Size{500, 300, 1, 2};
  for (const Way& way : all_ways()) {
    const ForcedIsa forced(way.isa);
    for (const char* method : {"direct", "fft"})
      for (const float level : {0.0F, 3.0F, 1.3F, 0.1F}) {
        Image image = random_image(size, Type::f32, 7);
        float* samples = image.as<float>().data;
        for (long long k = 0; k < image.info().size.samples(); ++k)
          samples[k] = level > 0 && level < 3 ? level : samples[k] + level;
        const CorrelateOptions options{
            .max_shift = size.height / 3, .backend = way.backend, .method = method};
        EXPECT_LE(largest_error(image, options), bound_of(method))
            << way.name() << " " << method << ", level " << level;
      }
  }
}

TEST(Correlate, StepsOfAnyKind) {
  const Image whole = random_image({90, 70}, Type::f32, 3);
  const AnyView part = testing::every_second_upwards(whole.view(), {41, 33});
  AnyView turned = whole.view();
  turned.data = turned.address(89, 69);
  turned.pixel = -turned.pixel;
  turned.row = -turned.row;
  for (const Way& way : all_ways())
    for (const char* method : {"direct", "fft"})
      for (const AnyView& view : {part, turned}) {
        const ForcedIsa forced(way.isa);
        const CorrelateOptions options{.max_shift = 20, .backend = way.backend, .method = method};
        EXPECT_EQ(values_of(correlate(view, options)),
                  values_of(correlate(testing::short_view(copy(view)), options)));
      }
}

TEST(Correlate, ChoosesByTheShifts) {
  const auto method = [](int side, int max_shift) {
    return Correlate({{side, side, 1, 4}}, {.max_shift = max_shift, .backend = Backend::cpu})
        .method();
  };
  EXPECT_EQ(method(500, 250), "fft");
  EXPECT_EQ(method(500, 1), "direct");
  EXPECT_EQ(Correlate({{500, 500, 1, 4}}, {.backend = Backend::cpu, .method = "fft"}).describe(),
            fmt::format("correlate 4 planes of 500x500 f32, shifts 250x250: cpu fft, {}, "
                        "transforms of 768x768",
                        current_isa()));
}

}  // namespace
}  // namespace tessera
