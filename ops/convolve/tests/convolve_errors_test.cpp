// SPDX-License-Identifier: Apache-2.0
// Bad calls: one sentence each, with the numbers and what would be right; outputs stay as they
// were.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/machine.hpp"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kImage{{8, 6}, Type::u8};

Convolve plan_of(const ConvolveOptions& options) {
  return {kImage, testing::short_view(box(3, 3)), options};
}

Image filter_with(double weight) {
  Image filter({2, 2}, Type::f64);
  filter.as<double>().at(1, 0) = weight;
  return filter;
}

TEST(ConvolveErrors, PlansAreRefused) {
  expect_refused({
      {[] {
         Convolve(kImage, testing::short_view(Image({0, 5}, Type::f32)));
       },
       "convolve: the filter is 0 by 5; it needs at least one weight each way"},
      {[] {
         Convolve(kImage, testing::short_view(Image({3, 3, 2}, Type::f32)));
       },
       "convolve: the filter has 2 channels and 1 plane; it needs one of each"},
      {[] {
         Convolve({{8, 6, 5}, Type::u8}, testing::short_view(box(3, 3)));
       },
       "convolve: the image is 8x6 with 5 channels and 1 plane; channels can be 1 to 4, and "
       "no size can be negative"},
      {[] {
         plan_of({.anchor = Point{3, 0}});
       },
       "convolve: the anchor is column 3, row 0, which the filter does not have; its columns are 0 "
       "to 2, its rows 0 to 2"},
      {[] { plan_of({.output_type = Type::u16}); },
       "convolve: output type u16 of input u8 is not offered; it can be u8, i16, f32 or f64"},
      {[] { plan_of({.scale = std::numeric_limits<double>::quiet_NaN()}); },
       "convolve: scale is nan; it can be any finite number"},
      {[] {
         Convolve({{4, 4}, Type::u8}, testing::short_view(box(3, 3)),
                  {.border = Border::constant,
                   .constant = std::numeric_limits<double>::quiet_NaN(),
                   .output_type = Type::f32});
       },
       "convolve: constant is nan, which u8 does not have; give a number, or an image of f32"},
      {[] {
         Convolve({{4, 4}, Type::f32}, testing::short_view(box(3, 3)),
                  {.constant = std::numeric_limits<double>::infinity()});
       },
       "convolve: constant is infinite; it can be any finite number, or nan"},
      {[] { plan_of({.method = "drect"}); },
       "convolve: method: 'drect' is not known (did you mean direct?); it can be auto, reference, "
       "direct, running, separable, lowrank, fft or fft-library"},
      {[] { plan_of({.backend = Backend::cpu, .method = "fft-library"}); },
       "convolve: method fft-library runs on CUDA only; on the CPU method fft takes every filter "
       "size"},
      {[] { plan_of({.backend = Backend::cuda, .method = "reference"}); },
       "convolve: backend cuda has no method reference; give backend auto or method auto"},
  });
}

TEST(ConvolveErrors, WeightsThatAreNotFiniteAreTakenAndSaid) {
  const Image filter = filter_with(std::numeric_limits<double>::quiet_NaN());
  const Image in = testing::random_image({20, 9}, Type::f32, 2);
  const Convolve plan(in.info(), filter.view(), {.backend = Backend::cpu});
  EXPECT_EQ(plan.method(), "direct");
  EXPECT_NE(plan.describe().find("weights that are not finite"), std::string::npos);
  Image out(plan.output());
  plan(in.view(), out.view());
  EXPECT_TRUE(std::isnan(out.as<float>().at(5, 5)));
  EXPECT_THROW(Convolve(in.info(), filter.view(), {.backend = Backend::cpu, .method = "fft"}),
               Error);
}

TEST(ConvolveErrors, CallsAreRefusedAndOutputsKept) {
  const Convolve plan = plan_of({.backend = Backend::cpu});
  const Image in(kImage), wide({9, 6}, Type::u8), other({8, 6}, Type::f32);
  const testing::Guarded out(kImage.size, kImage.type);
  Image shared({8, 7}, Type::u8);
  Stream stream;
  expect_refused({
      {[&] { plan(wide.view(), out.view()); },
       "convolve: the input has 9 columns, 1 channel, 1 plane of u8; the plan was made for 8 "
       "columns, 1 channel, 1 plane of u8"},
      {[&] { plan(other.view(), out.view()); },
       "convolve: the input has 8 columns, 1 channel, 1 plane of f32; the plan was made for 8 "
       "columns, 1 channel, 1 plane of u8"},
      {[&] { plan(AnyView(shared.view().rows(0, 6)), AnyMutableView(shared.view().rows(1, 6))); },
       "convolve: input and output share memory; give the output its own memory"},
      {[&] {
         plan(Piece{in.view(), 0}, MutablePiece{out.view(), 2}, stream);
       },
       "convolve: output rows 2 to 8 are requested; the result has rows 0 to 6"},
      {[&] {
         plan(Piece{AnyView(in.view().rows(0, 3)), 0}, MutablePiece{out.view(), 0}, stream);
       },
       "convolve: the piece holds rows 0 to 3, but row 3 is needed; give it all rows that needs() "
       "names"},
  });
  EXPECT_TRUE(out.untouched_outside());
  for (const unsigned char byte : testing::bytes_of_view(out.view())) EXPECT_EQ(byte, 0xA5);
}

TEST(ConvolveErrors, WithoutADeviceCudaSaysWhy) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  try {
    plan_of({.backend = Backend::cuda});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "convolve: no method can run this (cuda: " + this_machine().no_device_reason +
                  "); give another backend or method");
  }
  EXPECT_FALSE(this_machine().no_device_reason.empty());
}

TEST(ConvolveErrors, TheEnvironmentForcesAndIsChecked) {
  setenv("TESSERA_BACKEND", "gpu", 1);
  expect_refused(
      {{[] { plan_of({}); },
        "TESSERA_BACKEND: 'gpu' is not known (did you mean cpu?); it can be auto, cpu or cuda"}});
  setenv("TESSERA_BACKEND", "cpu", 1);
  EXPECT_NE(plan_of({}).describe().find(": cpu "), std::string::npos);
  unsetenv("TESSERA_BACKEND");
}

TEST(Filters, SumsAndShapes) {
  for (const char* text : {"gauss:2.5", "gauss:1,7", "agauss:3,1,30", "box:5x3", "triangle:5"}) {
    const Image filter = filter_from_text(text);
    double sum = 0;
    for (long long k = 0; k < filter.info().size.samples(); ++k) sum += filter.as<double>().data[k];
    EXPECT_NEAR(sum, 1, 1e-12) << text;
  }
  EXPECT_EQ(filter_from_text("gauss:2.5").info().size, (Size{21, 21}));
  EXPECT_EQ(filter_from_text("gauss:1,7").info().size, (Size{15, 15}));
  EXPECT_EQ(filter_from_text("box:5x3").info().size, (Size{5, 3}));
  EXPECT_DOUBLE_EQ(testing::short_view(filter_from_text("triangle:3")).as<const double>().at(1, 1),
                   4.0 / 16);
  EXPECT_EQ(testing::short_view(filter_from_text("sobel:x")).as<const double>().at(2, 1), 2);
  EXPECT_EQ(testing::short_view(filter_from_text("laplacian")).as<const double>().at(1, 1), -4);
  EXPECT_DOUBLE_EQ(
      testing::short_view(filter_from_text("gabor:4,0,2")).as<const double>().at(6 + 2, 6),
      -std::exp(-0.5));
  EXPECT_EQ(filter_usages().size(), 15U);
}

TEST(Filters, BadTextIsRefused) {
  expect_refused({
      {[] { filter_from_text("gauss"); },
       "filter: 'gauss' is not complete; write gauss:SIGMA[,RADIUS]"},
      {[] { filter_from_text("gauss:-1"); }, "filter: sigma is -1; it must be more than 0"},
      {[] { filter_from_text("gauss:1,-2"); },
       "filter: a radius of -2 is not offered; it can be 0 or more"},
      {[] { filter_from_text("gauss:1e9"); },
       "filter: a radius of 4000000000 is not offered; it can be 0 to 4095"},
      {[] { filter_from_text("box:0x5"); },
       "filter: a box of 0x5 has no weights; it needs at least one each way"},
      {[] { filter_from_text("box:333x333333"); },
       "filter: a box of 333x333333 has 110999889 weights; it can have up to 67108864"},
      {[] { filter_from_text("box:"); }, "filter: 'box:' is not complete; write box:WxH"},
      {[] { filter_from_text("box:5x"); }, "filter: 'box:5x' is not complete; write box:WxH"},
      {[] { filter_from_text("box:x5"); }, "filter: 'box:x5' is not complete; write box:WxH"},
      {[] { filter_from_text("gauss:2,"); },
       "filter: 'gauss:2,' is not complete; write gauss:SIGMA[,RADIUS]"},
      {[] { filter_from_text("outer:1:2:1,"); },
       "filter: 'outer:1:2:1,' is not complete; write outer:ROW,COLUMN"},
      {[] { filter_from_text("triangle:4"); },
       "filter: a triangle of 4 has no middle; it needs an odd number"},
      {[] { filter_from_text("sobel:z"); },
       "filter: sobel along 'z' is not known; it can be x or y"},
      {[] { filter_from_text("gauss:wide"); }, "filter: 'wide' is not a number"},
  });
}

}  // namespace
}  // namespace tessera
