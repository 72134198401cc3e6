// SPDX-License-Identifier: Apache-2.0
// Openings, closings, top-hats and gradients: by hand, then every way to run against two whole
// images and a subtraction, byte by byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/samples.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using Kind = MorphologyKind;
using Meaning = MorphologySamples;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::Guarded;
using testing::random_image;
using testing::Way;
using Bytes = std::vector<unsigned char>;

const std::vector<Kind> kStepKinds{Kind::opening, Kind::closing, Kind::white_tophat,
                                   Kind::black_tophat, Kind::gradient};

Image row_of_bytes(const Bytes& values) {
  Image image({static_cast<int>(values.size()), 1}, Type::u8);
  std::copy(values.begin(), values.end(), image.as<unsigned char>().data);
  return image;
}

Bytes made_by(Kind kind, const Bytes& in, const Bytes& element,
              const MorphologyOptions& options = {}, Meaning samples = Meaning::numbers) {
  const Image image = row_of_bytes(in), shape = row_of_bytes(element);
  const Morphology plan(kind, image.info(), shape.view(), options, samples);
  Image out(plan.output());
  plan(image.view(), out.view());
  return bytes_of_view(out.view());
}

TEST(MorphologySteps, ByHand) {
  const Bytes in{5, 5, 9, 5, 5, 1, 5, 8, 8, 8}, three{1, 1, 1};
  EXPECT_EQ(made_by(Kind::opening, in, three), (Bytes{5, 5, 5, 5, 5, 1, 5, 8, 8, 8}));
  EXPECT_EQ(made_by(Kind::closing, in, three), (Bytes{5, 5, 9, 5, 5, 5, 5, 8, 8, 8}));
  EXPECT_EQ(made_by(Kind::white_tophat, in, three), (Bytes{0, 0, 4, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(made_by(Kind::black_tophat, in, three), (Bytes{0, 0, 0, 0, 0, 4, 0, 0, 0, 0}));
  EXPECT_EQ(made_by(Kind::gradient, in, three), (Bytes{0, 4, 4, 4, 4, 4, 7, 3, 0, 0}));
}

TEST(MorphologySteps, BorderValidShrinksByBothPasses) {
  const Bytes in{5, 5, 9, 5, 5, 1, 5, 8, 8, 8};
  const MorphologyOptions valid{.border = Border::valid};
  EXPECT_EQ(made_by(Kind::opening, in, {1, 1, 1}, valid), (Bytes{5, 5, 5, 1, 5, 8}));
  EXPECT_EQ(made_by(Kind::white_tophat, in, {1, 1, 1}, valid), (Bytes{4, 0, 0, 0, 0, 0}));
  EXPECT_EQ(made_by(Kind::gradient, in, {1, 1, 1}, valid), (Bytes{4, 4, 4, 4, 4, 7, 3, 0}));
  // Two pixels: erosion reads x - 1 and x, dilation x and x + 1.
  EXPECT_EQ(made_by(Kind::gradient, in, {1, 1}, valid), (Bytes{4, 4, 0, 0, 4, 7, 3, 0}));
  const ImageInfo image{{640, 480}, Type::u8};
  const auto box = testing::short_view(box_element(5, 4));
  for (const Kind kind : {Kind::closing, Kind::black_tophat}) {
    const Morphology plan(kind, image, box, {.border = Border::valid, .anchor = Point{1, 0}});
    EXPECT_EQ(plan.first_pixel(), (Point{4, 3}));
    EXPECT_EQ(plan.output().size, (Size{632, 474}));
  }
  const Morphology gradient(Kind::gradient, image, box,
                            {.border = Border::valid, .anchor = Point{1, 0}});
  EXPECT_EQ(gradient.first_pixel(), (Point{3, 3}));
  EXPECT_EQ(gradient.output().size, (Size{634, 474}));
}

TEST(MorphologySteps, DifferencesOfIntegersDoNotWrap) {
  // A constant of 200 outside: the opening is 200 at the sides, above the image.
  const MorphologyOptions outside{.border = Border::constant, .constant = 200};
  EXPECT_EQ(made_by(Kind::opening, {3, 250, 3}, {1, 1, 1}, outside), (Bytes{200, 3, 200}));
  EXPECT_EQ(made_by(Kind::white_tophat, {3, 250, 3}, {1, 1, 1}, outside), (Bytes{0, 247, 0}));
  // The same numbers as signed ones: 3 - 128 = -125 and so on. 122 - -125 does not fit.
  EXPECT_EQ(made_by(Kind::white_tophat, {3, 250, 3}, {1, 1, 1}, outside, Meaning::shifted),
            (Bytes{0, 255, 0}));
  EXPECT_EQ(made_by(Kind::white_tophat, {60, 128, 130, 128}, {1, 1, 1}, {}, Meaning::shifted),
            (Bytes{128, 128, 130, 128}));
  EXPECT_EQ(made_by(Kind::gradient, {60, 128, 130, 128}, {1, 1, 1}, {}, Meaning::shifted),
            (Bytes{196, 198, 130, 130}));
  // Truths differ or do not: also where the opening is larger than the image.
  const MorphologyOptions truths{.border = Border::constant, .constant = 1};
  EXPECT_EQ(made_by(Kind::white_tophat, {0, 1, 0, 0}, {1, 1, 1}, truths, Meaning::truth),
            (Bytes{1, 1, 0, 1}));
}

TEST(MorphologySteps, InfinitiesWithoutADifferenceGiveTheNaNOfErosions) {
  Image in({5, 1}, Type::f32);
  for (int x = 0; x < 5; ++x) in.as<float>().at(x, 0) = std::numeric_limits<float>::infinity();
  in.as<float>().at(4, 0) = 1;
  const Image out = white_tophat(in.view(), testing::short_view(box_element(3, 1)));
  EXPECT_EQ(std::bit_cast<unsigned>(out.as<float>().at(0, 0)), 0x7fc00000U);
  EXPECT_EQ(out.as<float>().at(4, 0), 0);
}

/// Two images and a subtraction.
Image by_definition(Kind kind, AnyView in, AnyView element, MorphologyOptions options,
                    Meaning samples) {
  options.method = "reference";
  const auto low = [&](AnyView view) { return erode(view, element, options); };
  const auto high = [&](AnyView view) { return dilate(view, element, options); };
  const bool opens = kind == Kind::opening || kind == Kind::white_tophat;
  const Image eroded = low(in), dilated = high(in);
  Image result = opens                    ? high(eroded.view())
                 : kind != Kind::gradient ? low(dilated.view())
                                          : copy(dilated.view());
  if (kind == Kind::opening || kind == Kind::closing) return result;
  const Size size = result.info().size;
  const Type type = in.type;
  const int w = element.size.width, h = element.size.height;
  const bool valid = options.border == Border::valid;
  const double zero = samples != Meaning::shifted ? 0 : type == Type::u8 ? 128 : 32768;
  // Border valid: the pixel of the image under the result's first. (Gradients are tested by hand.)
  const Point at = valid && kind != Kind::gradient ? Point{w - 1, h - 1} : Point{};
  for (int p = 0; p < size.planes; ++p)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int c = 0; c < size.channels; ++c) {
          const double made = sample_at(result.view(), x, y, c, p);
          const double own = kind == Kind::gradient ? sample_at(eroded.view(), x, y, c, p)
                                                    : sample_at(in, x + at.x, y + at.y, c, p);
          double value = kind == Kind::white_tophat ? own - made : made - own;
          if (type == Type::f32) value = static_cast<float>(value);
          if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
          if (samples == Meaning::truth) value = (own != 0) != (made != 0);
          store_sample(result.view(), x, y, c, p, value + zero);
        }
  return result;
}

/// One problem of the sweep.
struct StepsCase {
  Kind kind;
  Size size;
  std::string element;
  Type type;
  Meaning samples;
  MorphologyOptions options;
  int pixel_gap;
  bool special;

  std::string name() const {
    return fmt::format("{} {}x{}x{}x{} {} by {}, {}, gap {}, samples {}, flip {}, anchor {}",
                       name_of(kind), size.width, size.height, size.channels, size.planes,
                       name_of(type), element, name_of(options.border), pixel_gap,
                       static_cast<int>(samples), options.flip, options.anchor.has_value());
  }
};

StepsCase make_steps_case(int k) {
  testing::Picker p(k);
  StepsCase c;
  c.kind = p.pick<Kind>(
      {Kind::opening, Kind::white_tophat, Kind::gradient, Kind::closing, Kind::black_tophat});
  c.size.width = p.pick<int>({1, 2, 3, 5, 8, 17, 33, 64, 65, 90});
  c.size.height = p.pick<int>({1, 2, 4, 7, 16, 31, 33, 65, 100, 150});
  c.size.channels = p.pick<int>({1, 1, 3, 2});
  c.size.planes = p.pick<int>({1, 2, 1});
  c.element = p.pick<std::string>({"box:3x3", "box:2x2", "disk:2", "line:7,30", "crooked",
                                   "box:1x9", "box:12x11", "cross:3", "line:9,90", "box:4x1",
                                   "disk:6.5", "line:33,75"});
  c.type = p.pick<Type>({Type::u8, Type::f32, Type::u16, Type::f64});
  c.samples = p.pick<Meaning>({Meaning::numbers, Meaning::shifted, Meaning::numbers});
  if (!is_integer(c.type)) c.samples = Meaning::numbers;
  c.options.border =
      p.pick<Border>({Border::inside, Border::reflect, Border::wrap, Border::constant,
                      Border::replicate, Border::reflect_101, Border::valid});
  c.options.constant = p.pick<double>({0.3, 150, 0});
  c.options.flip = p.pick<int>({0, 1, 0}) == 1;
  if (p.pick<int>({0, 0, 1}) == 1) c.options.anchor = Point{0, 0};
  c.pixel_gap = p.pick<int>({0, 0, 2});
  c.special = p.pick<int>({0, 1}) == 1;
  return c;
}

Image element_of_case(const std::string& text) {
  if (text != "crooked") return element_from_text(text);
  const Bytes pixels{0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0};
  Image element({5, 4}, Type::u8);
  std::copy(pixels.begin(), pixels.end(), element.as<unsigned char>().data);
  return element;
}

void add_infinities_and_nan(Image& image) {
  if (image.info().type != Type::f32) return;
  constexpr unsigned kValues[] = {0x80000000, 0x7f800000, 0xff800000, 0xffc12345, 0x7f800000, 0};
  const long long count = image.info().size.samples();
  for (int k = 0; k < 6; ++k)
    image.as<float>().data[(k * 7919LL + 5) % count] = std::bit_cast<float>(kValues[k]);
}

void check_steps_case(const StepsCase& c, const Way& way, unsigned seed) {
  const ForcedIsa forced(way.isa);
  const Image element = element_of_case(c.element);
  Image values = random_image(c.size, c.type, seed);
  if (c.special) add_infinities_and_nan(values);
  const Guarded in(c.size, c.type, c.pixel_gap);
  copy_samples(values.view(), in.view());
  MorphologyOptions options = c.options;
  if (c.kind == Kind::gradient && options.border == Border::valid) options.border = Border::wrap;
  const Image truth = by_definition(c.kind, values.view(), element.view(), options, c.samples);
  options.backend = way.backend;
  for (const char* method : {"direct", "separable", "reference"}) {
    SCOPED_TRACE(way.name() + " " + method + ": " + c.name());
    options.method = method;
    if (method == std::string("separable") && !c.element.starts_with("box:")) continue;
    if (method == std::string("reference") && way.backend == Backend::cuda) continue;
    const Morphology plan(c.kind, values.info(), element.view(), options, c.samples);
    const Guarded out(plan.output().size, c.type, c.pixel_gap);
    plan(in.view(), out.view());
    EXPECT_TRUE(bytes_of_view(out.view()) == bytes_of_view(truth.view()));
    EXPECT_TRUE(out.untouched_outside());
  }
}

void sweep_steps(Backend backend) {
  const int count = testing::run_all() ? 4000 : testing::run_small() ? 20 : 150;
  for (const Way& way : testing::all_ways())
    for (int k = 0; way.backend == backend && k < count && !::testing::Test::HasFailure(); ++k)
      check_steps_case(make_steps_case(k), way, static_cast<unsigned>(k));
}

TEST(MorphologySteps, CpuIsTwoImagesAndASubtraction) { sweep_steps(Backend::cpu); }

TEST(MorphologyStepsCuda, IsTwoImagesAndASubtraction) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep_steps(Backend::cuda);
}

void same_bits_of_steps(Backend backend) {
  const Image in =
      random_image(testing::run_small() ? Size{29, 31, 3} : Size{83, 97, 3, 2}, Type::u16, 1);
  const auto check = [&](Border border, Kind kind, const std::string& element) {
    const Morphology plan(
        kind, in.info(), testing::short_view(element_of_case(element)),
        {.border = border, .constant = 30000, .anchor = Point{0, 0}, .backend = backend});
    SCOPED_TRACE(name_of(border));
    testing::expect_same_bits(plan, in, {{1, 2}, {1, 7, 64}});
  };
  const std::vector<Border> borders{Border::valid,      Border::constant, Border::replicate,
                                    Border::reflect,    Border::wrap,     Border::inside,
                                    Border::reflect_101};
  testing::for_cases(testing::run_small() ? 1 : 3, check, borders, kStepKinds,
                     std::vector<std::string>{"crooked", "box:5x12", "line:40,80"});
}

TEST(MorphologySteps, CpuSameBitsForAnyThreadsAndStrips) { same_bits_of_steps(Backend::cpu); }

TEST(MorphologyStepsCuda, SameBitsForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits_of_steps(Backend::cuda);
}

TEST(MorphologySteps, PartsOfTallImagesMeetWithoutASeam) {
  // Several parts of 512 KB per plane.
  const Image in = random_image({70, 6000, 1, 2}, Type::f64, 3);
  for (const Kind kind : {Kind::black_tophat, Kind::gradient})
    for (const Border border : {Border::wrap, Border::reflect}) {
      const Image element = element_of_case("crooked");
      const MorphologyOptions options{.border = border, .backend = Backend::cpu};
      const Morphology plan(kind, in.info(), element.view(), options);
      Image out(plan.output());
      plan(in.view(), out.view());
      EXPECT_EQ(bytes_of_view(out.view()),
                bytes_of_view(testing::short_view(
                    by_definition(kind, in.view(), element.view(), options, Meaning::numbers))));
    }
}

TEST(MorphologySteps, EightThreadsShareOnePlan) {
  const Image in = random_image({200, 150}, Type::f32, 1);
  testing::expect_eight_threads_may_share(
      Morphology(Kind::white_tophat, in.info(), testing::short_view(disk_element(5)),
                 {.backend = Backend::cpu}),
      in);
}

TEST(MorphologySteps, EmptyImagesGiveEmptyResults) {
  for (const Kind kind : kStepKinds)
    for (const Border border : {Border::inside, Border::wrap, Border::valid})
      for (const Size size : {Size{0, 5}, Size{5, 0}, Size{0, 0}, Size{5, 5, 1, 0}}) {
        const Image in(size, Type::f32);
        const Morphology plan(kind, in.info(), testing::short_view(box_element(3, 7)),
                              {.border = border});
        Image out(plan.output());
        plan(in.view(), out.view());
        EXPECT_TRUE(out.info().size.empty());
        EXPECT_GE(plan.needs({0, 1}).count(), 1);
      }
  EXPECT_TRUE(opening(testing::short_view(Image({8, 8}, Type::u8)),
                      testing::short_view(box_element(5, 5)), {.border = Border::valid})
                  .info()
                  .size.empty());
}

}  // namespace
}  // namespace tessera
