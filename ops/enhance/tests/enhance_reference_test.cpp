// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, step by step.
#include <gtest/gtest.h>

#include "ops/enhance/enhance_problem.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using Samples = std::vector<int>;

Image image_of(Size size, Type type, const Samples& samples) {
  Image image(size, type);
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (type == Type::u8)
      image.as<std::uint8_t>().data[k] = static_cast<std::uint8_t>(samples[k]);
    else
      image.as<std::uint16_t>().data[k] = static_cast<std::uint16_t>(samples[k]);
  return image;
}
Image row_of(const Samples& samples, Type type = Type::u8) {
  return image_of({static_cast<int>(samples.size()), 1}, type, samples);
}

Samples samples_of(const Image& image) {
  Samples samples;
  for (long long k = 0; k < image.info().size.samples(); ++k)
    samples.push_back(image.info().type == Type::u8 ? image.as<std::uint8_t>().data[k]
                                                    : image.as<std::uint16_t>().data[k]);
  return samples;
}

EnhanceOptions by_reference(EnhanceOptions options) {
  options.backend = Backend::cpu;
  options.method = "reference";
  return options;
}
Samples enhanced(const Image& image, const EnhanceOptions& options) {
  return samples_of(enhance(image.view(), by_reference(options)));
}
Samples smoothed(const Image& image, const Image& weights) {
  const Enhance plan(image.info(), by_reference({.steps = "smooth"}), weights.view());
  Image out(plan.output());
  plan(image.view(), out.view());
  return samples_of(out);
}
Image weights_of(Size size, const Samples& weights) {
  Image image(size, Type::f64);
  for (std::size_t k = 0; k < weights.size(); ++k) image.as<double>().data[k] = weights[k];
  return image;
}

TEST(EnhanceReference, GreyIsTheClassicSumRounded) {
  // 77 R + 151 G + 28 B + 128 over 256: 4758, 205, 282, 240, 268.
  const Image pixels = image_of({6, 1, 3}, Type::u8,
                                {10, 20, 30, 1, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 5, 255, 255, 255});
  EXPECT_EQ(enhanced(pixels, {.steps = "grey"}), (Samples{18, 0, 1, 0, 1, 255}));
  const Image deep = image_of({2, 1, 3}, Type::u16, {65535, 0, 0, 65535, 65535, 65535});
  EXPECT_EQ(enhanced(deep, {.steps = "grey"}), (Samples{19712, 65535}));
}

TEST(EnhanceReference, GreyByOtherWeights) {
  const Image green = image_of({1, 1, 3}, Type::u8, {0, 255, 0});
  // 38470 and 46871 times 255, plus 2^15, over 2^16.
  EXPECT_EQ(enhanced(green, {.steps = "grey", .grey = "bt601"}), (Samples{150}));
  EXPECT_EQ(enhanced(green, {.steps = "grey", .grey = "bt709"}), (Samples{182}));
  EXPECT_EQ(enhanced(green, {.steps = "grey", .grey = "0,65536,0"}), (Samples{255}));
  EXPECT_EQ(enhanced(green, {.steps = "grey", .grey = "1,0,65535"}), (Samples{0}));
  for (const char* grey : {"classic", "bt601", "bt709"})
    EXPECT_EQ(enhanced(image_of({1, 1, 3}, Type::u16, {65535, 65535, 65535}),
                       {.steps = "grey", .grey = grey}),
              (Samples{65535}));
}

TEST(EnhanceReference, GreyImagesStayAsTheyAre) {
  const Image grey = image_of({2, 1, 2}, Type::u8, {7, 100, 9, 200});
  EXPECT_EQ(enhanced(grey, {.steps = "grey"}), (Samples{7, 100, 9, 200}));
}

TEST(EnhanceReference, RanksAreExact) {
  EXPECT_EQ(rank_of(350'000'000, 20), 7);  // 0.35 * 20 is 7 and not a little more
  EXPECT_EQ(rank_of(350'000'001, 20), 8);
  EXPECT_EQ(rank_of(3'500'000, 46'953'096), 164'336);
  EXPECT_EQ(rank_of(0, 5), 0);
  EXPECT_EQ(rank_of(1'000'000'000, 1ULL << 50), 1LL << 50);
  EXPECT_EQ(rank_of(999'999'999, 4'000'000'000'000), 4'000'000'000'000 - 4000);
  EXPECT_EQ(rank_of(1, 1), 1);
  EXPECT_EQ(rank_of(500'000'000, 0), 0);
}

TEST(EnhanceReference, PercentilesAreTheSmallestValueWithEnoughPixels) {
  const Image ten = row_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto limits = [&](double low, double high) {
    const Enhance plan(ten.info(), by_reference({.steps = "contrast", .low = low, .high = high}));
    const auto findings = plan.examine(ten.view(), thread_stream()).findings();
    return Samples{static_cast<int>(findings.at(0).low.value_or(-1)),
                   static_cast<int>(findings.at(0).high.value_or(-1))};
  };
  EXPECT_EQ(limits(10, 90), (Samples{1, 9}));
  EXPECT_EQ(limits(10.0000001, 90.0000001), (Samples{2, 10}));
  EXPECT_EQ(limits(0, 100), (Samples{0, 10}));
  EXPECT_EQ(limits(50, 50.0000001), (Samples{5, 6}));
  EXPECT_EQ(limits(41, 49), (Samples{-1, -1}));  // both are 5
  // ((v - 1) 255 + 4) div 8
  EXPECT_EQ(enhanced(ten, {.steps = "contrast", .low = 10, .high = 90}),
            (Samples{0, 32, 64, 96, 128, 159, 191, 223, 255, 255}));
}

TEST(EnhanceReference, ThresholdTakesValuesWithMorePixels) {
  const Image image = row_of({5, 7, 7, 8, 9, 9, 9, 20});
  const auto contrast = [&](long long threshold) {
    return enhanced(image,
                    {.steps = "contrast", .rule = ContrastRule::threshold, .threshold = threshold});
  };
  EXPECT_EQ(contrast(1), (Samples{0, 0, 0, 128, 255, 255, 255, 255}));  // 7 to 9
  EXPECT_EQ(contrast(0), (Samples{0, 34, 34, 51, 68, 68, 68, 255}));    // 5 to 20
  EXPECT_EQ(contrast(2), samples_of(image));                            // only 9
  EXPECT_EQ(contrast(3), samples_of(image));                            // none
}

TEST(EnhanceReference, FlatImagesStayAsTheyAre) {
  for (const char* steps : {"contrast", "equalise", "smooth", "contrast,equalise,smooth"})
    for (const int value : {0, 77, 255})
      EXPECT_EQ(enhanced(image_of({3, 2}, Type::u8, Samples(6, value)), {.steps = steps}),
                Samples(6, value))
          << steps;
}

TEST(EnhanceReference, EqualiseSpreadsCounts) {
  // n = 2, N = 4: 20 becomes (1 * 255 + 1) div 2.
  EXPECT_EQ(enhanced(row_of({10, 10, 20, 30}), {.steps = "equalise"}), (Samples{0, 0, 128, 255}));
  EXPECT_EQ(enhanced(row_of({10, 10, 20, 30}, Type::u16), {.steps = "equalise"}),
            (Samples{0, 0, 32768, 65535}));
}

TEST(EnhanceReference, SmoothCountsOnlyWeightsInside) {
  // One row: 2 4 2 of the nine weights are inside, 4 2 at the ends. 23/6, 84/8, 103/6.
  EXPECT_EQ(enhanced(row_of({0, 10, 20}), {.steps = "smooth", .smooth = "triangle:3"}),
            (Samples{3, 10, 17}));
  EXPECT_EQ(
      enhanced(image_of({2, 2}, Type::u8, {1, 2, 3, 5}), {.steps = "smooth", .smooth = "ones:3x3"}),
      (Samples{3, 3, 3, 3}));
  // The default, in the middle of a 5x5 image with one bright pixel: 9 * 250 + 40 over 81.
  Image spot({5, 5}, Type::u8);
  spot.as<std::uint8_t>().at(2, 2) = 250;
  EXPECT_EQ(enhanced(spot, {.steps = "smooth"})[12], 28);
  // In the corner weight 1 of 1 + 2 + 3 each way, 36 in all: 250 + 18 over 36.
  EXPECT_EQ(enhanced(spot, {.steps = "smooth"})[0], 7);
}

TEST(EnhanceReference, SmoothAnchorsAtHalfTheSides) {
  // An even side reads more to the left and above.
  EXPECT_EQ(enhanced(row_of({0, 10, 21}), {.steps = "smooth", .smooth = "ones:2x1"}),
            (Samples{0, 5, 16}));
  EXPECT_EQ(
      enhanced(image_of({1, 3}, Type::u8, {0, 10, 21}), {.steps = "smooth", .smooth = "ones:1x2"}),
      (Samples{0, 5, 16}));
  EXPECT_EQ(smoothed(row_of({1, 2, 3, 4}), weights_of({4, 1}, {1, 0, 0, 0})),
            (Samples{1, 2, 1, 2}));  // two to the left, or nothing: then the pixel stays
}

TEST(EnhanceReference, SmoothWithNegativeWeights) {
  const Image sharpen = weights_of({3, 1}, {-1, 3, -1});
  EXPECT_EQ(smoothed(row_of({10, 20, 30}), sharpen), (Samples{5, 20, 35}));
  EXPECT_EQ(smoothed(row_of({0, 255, 0}), sharpen), (Samples{0, 255, 0}));
  // Sums of 0 and -1: the pixels stay.
  EXPECT_EQ(smoothed(row_of({10, 50, 30}), weights_of({3, 1}, {1, -2, 1})), (Samples{10, 50, 30}));
}

TEST(EnhanceReference, SmoothByAFloatFilter) {
  EXPECT_EQ(enhanced(row_of({0, 10, 20}), {.steps = "smooth", .smooth = "box:3x1"}),
            (Samples{5, 10, 15}));
  EXPECT_EQ(enhanced(image_of({3, 1, 2}, Type::u16, {0, 1, 1000, 2, 2000, 3}),
                     {.steps = "smooth", .smooth = "box:3x1"}),
            (Samples{500, 1, 1000, 2, 1500, 3}));
}

TEST(EnhanceReference, AlphaIsKept) {
  const Image image = image_of({2, 1, 4}, Type::u8, {10, 20, 30, 99, 50, 60, 70, 3});
  EXPECT_EQ(enhanced(image, {.steps = "grey"}), (Samples{18, 99, 58, 3}));
  EXPECT_EQ(enhanced(image, {.steps = "grey,contrast,smooth", .smooth = "ones:3x3"}),
            (Samples{128, 99, 128, 3}));
  EXPECT_EQ(enhanced(image, {.steps = "smooth", .smooth = "ones:3x3"}),
            (Samples{30, 40, 50, 99, 30, 40, 50, 3}));
  EXPECT_EQ(enhanced(image, {.steps = "equalise", .channels = ChannelCurves::each}),
            (Samples{0, 0, 0, 99, 255, 255, 255, 3}));
}

TEST(EnhanceReference, ColoursTogetherOrEach) {
  const Image image = image_of({2, 1, 3}, Type::u8, {10, 100, 50, 20, 200, 60});
  EnhanceOptions options{.steps = "contrast", .rule = ContrastRule::threshold, .threshold = 0};
  EXPECT_EQ(enhanced(image, options), (Samples{0, 121, 54, 13, 255, 67}));
  options.channels = ChannelCurves::each;
  EXPECT_EQ(enhanced(image, options), (Samples{0, 0, 0, 255, 255, 255}));
}

TEST(EnhanceReference, SixteenBitsInFull) {
  Image all({256, 256}, Type::u16);
  for (int k = 0; k < 65536; ++k) all.as<std::uint16_t>().data[k] = static_cast<std::uint16_t>(k);
  // Ranks 230 and 65307 of 65536, so 229 to 65306.
  const Samples out = enhanced(all, {.steps = "contrast"});
  EXPECT_EQ(out[229], 0);
  EXPECT_EQ(out[230], 1);
  EXPECT_EQ(out[32768], 32768);
  EXPECT_EQ(out[65305], 65534);
  EXPECT_EQ(out[65306], 65535);
  EXPECT_EQ(enhanced(all, {.steps = "equalise"}), samples_of(all));
  const Image white = image_of({70, 1}, Type::u16, Samples(70, 65535));
  EXPECT_EQ(enhanced(white, {.steps = "smooth", .smooth = "triangle:29"}), Samples(70, 65535));
  EXPECT_EQ(smoothed(white, weights_of({2, 1}, {1, 65534})), Samples(70, 65535));
}

TEST(EnhanceReference, FindingsSayWhatStepsSaw) {
  const Image image = image_of({2, 1, 3, 2}, Type::u8,
                               {10, 20, 30, 10, 20, 31,  //
                                0, 0, 0, 255, 255, 255});
  const Enhance plan(image.info(),
                     by_reference({.steps = "histogram,grey,contrast", .low = 0, .high = 100}));
  EXPECT_EQ(plan.sweeps(), 2);
  const auto findings = plan.examine(image.view(), thread_stream()).findings();
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].step, EnhanceStep::histogram);
  EXPECT_EQ(findings[0].counts.size(), 256U);
  EXPECT_EQ(findings[0].counts[10], 2U);
  EXPECT_EQ(findings[0].counts[31], 1U);
  EXPECT_EQ(findings[1].plane, 1);
  EXPECT_EQ(findings[1].counts[255], 3U);
  EXPECT_EQ(findings[2].step, EnhanceStep::contrast);
  EXPECT_EQ(findings[2].counts[18], 2U);
  EXPECT_FALSE(findings[2].channel.has_value());
  EXPECT_EQ(findings[3].low, 0);
  EXPECT_EQ(findings[3].high, 255);
  EXPECT_EQ(findings[3].curve[77], 77);
}

}  // namespace
}  // namespace tessera
