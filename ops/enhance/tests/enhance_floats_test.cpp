// SPDX-License-Identifier: Apache-2.0
// Images of floats: the definition by hand, and every way to run against it, byte by byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/samples.hpp"
#include "ops/enhance/enhance_floats.hpp"
#include "tessera/filters.hpp"
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

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kLargestFloat = std::numeric_limits<double>::max();
using FloatSamples = std::vector<double>;

Image floats_of(Size size, Type type, const FloatSamples& samples) {
  Image image(size, type);
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (type == Type::f32)
      image.as<float>().data[k] = static_cast<float>(samples[k]);
    else
      image.as<double>().data[k] = samples[k];
  return image;
}
Image float_row(const FloatSamples& samples, Type type = Type::f64) {
  return floats_of({static_cast<int>(samples.size()), 1}, type, samples);
}

FloatSamples float_samples(const Image& image) {
  FloatSamples samples;
  for (long long k = 0; k < image.info().size.samples(); ++k)
    samples.push_back(image.info().type == Type::f32 ? image.as<float>().data[k]
                                                     : image.as<double>().data[k]);
  return samples;
}

EnhanceOptions on_cpu(EnhanceOptions options, const char* method) {
  options.backend = Backend::cpu;
  options.method = method;
  return options;
}
/// By the reference; the method must agree.
FloatSamples enhanced_floats(const Image& image, const EnhanceOptions& options) {
  const Image truth = enhance(image.view(), on_cpu(options, "reference"));
  const Image made = enhance(image.view(), on_cpu(options, "steps"));
  EXPECT_EQ(bytes_of_view(made.view()), bytes_of_view(truth.view()));
  return float_samples(truth);
}
const EnhanceOptions kFullContrast{.steps = "contrast", .low = 0, .high = 100};

TEST(EnhanceFloats, KeysAreInTheOrderOfValues) {
  const FloatSamples rising{-kEndless, -kLargestFloat, -1, -1e-300,       -5e-324, 0,
                            5e-324,    1e-300,         1,  kLargestFloat, kEndless};
  for (std::size_t k = 1; k < rising.size(); ++k)
    EXPECT_LT(key_of(rising[k - 1]), key_of(rising[k]));
  EXPECT_EQ(key_of(-0.0), key_of(0.0));
  EXPECT_EQ(key_of(-0.0F), key_of(0.0F));
  for (const double v : rising) EXPECT_EQ(value_of_key<double>(key_of(v)), v);
  for (const float v : {-2.5F, -1e-44F, 0.0F, 1e-44F, 3e38F})
    EXPECT_EQ(value_of_key<float>(key_of(v)), v);
}

TEST(EnhanceFloats, GreyIsNotRoundedToLevels) {
  const Image pixels = floats_of({2, 1, 3}, Type::f64, {0.5, 0.25, 1, -3, 2, kEndless});
  EXPECT_EQ(enhanced_floats(pixels, {.steps = "grey"}),
            (FloatSamples{(77 * 0.5 + 151 * 0.25 + 28) / 256, kEndless}));
  const Image alpha = floats_of({1, 1, 4}, Type::f32, {1, 1, 1, 7});
  EXPECT_EQ(enhanced_floats(alpha, {.steps = "grey"}), (FloatSamples{1, 7}));
  const Image huge =
      floats_of({1, 1, 3}, Type::f64, {kLargestFloat / 2, kLargestFloat / 2, kLargestFloat / 2});
  EXPECT_DOUBLE_EQ(enhanced_floats(huge, {.steps = "grey"})[0], kLargestFloat / 2);
  const Image opposite = floats_of({1, 1, 3}, Type::f32, {kEndless, -kEndless, 0});
  EXPECT_TRUE(std::isnan(enhanced_floats(opposite, {.steps = "grey"})[0]));
  for (const auto& isa : isa_names()) {
    const ForcedIsa forced(isa);
    const Image over = floats_of({2, 1, 3}, Type::f32, {kEndless, 0, 0, -kEndless, 5, 5});
    EXPECT_EQ(enhanced_floats(over, {.steps = "grey"}), (FloatSamples{kEndless, -kEndless})) << isa;
  }
}

TEST(EnhanceFloats, PercentilesAreExact) {
  const Image ten = float_row({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, Type::f32);
  const auto limits = [](const Image& image, double low, double high) {
    FloatSamples found;
    for (const char* method : {"reference", "steps"}) {
      const Enhance plan(image.info(),
                         on_cpu({.steps = "contrast", .low = low, .high = high}, method));
      const EnhanceFinding finding = plan.examine(image.view(), thread_stream()).findings().at(0);
      EXPECT_TRUE(finding.counts.empty() && finding.curve.empty());
      found.push_back(finding.low.value_or(kNoNumber));
      found.push_back(finding.high.value_or(kNoNumber));
    }
    return found;
  };
  EXPECT_EQ(limits(ten, 10, 90), (FloatSamples{1, 9, 1, 9}));
  EXPECT_EQ(limits(ten, 10.0000001, 90.0000001), (FloatSamples{2, 10, 2, 10}));
  EXPECT_EQ(limits(ten, 0, 100), (FloatSamples{1, 10, 1, 10}));
  const Image some = float_row({kNoNumber, 3, -kEndless, -7e-320, kEndless, 1e308, kNoNumber, 0.1});
  EXPECT_EQ(limits(some, 0, 100), (FloatSamples{-7e-320, 1e308, -7e-320, 1e308}));
  EXPECT_EQ(limits(some, 25, 75), (FloatSamples{-7e-320, 3, -7e-320, 3}));
  EXPECT_TRUE(std::isnan(limits(ten, 41, 49)[2]));  // both are 5
  EXPECT_EQ(Enhance(ten.info(), {.steps = "contrast"}).sweeps(), 2);
  EXPECT_EQ(Enhance(some.info(), {.steps = "contrast"}).sweeps(), 4);
}

TEST(EnhanceFloats, ContrastStretchesToOne) {
  EXPECT_EQ(enhanced_floats(float_row({2, 4, 3, 6}), kFullContrast),
            (FloatSamples{0, 0.5, 0.25, 1}));
  const FloatSamples odd =
      enhanced_floats(float_row({2, kNoNumber, -kEndless, kEndless, 4}), kFullContrast);
  EXPECT_TRUE(std::isnan(odd[1]));
  EXPECT_EQ((FloatSamples{odd[0], odd[2], odd[3], odd[4]}), (FloatSamples{0, 0, 1, 1}));
  EXPECT_EQ(enhanced_floats(float_row({-kLargestFloat, 0, kLargestFloat}), kFullContrast),
            (FloatSamples{0, 0.5, 1}));
  EXPECT_EQ(enhanced_floats(float_row({0, 5e-324, 1e-323}), kFullContrast),
            (FloatSamples{0, 0.5, 1}));
  EXPECT_EQ(enhanced_floats(float_row({1, 2, 3, 4, 5}, Type::f32),
                            {.steps = "contrast", .low = 40, .high = 80}),
            (FloatSamples{0, 0, 0.5, 1, 1}));
}

TEST(EnhanceFloats, FlatImagesStayAsTheyAre) {
  for (const char* steps : {"contrast", "clahe"})
    for (const Type type : {Type::f32, Type::f64}) {
      EXPECT_EQ(enhanced_floats(float_row({7, 7, 7}, type), {.steps = steps}),
                (FloatSamples{7, 7, 7}));
      EXPECT_EQ(enhanced_floats(float_row({7, kEndless, -kEndless}, type), {.steps = steps}),
                (FloatSamples{7, kEndless, -kEndless}));
      EXPECT_EQ(enhanced_floats(float_row({-0.0, 0.0}, type), {.steps = steps}),
                (FloatSamples{0, 0}));
      const FloatSamples none =
          enhanced_floats(float_row({kNoNumber, kNoNumber}, type), {.steps = steps});
      EXPECT_TRUE(std::isnan(none[0]) && std::isnan(none[1]));
    }
}

TEST(EnhanceFloats, AlphaIsKeptAndChannelsAreAloneIfAsked) {
  const Image image = floats_of({2, 1, 4}, Type::f32, {1, 20, 5, 99, 3, 10, 5, -4});
  EnhanceOptions options = kFullContrast;
  options.channels = ChannelCurves::each;
  EXPECT_EQ(enhanced_floats(image, options), (FloatSamples{0, 1, 5, 99, 1, 0, 5, -4}));
  options.channels = ChannelCurves::together;
  EXPECT_EQ(enhanced_floats(floats_of({2, 1, 2}, Type::f64, {0, 8, 4, 9}), options),
            (FloatSamples{0, 8, 1, 9}));
}

TEST(EnhanceFloats, ClaheOfOneTileByHand) {
  // One tile, no limit: levels 4095, 8191, 12287, 16383 of four values.
  const EnhanceOptions options{.steps = "clahe", .tiles = {1, 1}, .clip = 0};
  const FloatSamples expected{0, 4096 / 12288.0, 8192 / 12288.0, 1};
  EXPECT_EQ(enhanced_floats(floats_of({2, 2}, Type::f64, {-10, 20, 30, 1000}), options), expected);
  EXPECT_EQ(enhanced_floats(floats_of({2, 2}, Type::f64, {0, 0.25, 0.5, 1}), options), expected);
  EXPECT_EQ(enhanced_floats(
                floats_of({2, 2}, Type::f64, {-kLargestFloat, -1e307, 0, kLargestFloat}), options),
            expected);
  EXPECT_EQ(enhanced_floats(floats_of({2, 2}, Type::f32, {0, 1, 0, 1}), options),
            (FloatSamples{0, 1, 0, 1}));
  // In the first bin: NaN, 3, -inf and 3, half of eight; 4 is alone.
  const FloatSamples odd = enhanced_floats(
      floats_of({4, 2}, Type::f64, {kNoNumber, 3, kEndless, -kEndless, 5, 4, 3, 5}), options);
  EXPECT_TRUE(std::isnan(odd[0]));
  EXPECT_EQ((FloatSamples{odd.begin() + 1, odd.end()}),
            (FloatSamples{0, 1, 0, 1, (10239 - 8191) / 8192.0, 0, 1}));
}

/// Values closer than scikit-image's 65536 steps are told apart, if the range is small.
TEST(EnhanceFloats, ClaheKeepsSmallRanges) {
  const EnhanceOptions options{.steps = "clahe", .tiles = {1, 1}, .clip = 0};
  const FloatSamples expected{0, 4096 / 12288.0, 8192 / 12288.0, 1};
  EXPECT_EQ(enhanced_floats(floats_of({2, 2}, Type::f64, {1e-9, 2e-9, 3e-9, 4e-9}), options),
            expected);
}

TEST(EnhanceFloats, SmoothDividesByTheWeightsInside) {
  const auto near = [](const FloatSamples& got, const FloatSamples& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], wanted[k], 1e-6) << k;
  };
  for (const Type type : {Type::f32, Type::f64})
    for (const char* method : {"reference", "steps"}) {
      const auto smoothed = [&](const Image& image, const char* weights) {
        return float_samples(
            enhance(image.view(), on_cpu({.steps = "smooth", .smooth = weights}, method)));
      };
      near(smoothed(float_row({0, 0.1, 0.2}, type), "triangle:3"), {0.1 / 3, 0.1, 0.5 / 3});
      near(smoothed(floats_of({2, 2}, type, {1, 2, 3, 5}), "ones:3x3"), {2.75, 2.75, 2.75, 2.75});
      near(smoothed(floats_of({3, 1, 2}, type, {0, 1, 3, 2, 6, 3}), "box:3x1"),
           {1.5, 1, 3, 2, 4.5, 3});
    }
}

/// One problem of the sweep.
struct FloatCase {
  Size size;
  Type type;
  EnhanceOptions options;
  std::string content;
  int pixel_gap;
  bool upwards;

  std::string name() const {
    return fmt::format("{}x{}x{}x{} {}, {}, {}, gap {}, upwards {}", size.width, size.height,
                       size.channels, size.planes, name_of(type), changed_options(options), content,
                       pixel_gap, upwards);
  }
};

double changed(double v, long long k, const std::string& content, Type type) {
  const bool single = type == Type::f32;
  if (content == "unit") return 0.5 + 0.5 * v;
  if (content == "positive") return 0.3 + 0.2 * v;
  if (content == "narrow") return 5 + 1e-3 * v;
  if (content == "few") return std::floor(4 * v) / 4;
  if (content == "zeros") return std::floor(2 * v) == 0 ? -0.0 : std::floor(2 * v);
  if (content == "huge") return v * (single ? std::numeric_limits<float>::max() : kLargestFloat);
  if (content == "tiny") return v * (single ? 1e-41 : 1e-310);
  if (content == "flat") return -2.5;
  if (content == "all nan") return kNoNumber;
  if (content == "spread") return std::ldexp(v, static_cast<int>(k * 7919 % 120) - 60);
  if (content == "holes")
    return k % 7 == 3 ? kNoNumber : k % 11 == 5 ? kEndless : k % 13 == 1 ? -kEndless : v;
  return v;
}

Image image_of_case(const FloatCase& c, unsigned seed) {
  const Image values = random_image(c.size, c.type, seed);
  FloatSamples samples = float_samples(values);
  for (std::size_t k = 0; k < samples.size(); ++k)
    samples[k] = changed(samples[k], static_cast<long long>(k), c.content, c.type);
  return floats_of(c.size, c.type, samples);
}

FloatCase make_float_case(int k) {
  Picker p(k);
  FloatCase c;
  c.size.width = p.pick<int>({1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130, 257, 300});
  c.size.height = p.pick<int>({1, 5, 2, 9, 3, 1, 16, 17, 33, 64, 65, 130});
  c.size.channels = p.pick<int>({1, 3, 2, 4, 3});
  c.size.planes = p.pick<int>({1, 1, 2, 3});
  c.type = p.pick<Type>({Type::f32, Type::f64});
  c.options.steps = p.pick<std::string>({"contrast", "clahe", "grey", "grey,contrast", "grey,clahe",
                                         "clahe,contrast", "contrast,clahe,grey",
                                         "grey,grey,contrast,contrast", "clahe,clahe"});
  c.options.grey = p.pick<std::string>({"classic", "bt601", "0,65536,0", "1,2,3", "0,0,0"});
  c.options.low = p.pick<double>({0.35, 0, 5, 25, 0.0000001});
  c.options.high = p.pick<double>({99.65, 100, 95, 60, 99.9999999});
  c.options.channels =
      p.pick<ChannelCurves>({ChannelCurves::together, ChannelCurves::each, ChannelCurves::value});
  c.options.tiles = p.pick<Point>({{8, 8}, {1, 1}, {3, 2}, {5, 7}});
  c.options.clip = p.pick<double>({0.01, 0, 0.05, 1});
  c.content = p.pick<std::string>({"full", "unit", "positive", "narrow", "few", "zeros", "huge",
                                   "tiny", "flat", "all nan", "spread", "holes", "unit"});
  c.pixel_gap = p.pick<int>({0, 0, 1, 3});
  c.upwards = p.pick<int>({0, 1, 0}) == 1;
  return c;
}

template <class View>
View turned_over(View view) {
  view.data = view.address(0, view.size.height - 1);
  view.row = -view.row;
  return view;
}

/// "" or where two images differ; with `any_nan`, NaN of other bits are the same.
std::string first_difference(const AnyView& got, const AnyView& wanted, bool any_nan = false) {
  for (int plane = 0; plane < got.size.planes; ++plane)
    for (int y = 0; y < got.size.height; ++y)
      for (int x = 0; x < got.size.width; ++x)
        for (int c = 0; c < got.size.channels; ++c) {
          const double a = sample_at(got, x, y, c, plane), b = sample_at(wanted, x, y, c, plane);
          if (any_nan && std::isnan(a) && std::isnan(b)) continue;
          if (std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b))
            return fmt::format("{} instead of {} at {}, {}, channel {}, plane {}", a, b, x, y, c,
                               plane);
        }
  return "";
}

void check_float_case(const FloatCase& c, const Way& way, unsigned seed) {
  const ForcedIsa forced(way.isa);
  const Image values = image_of_case(c, seed);
  const Guarded frame(c.size, c.type, c.pixel_gap);
  const AnyMutableView in = c.upwards ? turned_over(frame.view()) : frame.view();
  copy_samples(values.view(), in);
  const Enhance reference(values.info(), on_cpu(c.options, "reference"));
  Image truth(reference.output());
  reference(values.view(), truth.view());
  const Enhance plan(values.info(), on_cpu(c.options, "steps"));
  const Guarded out(plan.output().size, c.type, c.pixel_gap);
  const AnyMutableView result = c.upwards ? turned_over(out.view()) : out.view();
  plan(in, result);
  EXPECT_EQ(first_difference(result, truth.view()), "") << way.name() << ": " << c.name();
  EXPECT_TRUE(out.untouched_outside()) << way.name() << ": " << c.name();
}

TEST(EnhanceFloats, CpuMatchesReference) {
  const int count = testing::run_all() ? 3000 : testing::run_small() ? 20 : 40;
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    for (int k = 0; k < count && !::testing::Test::HasFailure(); ++k)
      check_float_case(make_float_case(k), way, static_cast<unsigned>(k));
  }
}

TEST(EnhanceFloats, AutoTakesTheCpu) {
  for (const Type type : {Type::f32, Type::f64}) {
    const Enhance plan({{640, 480, 3}, type}, {.steps = "grey,contrast,smooth"});
    EXPECT_EQ(plan.backend(), Backend::cpu);
    EXPECT_EQ(plan.method(), "steps");
    EXPECT_EQ(plan.output().type, type);
  }
}

/// In strips, in any order, on any number of threads.
TEST(EnhanceFloats, SameBitsForAnyThreadsAndPieces) {
  int turn = 0;  // every eighth case, another one for the next target
  const Size size = testing::run_small() ? Size{9, 11, 3} : Size{23, 29, 4, 2};
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    ++turn;
    for (const Type type : {Type::f32, Type::f64})
      for (const char* content : {"unit", "holes"})
        for (const char* steps : {"contrast", "clahe", "grey,clahe,contrast", "smooth,contrast"})
          for (const ChannelCurves channels : {ChannelCurves::each, ChannelCurves::value})
            for (const char* method : {"reference", "steps"}) {
              // The reference has no targets.
              if (way.isa != isa_names()[0] && method == std::string("reference")) continue;
              if (++turn % 8 != 0 && !testing::run_all()) continue;
              const FloatCase c{size, type, {}, content, 0, false};
              const Image in = image_of_case(c, 3);
              const EnhanceOptions options =
                  on_cpu({.steps = steps, .low = 2, .channels = channels}, method);
              const Enhance plan(in.info(), options);
              Image whole(plan.output()), pieces(plan.output());
              plan(in.view(), whole.view());
              for (const auto& cut : {std::pair{3, 5}, {2, 13}}) {
                const int threads = cut.first, rows = cut.second;
                Stream stream(kHost, threads);
                EnhanceState state = plan.start();
                const auto each = [&](auto work) {
                  for (int first = (size.height - 1) / rows * rows; first >= 0; first -= rows)
                    work(Rows{first, std::min(first + rows, size.height)});
                };
                const auto held = [&](Rows r) {
                  return Piece{in.view().rows(r.first, r.count()), r.first};
                };
                for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
                  each([&](Rows r) {
                    plan.look(state, held(plan.look_needs(sweep, r)), r, stream);
                  });
                  plan.finish_sweep(state);
                }
                each([&](Rows r) {
                  plan(state, held(plan.needs(r)),
                       {pieces.view().rows(r.first, r.count()), r.first}, stream);
                });
                // convolve's sums do not promise the bits of NaN
                const bool smooths = std::string(steps).starts_with("smooth");
                EXPECT_EQ(first_difference(pieces.view(), whole.view(), smooths), "")
                    << plan.describe() << ", " << content << ", " << threads << " threads, " << rows
                    << " rows";
              }
            }
  }
}

TEST(EnhanceFloats, EmptyImagesGiveEmptyResults) {
  for (const Size size : {Size{0, 5, 3}, Size{5, 0, 3}, Size{5, 5, 3, 0}})
    for (const char* steps : {"grey,contrast,smooth", "clahe"})
      for (const ChannelCurves channels : {ChannelCurves::together, ChannelCurves::value})
        EXPECT_TRUE(enhance(testing::short_view(Image(size, Type::f32)),
                            {.steps = steps, .channels = channels})
                        .info()
                        .size.empty());
}

}  // namespace
}  // namespace tessera
