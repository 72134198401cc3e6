// SPDX-License-Identifier: Apache-2.0
// Weights by name, and bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <limits>

#include "tessera/enhance.hpp"
#include "tessera/filters.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kImage{{8, 6, 3}, Type::u8};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Enhance plan_of(EnhanceOptions options, const Image& weights = {}) {
  options.backend = Backend::cpu;
  return Enhance(kImage, options, weights ? weights.view() : AnyView());
}

std::vector<double> weights_named(const char* text) {
  const Image image = smoothing_from_text(text);
  const double* first = image.as<double>().data;
  return {first, first + image.info().size.samples()};
}

TEST(Smoothings, AreWhatTheirNamesSay) {
  using Weights = std::vector<double>;
  EXPECT_EQ(weights_named("triangle:3"), (Weights{1, 2, 1, 2, 4, 2, 1, 2, 1}));
  EXPECT_EQ(weights_named("binomial:1"), (Weights{1}));
  EXPECT_EQ(weights_named("binomial:2"), (Weights{1, 1, 1, 1}));
  EXPECT_EQ(weights_named("binomial:4"), (Weights{1, 3, 3, 1, 3, 9, 9, 3, 3, 9, 9, 3, 1, 3, 3, 1}));
  EXPECT_EQ(weights_named("ones:2x1"), (Weights{1, 1}));
  EXPECT_EQ(smoothing_from_text("ones:2x5").info().size, (Size{2, 5}));
  EXPECT_EQ(weights_named("box:2x1"), (Weights{0.5, 0.5}));
  double sum = 0;
  for (const double w : weights_named("triangle:5")) sum += w;
  EXPECT_EQ(sum, 81);
}

TEST(Smoothings, BadTextIsRefused) {
  expect_refused({
      {[] { smoothing_from_text("triangle"); },
       "smooth: 'triangle' is not complete; write triangle:N"},
      {[] { smoothing_from_text("triangle:4"); },
       "smooth: a triangle of 4 is not offered; N can be an odd number up to 29"},
      {[] { smoothing_from_text("triangle:31"); },
       "smooth: a triangle of 31 is not offered; N can be an odd number up to 29"},
      {[] { smoothing_from_text("binomial:9"); },
       "smooth: a binomial of 9 is not offered; N can be 1 to 8"},
      {[] { smoothing_from_text("binomial:few"); }, "smooth: 'few' is not an integer"},
      {[] { smoothing_from_text("ones:3"); }, "smooth: 'ones:3' is not complete; write ones:WxH"},
      {[] { smoothing_from_text("ones:x3"); }, "smooth: 'ones:x3' is not complete; write ones:WxH"},
      {[] { smoothing_from_text("ones:3x"); }, "smooth: 'ones:3x' is not complete; write ones:WxH"},
      {[] { smoothing_from_text("ones:0x3"); },
       "smooth: 0 ones are not offered; each way there can be 1 to 64"},
      {[] { smoothing_from_text("gauss"); },
       "filter: 'gauss' is not complete; write gauss:SIGMA[,RADIUS]"},
      {[] { smoothing_from_text("tringle:5"); },
       "smooth: 'tringle:5' is not known (did you mean triangle:N?); it can be triangle:N, "
       "binomial:N, ones:WxH, gauss:SIGMA[,RADIUS], agauss:ALONG,ACROSS,DEGREES[,RADIUS], "
       "box:WxH, sobel:x|y, scharr:x|y, prewitt:x|y, laplacian, gauss-x:SIGMA[,RADIUS], "
       "gauss-y:SIGMA[,RADIUS], log:SIGMA[,RADIUS], dog:LOW[,HIGH], unsharp:SIGMA[,AMOUNT], "
       "gabor:WAVELENGTH,DEGREES,SIGMA[,RADIUS] or outer:ROW,COLUMN"},
  });
}

TEST(EnhanceErrors, StepsAndImagesAreRefused) {
  expect_refused({
      {[] { plan_of({.steps = "grry,contrast"}); },
       "enhance: steps: 'grry' is not known (did you mean grey?); it can be grey, histogram, "
       "contrast, equalise, clahe or smooth"},
      {[] { plan_of({.steps = "grey,,smooth"}); },
       "enhance: steps 'grey,,smooth' has an empty word; write them as grey,contrast,smooth"},
      {[] { plan_of({.steps = ""}); },
       "enhance: steps '' has an empty word; write them as grey,contrast,smooth"},
      {[] { plan_of({.steps = "grey,"}); },
       "enhance: steps 'grey,' has an empty word; write them as grey,contrast,smooth"},
      {[] {
         std::string steps = "grey";
         for (int k = 0; k < 16; ++k) steps += ",grey";
         plan_of({.steps = steps});
       },
       "enhance: 17 steps are given; there can be up to 16"},
      {[] {
         Enhance({{8, 6}, Type::i16});
       },
       "enhance: the image is i16; it can be u8, u16, f32 or f64"},
      {[] {
         Enhance({{8, 6, 5}, Type::u8});
       },
       "enhance: the image is 8x6 with 5 channels and 1 plane; channels can be 1 to 4, and "
       "no size can be negative"},
      {[] { plan_of({.method = "fuse"}); },
       "enhance: method: 'fuse' is not known (did you mean fused?); it can be auto, reference, "
       "fused or steps"},
      {[] { plan_of({.steps = "contrast,grey", .method = "fused"}); },
       "enhance: no method can run this (cpu fused: fused are grey, histogram, contrast or "
       "equalise, and smooth: in that order, each once at most); give another backend or "
       "method"},
      {[] { plan_of({.steps = "clahe", .method = "fused"}); },
       "enhance: no method can run this (cpu fused: clahe is not fused); give another backend "
       "or method"},
      {[] { plan_of({.smooth = "gauss:2", .method = "fused"}); },
       "enhance: no method can run this (cpu fused: the weights are not whole numbers); give "
       "another backend or method"},
      {[] { plan_of({.smooth = "laplacian", .method = "fused"}); },
       "enhance: no method can run this (cpu fused: the weights are not a product of a row and a "
       "column without negative numbers); give another backend or method"},
  });
}

TEST(EnhanceErrors, FloatsAreRefusedWhereValuesAreCounted) {
  const auto floats = [](EnhanceOptions options, Type type = Type::f32, int device = kHost) {
    options.backend = Backend::cpu;
    Enhance({{8, 6, 3}, type, device}, options);
  };
  expect_refused({
      {[&] { floats({.steps = "grey,histogram"}); },
       "enhance: histogram counts every value, and the image is f32; floats take grey, contrast, "
       "clahe and smooth, or convert them to u16"},
      {[&] { floats({.steps = "equalise"}, Type::f64); },
       "enhance: equalise counts every value, and the image is f64; floats take grey, contrast, "
       "clahe and smooth, or convert them to u16"},
      {[&] { floats({.rule = ContrastRule::threshold}); },
       "enhance: rule threshold counts every value, and the image is f32; floats take rule "
       "percentiles, or convert them to u16"},
      {[&] { floats({.steps = "smooth", .smooth = "laplacian"}); },
       "enhance: the weights of smooth sum to 0, and for floats they are divided by that; it must "
       "be positive (convolve takes any weights)"},
      {[&] { floats({.steps = "contrast", .method = "fused"}); },
       "enhance: no method can run this (cpu fused: only method steps of the CPU takes images of "
       "f32); give another backend or method"},
      {[&] { floats({.steps = "contrast"}, Type::f64, 0); },
       "enhance: no method can run this (cpu: the image is on device 0); give another backend or "
       "method"},
      {[] {
         histogram(testing::short_view(Image({8, 6}, Type::f32)));
       },
       "enhance: histogram counts every value, and the image is f32; floats take grey, contrast, "
       "clahe and smooth, or convert them to u16"},
  });
  floats({.steps = "grey,clahe", .rule = ContrastRule::threshold});  // has no effect there
}

TEST(EnhanceErrors, ValueIsRefusedByFusedMethods) {
  expect_refused({
      {[] { plan_of({.steps = "contrast", .channels = ChannelCurves::value, .method = "fused"}); },
       "enhance: no method can run this (cpu fused: only method steps of the CPU takes channels "
       "value); give another backend or method"},
  });
}

TEST(EnhanceErrors, OptionsAreRefused) {
  expect_refused({
      {[] { plan_of({.grey = "bt2020"}); },
       "enhance: grey 'bt2020' is not known; it can be classic, bt601, bt709, or three integers "
       "such as 19712,38656,7168"},
      {[] { plan_of({.grey = "1,2,x"}); }, "enhance: grey: 'x' is not an integer"},
      {[] { plan_of({.grey = "-1,65536,0"}); },
       "enhance: grey -1,65536,0 sums to 65535; its weights can be 0 or more and sum to 65536"},
      {[] { plan_of({.grey = "40000,20000,7168"}); },
       "enhance: grey 40000,20000,7168 sums to 67168; its weights can be 0 or more and sum to "
       "65536"},
      {[] { plan_of({.low = -1}); }, "enhance: low is -1; it can be 0 to 100 percent"},
      {[] { plan_of({.high = 100.5}); }, "enhance: high is 100.5; it can be 0 to 100 percent"},
      {[] { plan_of({.high = kNan}); }, "enhance: high is nan; it can be 0 to 100 percent"},
      {[] { plan_of({.low = 60, .high = 40}); },
       "enhance: low is 60 and high 40 percent; low must be less than high"},
      {[] { plan_of({.threshold = -3}); }, "enhance: threshold is -3; it can be 0 or more pixels"},
      {[] {
         plan_of({.tiles = {0, 8}});
       },
       "enhance: tiles is 0,8; each number can be 1 to 256"},
      {[] { plan_of({.clip = 1.5}); }, "enhance: clip is 1.5; it can be 0 to 1"},
      {[] { plan_of({.clip = kNan}); }, "enhance: clip is nan; it can be 0 to 1"},
  });
}

TEST(EnhanceErrors, WeightsAreRefused) {
  const auto with = [](const Image& weights) { plan_of({.steps = "smooth"}, weights); };
  expect_refused({
      {[&] {
         with(Image({3, 3}, Type::f64));
       },
       "enhance: all 9 weights are 0; at least one must not be"},
      {[&] {
         with(outer({1, kNan}, {1}));
       },
       "enhance: the weight at column 1, row 0 is nan; it must be a finite number"},
      {[&] {
         with(Image({3, 3, 3}, Type::u8));
       },
       "enhance: the filter of smooth has 3 channels and 1 plane; it needs one of each"},
      {[] {
         Enhance(kImage, {.steps = "smooth"}, testing::short_view(Image({0, 5}, Type::u8)));
       },
       "enhance: the filter of smooth is 0 by 5; it needs at least one weight each way"},
      {[&] {
         with(outer(std::vector<double>(65, 1), {1, 1, 1}));
       },
       "enhance: the weights are 65 by 3; whole numbers can be up to 64 by 64, or divide them by "
       "their sum for a float filter"},
      {[&] {
         with(outer({60000, -5536}, {1}));
       },
       "enhance: the weights' magnitudes sum to 65536; whole numbers can sum to 65535, or divide "
       "them by their sum for a float filter"},
      {[&] {
         plan_of({.steps = "grey"}, outer({1, 2}, {1}));
       },
       "enhance: weights are given, but the steps are grey; smooth must be one of them"},
  });
}

TEST(EnhanceErrors, CallsAreRefusedAndOutputsKept) {
  const Enhance plan = plan_of({.steps = "smooth,contrast"}), other = plan_of({});
  const Image in(kImage), wide({9, 6, 3}, Type::u8), high({8, 7, 3}, Type::u8);
  const testing::Guarded out(kImage.size, kImage.type);
  Stream stream;
  EnhanceState started = plan.start(), done = plan.examine(in.view(), stream);
  const Piece top{AnyView(in.view().rows(0, 3)), 0};
  expect_refused({
      {[&] { plan(wide.view(), out.view()); },
       "enhance: the input has 9 columns, 3 channels, 1 plane of u8; the plan was made for 8 "
       "columns, 3 channels, 1 plane of u8"},
      {[&] { plan(high.view(), out.view()); },
       "enhance: the input has 7 rows; the plan was made for 6"},
      {[&] { plan.examine(high.view(), stream); },
       "enhance: the input has 7 rows; the plan was made for 6"},
      {[&] { plan(in.view(), AnyMutableView(out.view().rows(0, 3))); },
       "enhance: the output has 3 rows; the plan was made for 6"},
      {[&] { plan(out.view(), out.view()); },
       "enhance: input and output share memory; give the output its own memory"},
      {[&] {
         plan.look(started, top, {0, 3}, stream);
       },
       "enhance: the piece holds rows 0 to 3, but rows 0 to 5 are needed; give it all rows that "
       "needs() and look_needs() name"},
      {[&] {
         plan.look(started, {AnyView(in.view().rows(0, 0)), 0}, {0, 3}, stream);
       },
       "enhance: the piece holds rows 0 to 0, but rows 0 to 5 are needed; give it all rows that "
       "needs() and look_needs() name"},
      {[&] {
         plan.look(started, {in.view(), 0}, {3, 7}, stream);
       },
       "enhance: rows 3 to 7 are to be looked at; the image has rows 0 to 6"},
      {[&] {
         plan(started, {in.view(), 0}, {out.view(), 0}, stream);
       },
       "enhance: 0 of 1 sweeps are finished; rows can be made after the last"},
      {[&] {
         plan(done, top, {out.view(), 0}, stream);
       },
       "enhance: the piece holds rows 0 to 3, but rows 0 to 6 are needed; give it all rows that "
       "needs() and look_needs() name"},
      {[&] {
         plan.look(done, {in.view(), 0}, {0, 6}, stream);
       },
       "enhance: sweep 1 is asked for; there are 1, counted from 0"},
      {[&] { plan.finish_sweep(done); },
       "enhance: all 1 sweeps are finished; none is left to finish"},
      {[&] { other.finish_sweep(started); },
       "enhance: the state was started by another plan; make it with plan.start()"},
  });
  EXPECT_TRUE(out.untouched_outside());
  for (const unsigned char byte : testing::bytes_of_view(out.view())) EXPECT_EQ(byte, 0xA5);
}

}  // namespace
}  // namespace tessera
