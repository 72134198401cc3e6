// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, then every way to run against the reference: byte by
// byte.
#include "tessera/morphology.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "ops/morphology/morphology_problem.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::Guarded;
using testing::Picker;
using testing::random_image;
using testing::Way;
using Samples = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Image row_image(const Samples& samples, Type type = Type::f64) {
  Image image({static_cast<int>(samples.size()), 1}, Type::f64);
  for (int x = 0; x < std::ssize(samples); ++x) image.as<double>().at(x, 0) = samples[x];
  if (type == Type::f64) return image;
  Image bytes(image.info().size, Type::u8);
  for (int x = 0; x < std::ssize(samples); ++x)
    bytes.as<unsigned char>().at(x, 0) = static_cast<unsigned char>(samples[x]);
  return bytes;
}

Samples by_reference(MorphologyKind kind, const Samples& in, const Samples& element,
                     MorphologyOptions options) {
  options.method = "reference";
  const Image image = row_image(in), shape = row_image(element);
  const Image out = kind == MorphologyKind::erode ? erode(image.view(), shape.view(), options)
                                                  : dilate(image.view(), shape.view(), options);
  const double* first = out.as<double>().data;
  return {first, first + out.info().size.width};
}
Samples eroded(const Samples& in, const Samples& element, const MorphologyOptions& options = {}) {
  return by_reference(MorphologyKind::erode, in, element, options);
}
Samples dilated(const Samples& in, const Samples& element, const MorphologyOptions& options = {}) {
  return by_reference(MorphologyKind::dilate, in, element, options);
}

TEST(MorphologyReference, EveryBorderByHand) {
  // 4 2 7 9 under three pixels, the middle one on the output.
  const auto low = [](Border border) {
    return eroded({4, 2, 7, 9}, {1, 1, 1}, {.border = border, .constant = 1});
  };
  EXPECT_EQ(low(Border::valid), (Samples{2, 2}));
  EXPECT_EQ(low(Border::constant), (Samples{1, 2, 2, 1}));
  EXPECT_EQ(low(Border::replicate), (Samples{2, 2, 2, 7}));
  EXPECT_EQ(low(Border::inside), (Samples{2, 2, 2, 7}));
  // Only the outer two pixels: now the borders differ.
  const auto high = [](Border border) {
    return dilated({4, 2, 7, 9}, {1, 0, 1}, {.border = border, .constant = 5});
  };
  EXPECT_EQ(high(Border::constant), (Samples{5, 7, 9, 7}));
  EXPECT_EQ(high(Border::replicate), (Samples{4, 7, 9, 9}));
  EXPECT_EQ(high(Border::reflect), (Samples{4, 7, 9, 9}));
  EXPECT_EQ(high(Border::reflect_101), (Samples{2, 7, 9, 7}));
  EXPECT_EQ(high(Border::wrap), (Samples{9, 7, 9, 7}));
  EXPECT_EQ(high(Border::inside), (Samples{2, 7, 9, 7}));
}

TEST(MorphologyReference, DilationTurnsTheElementAndFlipTurnsItBack) {
  // The element's pixels are the anchor and the one right of it.
  const Samples in{0, 0, 5, 0, 0}, element{0, 1, 1};
  EXPECT_EQ(eroded({9, 9, 5, 9, 9}, element), (Samples{9, 5, 5, 9, 9}));
  EXPECT_EQ(dilated(in, element), (Samples{0, 0, 5, 5, 0}));
  EXPECT_EQ(dilated(in, element, {.flip = true}), (Samples{0, 5, 5, 0, 0}));
  EXPECT_EQ(eroded({9, 9, 5, 9, 9}, element, {.flip = true}), (Samples{9, 9, 5, 5, 9}));
  // Even sides, and anchors away from the middle, turn about the anchor.
  EXPECT_EQ(dilated(in, {1, 1}), (Samples{0, 5, 5, 0, 0}));
  EXPECT_EQ(dilated(in, {1, 1}, {.anchor = Point{0, 0}}), (Samples{0, 0, 5, 5, 0}));
}

TEST(MorphologyReference, ElementsThatReachNothing) {
  // The only pixel is two to the right of the output.
  EXPECT_EQ(eroded({1, 2, 3}, {1, 0, 0, 0, 1, 0, 0}, {.anchor = Point{2, 0}}),
            (Samples{3, kInfinity, 1}));
  const MorphologyOptions options{.anchor = Point{0, 0}};
  const Image in = row_image({1, 2, 3}, Type::u8), right = row_image({0, 0, 1});
  for (const char* method : {"reference", "direct"}) {
    MorphologyOptions with = options;
    with.method = method;
    with.backend = Backend::cpu;
    EXPECT_EQ(bytes_of_view(testing::short_view(erode(in.view(), right.view(), with))),
              (std::vector<unsigned char>{3, 255, 255}));
    EXPECT_EQ(bytes_of_view(testing::short_view(dilate(in.view(), right.view(), with))),
              (std::vector<unsigned char>{0, 0, 1}));
  }
}

/// One problem of the sweep.
struct Case {
  Size size;
  std::string element;
  Border border;
  Type type;
  MorphologyKind kind;
  int pixel_gap;
  bool flip, corner_anchor, special;

  std::string name() const {
    return fmt::format("{} {}x{}x{}x{} {} by {}, {}, gap {}, flip {}, corner {}, special {}",
                       name_of(kind), size.width, size.height, size.channels, size.planes,
                       name_of(type), element, name_of(border), pixel_gap, flip, corner_anchor,
                       special);
  }
};

/// "random:WxH": gaps, empty rows and columns; else an element by name.
Image element_of(const std::string& text, unsigned seed) {
  if (!text.starts_with("random:")) return element_from_text(text);
  const std::size_t by = text.find('x');
  const Size size{std::stoi(text.substr(7, by - 7)), std::stoi(text.substr(by + 1))};
  Image element = random_image(size, Type::f32, seed);
  float* values = element.as<float>().data;
  for (long long k = 0; k < size.samples(); ++k) values[k] = values[k] > 0.4F ? 1 : 0;
  values[size.samples() / 2] = 1;
  return element;
}

// Sides around one vector, one tile (32, 64), one block (64 rows, 256 columns) and the element:
// where fast paths go wrong. Boxes higher than 9 rows take the way of van Herk and Gil-Werman,
// those larger than 32 several passes on a GPU.
Case make_case(int k, bool small) {
  Picker p(k);
  Case c;
  c.size.width = p.pick<int>({1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,  31,
                              32, 33, 63, 64, 65, 127, 130, 255, 256, 257, 300, 600});
  c.size.height = p.pick<int>({1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 34, 63, 64, 65, 130});
  c.size.channels = p.pick<int>({1, 1, 2, 3, 4});
  c.size.planes = p.pick<int>({1, 1, 2, 3});
  c.element = p.pick<std::string>(
      {"box:1x1",     "box:3x3",      "box:2x2",     "disk:1",      "disk:2.5",    "disk:12",
       "box:1x7",     "box:7x1",      "box:15x15",   "cross:3",     "line:9,30",   "random:5x4",
       "random:9x3",  "box:4x6",      "box:10x11",   "box:5x63",    "box:63x63",   "box:64x1",
       "box:1x40",    "random:40x37", "line:33,110", "disk:20",     "random:1x70", "box:130x33",
       "box:3x10",    "line:7,0",     "line:12,90",  "random:70x1", "box:200x140", "box:17x9",
       "random:64x2", "cross:17"});
  c.border = p.pick<Border>({Border::inside, Border::valid, Border::constant, Border::replicate,
                             Border::reflect, Border::reflect_101, Border::wrap});
  c.type = p.pick<Type>({Type::u8, Type::f32, Type::u16, Type::f64});
  c.kind = p.pick<MorphologyKind>({MorphologyKind::erode, MorphologyKind::dilate});
  c.pixel_gap = p.pick<int>({0, 0, 1, 3});
  c.flip = p.pick<int>({0, 1}) == 1;
  c.corner_anchor = p.pick<int>({0, 0, 1}) == 1;
  c.special = p.pick<int>({0, 1, 0}) == 1;
  if (small) c.size.width = std::min(c.size.width, 70);
  return c;
}

/// Less of an image where the reference would take long.
Size affordable(Size size, long long pixels_of_element) {
  constexpr long long kMostReads = 10'000'000;
  const auto reads = [&] { return size.samples() * pixels_of_element; };
  if (reads() > kMostReads) size.planes = 1;
  while (reads() > kMostReads && size.height > 8) size.height -= size.height / 4;
  while (reads() > kMostReads && size.channels > 1) --size.channels;
  while (reads() > kMostReads && size.width > 8) size.width -= size.width / 4;
  return size;
}

/// Zeros of both signs, infinities and NaNs of both signs with payloads, here and there.
void add_special(Image& image, unsigned seed) {
  if (image.info().type != Type::f32 || image.info().size.empty()) return;
  constexpr unsigned kValues[] = {0x80000000, 0, 0x7f800000, 0xff800000, 0x7fc12345, 0xffc00000};
  float* values = image.as<float>().data;
  const long long count = image.info().size.samples();
  for (int k = 0; k < 12; ++k)
    values[(seed * 7919LL + k * 104729LL) % count] = std::bit_cast<float>(kValues[k % 6]);
}

void check_case(Case c, const Way& way, unsigned seed) {
  const ForcedIsa forced(way.isa);
  const Image element = element_of(c.element, seed);
  c.size = affordable(c.size, element.info().size.samples());
  Image values = random_image(c.size, c.type, seed);
  if (c.special) add_special(values, seed);
  const Guarded in(c.size, c.type, c.pixel_gap);
  copy_samples(values.view(), in.view());
  MorphologyOptions options{.border = c.border, .constant = 0.3, .flip = c.flip};
  if (c.corner_anchor) options.anchor = Point{element.info().size.width - 1, 0};
  options.method = "reference";
  const Morphology reference(c.kind, values.info(), element.view(), options);
  Image truth(reference.output());
  reference(values.view(), truth.view());
  options.backend = way.backend;
  for (const char* method : {"direct", "separable"}) {
    SCOPED_TRACE(way.name() + " " + method + ": " + c.name());
    options.method = method;
    if (method == std::string("separable") && !c.element.starts_with("box:")) continue;
    const Morphology plan(c.kind, values.info(), element.view(), options);
    const Guarded out(plan.output().size, c.type, c.pixel_gap);
    plan(in.view(), out.view());
    EXPECT_TRUE(bytes_of_view(out.view()) == bytes_of_view(truth.view()));
    EXPECT_TRUE(out.untouched_outside());
  }
}

void sweep(Backend backend) {
  const int count = testing::run_all() ? 3000 : testing::run_small() ? 15 : 150;
  for (const Way& way : all_ways())
    for (int k = 0; way.backend == backend && k < count && !::testing::Test::HasFailure(); ++k)
      check_case(make_case(k, testing::run_small()), way, static_cast<unsigned>(k));
}

TEST(Morphology, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(MorphologyCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Boxes that stay in registers: wide enough that most columns read the image itself.
Case make_narrow_case(int k) {
  Picker p(k);
  Case c = make_case(k, false);
  c.size.width = p.pick<int>({16, 31, 33, 47, 48, 49, 65, 97, 128, 131, 200, 255, 257, 333});
  c.size.height = p.pick<int>({1, 2, 3, 8, 9, 31, 65});
  c.size.channels = p.pick<int>({1, 1, 3, 2});
  c.element = p.pick<std::string>({"box:3x3", "box:5x5", "box:7x7", "box:3x2", "box:5x9", "box:7x2",
                                   "box:3x7", "box:5x1", "box:7x4", "box:23x3", "box:25x5"});
  c.pixel_gap = p.pick<int>({0, 0, 0, 1});
  return c;
}

TEST(Morphology, NarrowBoxesMatchReference) {
  const int count = testing::run_all() ? 3000 : testing::run_small() ? 15 : 150;
  for (const Way& way : all_ways())
    for (int k = 0; way.backend == Backend::cpu && k < count && !HasFailure(); ++k)
      check_case(make_narrow_case(k), way, static_cast<unsigned>(k));
}

TEST(Morphology, NotANumberWinsAndIsAlwaysTheSame) {
  for (const Way& way : all_ways())
    for (const auto kind : {MorphologyKind::erode, MorphologyKind::dilate})
      for (const unsigned nan : {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffffffffU}) {
        const ForcedIsa forced(way.isa);
        Image in = random_image({70, 40}, Type::f32, 3);
        in.as<float>().at(35, 20) = std::bit_cast<float>(nan);
        in.as<float>().at(36, 20) = std::bit_cast<float>(0xff812345U);
        in.as<float>().at(3, 3) = -std::numeric_limits<float>::infinity();
        in.as<float>().at(60, 3) = std::numeric_limits<float>::infinity();
        const Morphology plan(kind, in.info(), testing::short_view(box_element(5, 3)),
                              {.backend = way.backend});
        Image out(plan.output());
        plan(in.view(), out.view());
        for (int y = 0; y < 40; ++y)
          for (int x = 0; x < 70; ++x) {
            const bool reached = x >= 33 && x <= 38 && std::abs(y - 20) <= 1;
            const auto bits = std::bit_cast<unsigned>(out.as<float>().at(x, y));
            EXPECT_EQ(bits == 0x7fc00000U, reached) << way.name() << " at " << x << ", " << y;
            EXPECT_EQ(std::isnan(out.as<float>().at(x, y)), reached);
          }
        const bool erodes = kind == MorphologyKind::erode;
        EXPECT_EQ(out.as<float>().at(4, 3), erodes ? -kInfinity : out.as<float>().at(4, 3));
        EXPECT_EQ(std::isinf(out.as<float>().at(4, 3)), erodes);
        EXPECT_EQ(std::isinf(out.as<float>().at(61, 3)), !erodes);
      }
}

TEST(Morphology, LeavesTheCallersArithmeticAlone) {
  // ARM's instructions are told which NaN to give, but only for as long as they work for us.
  const Image in = random_image({70, 40}, Type::f32, 3);
  erode(in.view(), testing::short_view(box_element(3, 3)), {.backend = Backend::cpu});
  const volatile float payload = std::bit_cast<float>(0x7fc12345U);
  EXPECT_EQ(std::bit_cast<unsigned>(payload + 1.0F), 0x7fc12345U);
}

TEST(Morphology, NegativeZeroIsTheSmaller) {
  for (const Way& way : all_ways()) {
    const ForcedIsa forced(way.isa);
    const Image in = row_image({0.0, -0.0, 0.0, 0.0, -0.0, -0.0});
    const MorphologyOptions options{.backend = way.backend};
    const Image low = erode(in.view(), testing::short_view(box_element(2, 1)), options);
    const Image high = dilate(in.view(), testing::short_view(box_element(2, 1)), options);
    const bool negative_low[] = {false, true, true, false, true, true};
    const bool negative_high[] = {false, false, false, false, true, true};
    for (int x = 0; x < 6; ++x) {
      EXPECT_EQ(std::signbit(low.as<double>().at(x, 0)), negative_low[x]) << way.name() << x;
      EXPECT_EQ(std::signbit(high.as<double>().at(x, 0)), negative_high[x]) << way.name() << x;
    }
  }
}

TEST(Morphology, OpeningsOfAnyElementAreOpenings) {
  // Anti-extensive and idempotent: what only holds because dilation turns the element.
  const Image in = random_image({90, 70}, Type::u8, 5), element = element_of("random:7x5", 6);
  const auto opened = [&](const Image& image) {
    const Image low = erode(image.view(), element.view());
    return dilate(low.view(), element.view());
  };
  const Image once = opened(in), twice = opened(once);
  EXPECT_EQ(bytes_of_view(once.view()), bytes_of_view(twice.view()));
  const auto before = bytes_of_view(in.view()), after = bytes_of_view(once.view());
  EXPECT_NE(before, after);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_LE(after[k], before[k]);
}

TEST(Morphology, EmptyImagesGiveEmptyResults) {
  for (const Size size : {Size{0, 5}, Size{5, 0}, Size{0, 0}, Size{5, 5, 1, 0}})
    EXPECT_TRUE(
        erode(testing::short_view(Image(size, Type::f32)), testing::short_view(disk_element(2)))
            .info()
            .size.empty());
  EXPECT_TRUE(dilate(testing::short_view(Image({4, 4}, Type::f32)),
                     testing::short_view(box_element(5, 5)), {.border = Border::valid})
                  .info()
                  .size.empty());
}

TEST(Morphology, NegativeAndZeroStepsAreViewsLikeAnyOther) {
  const Image in = random_image({21, 13}, Type::u16, 4), element = element_of("random:3x5", 5);
  AnyView turned = in.view();
  turned.data = turned.address(20, 12);
  turned.pixel = -turned.pixel;
  turned.row = -turned.row;
  AnyView constant_rows = in.view();
  constant_rows.row = 0;
  for (const AnyView& view : {turned, constant_rows})
    EXPECT_EQ(
        bytes_of_view(testing::short_view(dilate(view, element.view(), {.backend = Backend::cpu}))),
        bytes_of_view(testing::short_view(
            dilate(testing::short_view(copy(view)), element.view(), {.method = "reference"}))));
}

TEST(Morphology, ChoosesByTheElement) {
  const ImageInfo image{{640, 480}, Type::u8};
  const auto method = [&](const char* element) {
    return Morphology(MorphologyKind::erode, image, testing::short_view(element_from_text(element)),
                      {.backend = Backend::cpu})
        .method();
  };
  EXPECT_EQ(method("box:15x15"), "separable");
  EXPECT_EQ(method("line:9,90"), "separable");
  EXPECT_EQ(method("disk:12"), "direct");
  const Morphology valid(MorphologyKind::dilate, image, testing::short_view(box_element(5, 4)),
                         {.border = Border::valid, .anchor = Point{1, 0}});
  EXPECT_EQ(valid.first_pixel(), (Point{3, 3}));
  EXPECT_EQ(valid.output().size, (Size{636, 477}));
}

}  // namespace
}  // namespace tessera
