// SPDX-License-Identifier: Apache-2.0
// Boxes by the running method: exact for integers, nothing left behind by bright pixels, and every
// way a box, a border and an image can be cut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/compare.hpp"
#include "core/samples.hpp"
#include "ops/convolve/box_sums.hpp"
#include "tessera/error.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/convolve_on_cpu.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::convolve_on_cpu;
using testing::expect_same_bits;
using testing::ForcedIsa;
using testing::Picker;
using testing::random_image;

const std::vector<Border> kEveryBorder{Border::valid,   Border::constant,    Border::replicate,
                                       Border::reflect, Border::reflect_101, Border::wrap,
                                       Border::inside};

Image ones(Size size) {
  return outer(std::vector<double>(static_cast<std::size_t>(size.width), 1.0),
               std::vector<double>(static_cast<std::size_t>(size.height), 1.0));
}

Image made_by(const Convolve& plan, const Image& in) {
  Image out(plan.output());
  plan(in.view(), out.view());
  return out;
}

/// A box of ones: sums of integers are exact in both, whatever the order.
void expect_the_reference(Size size, Size box, Type type, const ConvolveOptions& options) {
  SCOPED_TRACE(fmt::format("{}x{}x{} {} by {}x{}, {}", size.width, size.height, size.channels,
                           name_of(type), box.width, box.height, changed_options(options)));
  const Image in = random_image(size, type, 3), filter = ones(box);
  EXPECT_EQ(bytes_of_view(testing::short_view(
                made_by(convolve_on_cpu(in.info(), filter.view(), "running", options), in))),
            bytes_of_view(testing::short_view(
                made_by(convolve_on_cpu(in.info(), filter.view(), "reference", options), in))));
}

TEST(ConvolveRunning, IntegersAreExact) {
  for (const auto& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    for (int k = 0; k < (testing::run_all() ? 1000 : 50); ++k) {
      Picker p(k);
      const Size size{p.pick<int>({1, 2, 7, 16, 17, 33, 64, 65, 130, 700}),
                      p.pick<int>({1, 2, 5, 16, 17, 31, 40}), p.pick<int>({1, 2, 3, 4})};
      const Size box = p.pick<Size>({{1, 1},
                                     {2, 2},
                                     {3, 3},
                                     {1, 7},
                                     {7, 1},
                                     {4, 6},
                                     {15, 15},
                                     {31, 2},
                                     {2, 31},
                                     {64, 65},
                                     {129, 1},
                                     {1, 129}});
      ConvolveOptions options{.border = p.pick<Border>(kEveryBorder),
                              .constant = p.pick<double>({0, 7, 255}),
                              .scale = p.pick<double>({1, 0.125, -2})};
      if (options.border == Border::inside) options.border = Border::wrap;  // its share is rounded
      if (k % 3 == 0) options.anchor = Point{box.width - 1, 0};
      if (k % 4 == 0) options.output_type = Type::f64;
      if (k % 4 == 1) options.output_type = Type::i16;
      expect_the_reference(size, box, k % 2 ? Type::u8 : Type::u16, options);
    }
  }
}

// Odd boxes have no ties, so the reference rounds its means the same way: through 16 bits, float
// and double. The image has every sum that a box can have, nearly.
TEST(ConvolveRunning, MeansAreThoseOfTheReference) {
  for (const auto& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    for (const Type type : {Type::u8, Type::u16})
      for (const Size size : {Size{3, 3}, {5, 5}, {7, 1}, {11, 11}, {15, 15}, {17, 15}, {31, 31}}) {
        const Image noise = random_image({300, 70}, type, 8), filter = box(size.width, size.height);
        Image in(noise.info());
        for (int y = 0; y < 70; ++y)  // from black on the left to white on the right
          for (int x = 0; x < 300; ++x)
            store_sample(in.view(), x, y, 0, 0,
                         0.02 * sample_at(noise.view(), x, y, 0, 0) +
                             (type == Type::u8 ? 255 : 65535) * (x / 280.0 - 0.03));
        const auto with = [&](const char* method) {
          return made_by(convolve_on_cpu(in.info(), filter.view(), method), in);
        };
        EXPECT_EQ(bytes_of_view(testing::short_view(with("running"))),
                  bytes_of_view(testing::short_view(with("reference"))))
            << way.name() << ", " << name_of(type) << " by " << size.width << "x" << size.height;
      }
  }
}

// 181 * 181 pixels of 65535 fit 31 bits, 182 * 182 do not.
TEST(ConvolveRunning, SumsThatDoNotFitAreDoubles) {
  for (const int side : {181, 182}) {
    Image in({200, 190}, Type::u16);
    for (int y = 0; y < 190; ++y)
      for (int x = 0; x < 200; ++x) in.as<unsigned short>().at(x, y) = 65535;
    const ConvolveOptions options{.border = Border::valid, .output_type = Type::f64};
    const Image out = made_by(
        convolve_on_cpu(in.info(), testing::short_view(ones({side, side})), "running", options),
        in);
    EXPECT_EQ(out.as<double>().at(3, 3), 65535.0 * side * side);
  }
  const Convolve fractions =
      convolve_on_cpu({{9, 9}, Type::u8}, testing::short_view(box(3, 3)), "running",
                      {.border = Border::constant, .constant = 0.5});
  EXPECT_NE(fractions.describe().find("f64"), std::string::npos) << fractions.describe();
}

// In a sum that is added to and subtracted from, 1e30 would leave its rounding error behind.
TEST(ConvolveRunning, BrightPixelsLeaveNoTrace) {
  for (const Type type : {Type::f32, Type::f64}) {
    Image in({80, 60}, type);
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x) store_sample(in.view(), x, y, 0, 0, 1);
    store_sample(in.view(), 40, 30, 0, 0, 1e30);
    const Image out =
        made_by(convolve_on_cpu(in.info(), testing::short_view(ones({7, 5})), "running"), in);
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x) {
        if (std::abs(x - 40) <= 3 && std::abs(y - 30) <= 2) continue;
        ASSERT_EQ(sample_at(out.view(), x, y, 0, 0), 35) << x << ", " << y;
      }
  }
}

TEST(ConvolveRunning, MeansOfTheLargestNumbersAreFinite) {
  for (const Type type : {Type::f32, Type::f64}) {
    const double most =
        type == Type::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    Image in({40, 30}, type);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) store_sample(in.view(), x, y, 0, 0, most);
    const Image out =
        made_by(convolve_on_cpu(in.info(), testing::short_view(box(4, 4)), "running"), in);
    EXPECT_EQ(sample_at(out.view(), 20, 20, 0, 0), most);
  }
}

/// NaN and infinities of both signs, here and there.
Image with_odd_numbers(Size size, Type type, unsigned seed) {
  Image image = random_image(size, type, seed);
  const double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (int k = 0; k < 3; ++k)
    store_sample(image.view(), (7 + 13 * k) % size.width, (5 + 11 * k) % size.height, 0, 0, odd[k]);
  return image;
}

void expect_within_the_bound(Size size, Size box, Border border, Type type) {
  SCOPED_TRACE(fmt::format("{}x{} {} by {}x{}, {}", size.width, size.height, name_of(type),
                           box.width, box.height, name_of(border)));
  ConvolveOptions options{.border = border, .constant = 0.75, .output_type = Type::f64};
  options.scale = 1.0 / static_cast<double>(box.pixels());
  if (box.width == 31) options.anchor = Point{30, 0};
  const Image in = is_integer(type) ? random_image(size, type, 1) : with_odd_numbers(size, type, 1);
  const Image filter = ones(box);
  const Image truth = made_by(convolve_on_cpu(in.info(), filter.view(), "reference", options), in);
  if (type == Type::f32) options.output_type = type;
  const Convolve plan = convolve_on_cpu(in.info(), filter.view(), "running", options);
  const double bound = plan.error_bound(largest_magnitude(in.view()));
  EXPECT_EQ(compare(truth.view(), testing::short_view(made_by(plan, in)), bound).disagreement, "");
}

// Boxes larger than the image, one pixel, one row: whatever a border makes of them.
TEST(ConvolveRunning, AnyBoxOnAnyImageKeepsTheBound) {
  testing::for_cases(
      12, expect_within_the_bound,
      std::vector<Size>{{1, 1}, {5, 1}, {1, 5}, {23, 17}, {90, 3}, {40, 70}},
      std::vector<Size>{{1, 1}, {3, 3}, {5, 2}, {31, 31}, {200, 3}, {3, 200}, {61, 91}},
      kEveryBorder, std::vector<Type>{Type::f32, Type::f64, Type::u8});
}

// f64 rounds, so every cut that changed an order would show.
TEST(ConvolveRunning, SameBitsHoweverItIsCut) {
  for (const Size size : {Size{83, 97, 3, 2}, Size{1500, 40}}) {
    const Image in = with_odd_numbers(size, Type::f64, 2);
    for (const Border border : {Border::valid, Border::wrap, Border::inside})
      for (const Size box : {Size{9, 6}, Size{5, 37}, Size{120, 1}, Size{2, 130}})
        expect_same_bits(convolve_on_cpu(in.info(), testing::short_view(ones(box)), "running",
                                         {.border = border}),
                         in);
  }
}

TEST(ConvolveRunning, SayWhyNot) {
  const auto reason = [](const Image& filter, double scale) {
    try {
      convolve_on_cpu({{9, 9}, Type::f32}, filter.view(), "running", {.scale = scale});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(reason(sobel('x'), 1)
                .find("the filter's weights are -2 to 2; running takes those that "
                      "are all the same"),
            std::string::npos)
      << reason(sobel('x'), 1);
  Image large = ones({2, 2});
  for (int k = 0; k < 4; ++k) large.as<double>().data[k] = 1e200;
  EXPECT_NE(reason(large, 1e200).find("is not finite"), std::string::npos);
  large.as<double>().data[1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(reason(large, 1).find("weights that are not finite"), std::string::npos);
}

}  // namespace
}  // namespace tessera
