// SPDX-License-Identifier: Apache-2.0
// Options as text, and bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <limits>

#include "tessera/noise_grid.hpp"
#include "tessera/percentile_filter.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kImage{{40, 30}, Type::f32};

Noise plan_of(NoiseOptions options, const ImageInfo& image = kImage) {
  options.backend = Backend::cpu;
  if (options.method == "auto") options.method = "reference";
  return Noise(image, options);
}
NoiseBox box_of(std::string_view text) {
  NoiseBox box;
  from_text("noise: box", text, box);
  return box;
}
NoiseQuantiles quantiles_of(std::string_view text) {
  NoiseQuantiles quantiles;
  from_text("noise: quantiles", text, quantiles);
  return quantiles;
}

TEST(NoiseOptionsText, ThereAndBack) {
  EXPECT_EQ(box_of("64"), (NoiseBox{64, 64}));
  EXPECT_EQ(box_of("96x64"), (NoiseBox{96, 64}));
  EXPECT_EQ(to_text(NoiseBox{96, 64}), "96x64");
  EXPECT_EQ(to_text(NoiseBox{7, 7}), "7");
  EXPECT_EQ(quantiles_of("0.25,0.5").orders, (std::vector<double>{0.25, 0.5}));
  EXPECT_TRUE(quantiles_of("auto").orders.empty());
  EXPECT_TRUE(quantiles_of("").orders.empty());
  EXPECT_EQ(to_text(NoiseQuantiles{{0.25, 0.5}}), "0.25,0.5");
  EXPECT_EQ(to_text(NoiseQuantiles{}), "auto");
}

TEST(NoiseOptionsText, NonsenseIsRefused) {
  expect_refused({
      {[] { box_of("wide"); }, "noise: box: 'wide' is not a size such as 64 or 96x64"},
      {[] { box_of("64x"); }, "noise: box: '64x' is not a size such as 64 or 96x64"},
      {[] { box_of("-5"); }, "noise: box: '-5' is not a size such as 64 or 96x64"},
      {[] { box_of("3x4x5"); }, "noise: box: '3x4x5' is not a size such as 64 or 96x64"},
      {[] { box_of(""); }, "noise: box: '' is not a size such as 64 or 96x64"},
      {[] { box_of("99999999999"); }, "noise: box: '99999999999' is not an integer"},
      {[] { quantiles_of("0.25,half"); }, "noise: quantiles: 'half' is not a number"},
      {[] { quantiles_of("0.25,"); }, "noise: quantiles: '' is not a number"},
  });
}

TEST(NoiseErrors, PlansAreRefused) {
  expect_refused({
      {[] {
         plan_of({.box = {2, 2}});
       },
       "noise: box is 2; each side can be 3 to 1024 pixels"},
      {[] {
         plan_of({.box = {64, 2000}});
       },
       "noise: box is 64x2000; each side can be 3 to 1024 pixels"},
      {[] {
         plan_of({.quantiles = {{0.5, 1.5}}});
       },
       "noise: quantiles is 0.5,1.5; each can be 0 to 1"},
      {[] { plan_of({.quantiles = {{std::numeric_limits<double>::quiet_NaN()}}}); },
       "noise: quantiles is nan; each can be 0 to 1"},
      {[] { plan_of({.quantiles = {std::vector<double>(9, 0.5)}}); },
       "noise: 9 quantiles are given; there can be up to 8"},
      {[] { plan_of({.bins = 7}); }, "noise: bins is 7; it can be 8 to 65535"},
      {[] { plan_of({.bins = 65536}); }, "noise: bins is 65536; it can be 8 to 65535"},
      {[] { plan_of({.bins = 300}); },
       "noise: 300 bins are asked for, but the mode is exact; give mode binned"},
      {[] { plan_of({.estimator = NoiseEstimator::mad, .normal = true}); },
       "noise: normal is about quartiles, but the estimator is mad; give estimator iqr, or leave "
       "out normal"},
      {[] { plan_of({.border = Border::wrap}); },
       "noise: border wrap is not offered; it can be inside, reflect, reflect-101 or replicate"},
      {[] { plan_of({.border = Border::constant}); },
       "noise: border constant is not offered; it can be inside, reflect, reflect-101 or "
       "replicate"},
      {[] { plan_of({.border = Border::valid}); },
       "noise: border valid is not offered; it can be inside, reflect, reflect-101 or replicate"},
      {[] { plan_of({.mode = NoiseMode::binned, .estimator = NoiseEstimator::mad}); },
       "noise: estimator mad needs every value of a box, and mode binned keeps their histogram "
       "alone; give estimator iqr, or mode exact or grid"},
      {[] { plan_of({.estimator = NoiseEstimator::clip, .quantiles = {{0.5}}}); },
       "noise: estimator clip makes a background and a noise, and quantiles are asked for; leave "
       "out one of them"},
      {[] { plan_of({.quantiles = {{0.5}}, .two_pass = true}); },
       "noise: two-pass is about the noise, and quantiles are asked for; leave out one of them"},
      {[] { plan_of({.quantiles = {{0.5}}, .normal = true}); },
       "noise: normal is about the noise, and quantiles are asked for; leave out one of them"},
      {[] {
         plan_of({.grid = NoiseBox{8, 8}});
       },
       "noise: a grid of 8 is given, but the mode is exact; give mode grid"},
      {[] { plan_of({.mode = NoiseMode::grid}); },
       "noise: a plan of every pixel has no mode grid; NoiseGrid has it, or give mode exact or "
       "binned"},
      {[] {
         plan_of({}, {{40, 30, 3}, Type::u8});
       },
       "noise: the image has 3 channels and 1 plane; it needs one of each"},
      {[] {
         plan_of({}, {{40, 30, 1, 2}, Type::f32});
       },
       "noise: the image has 1 channel and 2 planes; it needs one of each"},
      {[] { plan_of({.method = "colums"}); },
       "noise: method: 'colums' is not known (did you mean columns?); it can be auto, reference, "
       "boxes, columns or warps"},
      {[] { plan_of({.mode = NoiseMode::binned, .method = "boxes"}); },
       "noise: no method can run this (cpu boxes: mode binned is made of boxes that slide); give "
       "another backend or method"},
      {[] { plan_of({.estimator = NoiseEstimator::mode, .method = "columns"}); },
       "noise: no method can run this (cpu columns: estimator mode is made of each box by itself); "
       "give another backend or method"},
  });
}

TEST(NoiseErrors, GridsAreRefused) {
  const auto grid = [](NoiseOptions options) {
    options.backend = Backend::cpu;
    return NoiseGrid(kImage, options);
  };
  expect_refused({
      {[&] { grid({}); },
       "noise: a grid of nodes has no mode exact; Noise has it, or give mode grid"},
      {[&] {
         grid({.grid = NoiseBox{0, 4}, .mode = NoiseMode::grid});
       },
       "noise: grid is 0x4; each side can be 1 or more pixels"},
      {[&] { grid({.mode = NoiseMode::grid, .bins = 300}); },
       "noise: 300 bins are asked for, but the mode is grid; give mode binned"},
      {[&] { grid({.mode = NoiseMode::grid, .method = "columns"}); },
       "noise: method: 'columns' is not known; it can be auto or boxes"},
      {[&] {
         const NoiseGrid plan = grid({.mode = NoiseMode::grid});
         NoiseNodes nodes = plan.nodes();
         Stream stream;
         plan.measure_rms(nodes, {testing::short_view(Image(kImage)), 0}, {0, 1}, stream);
       },
       "noise: only the noise is requested, which the plan's options do not allow; give "
       "two-pass"},
      {[&] {
         const NoiseGrid plan = grid({.mode = NoiseMode::grid});
         Image maps(plan.output());
         plan.draw(plan.nodes(), {0, 31}, maps.view(), Stream());
       },
       "noise: rows 0 to 31 are to be drawn into 30 rows; the maps have rows 0 to 30"},
  });
}

TEST(NoiseErrors, CallsOfGridsAreRefused) {
  const auto grid = [](NoiseBox steps, bool two_pass, const ImageInfo& image = kImage) {
    return NoiseGrid(image, {.box = {8, 8},
                             .grid = steps,
                             .mode = NoiseMode::grid,
                             .two_pass = two_pass,
                             .backend = Backend::cpu});
  };
  const NoiseGrid once = grid({10, 10}, false), twice = grid({10, 10}, true);
  const NoiseGrid other = grid({11, 11}, false);
  NoiseNodes nodes = once.nodes(), others = other.nodes();
  const Image in(kImage);
  Image maps(once.output());
  Stream stream;
  const Piece top{in.view().rows(0, 5), 0};
  const char* const lacks =
      "noise: the piece holds rows 0 to 5, but row 5 is needed; give it all rows that needs() "
      "names";
  const char* const not_the_plans =
      "noise: 5x4 nodes with 2 planes and 40 values do not fit the plan, which has 5x4 with 2 "
      "planes "
      "at its own positions; begin with the result of its nodes()";
  const char* const too_many =
      "noise: rows 2 to 5 of nodes are requested; the plan has rows 0 to 4";
  expect_refused({
      {[&] {
         once.measure(nodes, top, {1, 2}, stream);
       },
       "noise: the piece holds rows 0 to 5, but row 6 is needed; give it all rows that needs() "
       "names"},
      {[&] {
         twice.measure_rms(nodes, top, {0, 2}, stream);
       },
       lacks},
      {[&] {
         once.measure(nodes, {in.view(), 0}, {2, 5}, stream);
       },
       too_many},
      {[&] {
         twice.measure_rms(nodes, {in.view(), 0}, {2, 5}, stream);
       },
       too_many},
      {[&] {
         once.needs({2, 5});
       },
       too_many},
      {[&] {
         once.measure(others, {in.view(), 0}, {0, 1}, stream);
       },
       not_the_plans},
      {[&] {
         twice.measure_rms(others, {in.view(), 0}, {0, 1}, stream);
       },
       not_the_plans},
      {[&] { once.settle(others); }, not_the_plans},
      {[&] {
         once.draw(others, {0, 30}, maps.view(), stream);
       },
       not_the_plans},
      {[&] {
         once.mask(testing::short_view(Image({41, 30}, Type::f32)), maps.view());
       },
       "noise: the image has 41 columns, 1 channel, 1 plane of f32; the plan was made for 40 "
       "columns, 1 channel, 1 plane of f32"},
      {[&] {
         Image one(kImage);
         once.mask(in.view(), one.view());
       },
       "noise: the output has 40 columns, 1 channel, 1 plane of f32; the plan was made for 40 "
       "columns, 1 channel, 2 planes of f32"},
      {[&] { once.mask(in.view().rows(0, 7), maps.view()); },
       "noise: 7 rows of the image are to mask 30 rows of the maps; give the same rows of both"},
  });
}

TEST(NoiseErrors, CallsAreRefusedAndOutputsKept) {
  const Noise plan = plan_of({.box = {5, 5}});
  const Image in(kImage), wide({41, 30}, Type::f32);
  const testing::Guarded out(plan.output().size, plan.output().type);
  Stream stream;
  expect_refused({
      {[&] { plan(wide.view(), out.view()); },
       "noise: the input has 41 columns, 1 channel, 1 plane of f32; the plan was made for 40 "
       "columns, 1 channel, 1 plane of f32"},
      {[&] {
         plan(Piece{AnyView(in.view().rows(0, 3)), 0},
              MutablePiece{AnyMutableView(out.view().rows(1, 2)), 1}, stream);
       },
       "noise: the piece holds rows 0 to 3, but row 3 is needed; give it all rows that needs() "
       "names"},
      {[&] { noise(in.view(), {.quantiles = {{0.5}}}); },
       "noise: quantiles 0.5 are asked for; noise_quantiles makes maps of them"},
      {[&] { noise_quantiles(in.view(), {}); },
       "noise: no quantiles are asked for; give some, such as 0.25,0.5,0.75"},
  });
  EXPECT_TRUE(out.untouched_outside());
  for (const unsigned char byte : testing::bytes_of_view(out.view())) EXPECT_EQ(byte, 0xA5);
}

TEST(NoiseErrors, MapsThatDoNotFitAreRefused) {
  const Image in(kImage), small({39, 30}, Type::f32);
  Image bytes(kImage.size, Type::u8), out(kImage);
  expect_refused({
      {[&] { signal_to_noise(in.view(), small.view(), in.view(), out.view()); },
       "signal_to_noise: the image is 40x30 f32, the background 39x30 f32, the noise 40x30 f32, "
       "the result 40x30 f32; they must be of one size and channel in host memory, and the result "
       "f32 or f64"},
      {[&] { fill_from_nearest(bytes.view()); },
       "fill_from_nearest: the maps are 40x30 u8; they must be f32 or f64 of one channel in host "
       "memory"},
  });
}

TEST(PercentileErrors, CallsAreRefused) {
  const Image in(kImage);
  expect_refused({
      {[&] { percentile_filter(in.view(), 101); },
       "percentile_filter: percentile 101 is not offered; it can be -100 to 100"},
      {[&] {
         percentile_filter(in.view(), 50, {.box = {0, 3}});
       },
       "percentile_filter: box is 0x3; each side can be 1 to 1024 pixels"},
      {[&] { percentile_filter(in.view(), 50, {.border = Border::valid}); },
       "percentile_filter: border valid is not offered; it can be reflect, reflect-101, "
       "replicate, constant, wrap or inside"},
      {[&] {
         const Image bytes(Size{8, 6}, Type::u8);
         percentile_filter(
             bytes.view(), 50,
             {.border = Border::constant, .constant = std::numeric_limits<double>::quiet_NaN()});
       },
       "percentile_filter: constant is nan, which u8 does not have; give a number, or an image of "
       "f32"},
  });
}

}  // namespace
}  // namespace tessera
