// SPDX-License-Identifier: Apache-2.0
// Bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/bad_calls.hpp"
#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
const FaradayChannels kThree{{1e9, 2e9, 3e9}};

FaradayAxes axes_of(const FaradayOptions& options) { return faraday_axes(kThree, options); }
FaradayAxes channels_of(std::vector<double> frequency, std::vector<double> weight = {}) {
  return faraday_axes(FaradayChannels{std::move(frequency), std::move(weight)});
}

TEST(FaradayErrors, ChannelsAreRefused) {
  expect_refused({
      {[] { channels_of(std::vector<double>{}); },
       "faraday: none of 0 channels counts; depths need channels of at least two frequencies with "
       "a weight above 0"},
      {[] { channels_of({1e9}); },
       "faraday: 1 of 1 channels count, and all at one frequency; depths need channels of at least "
       "two frequencies with a weight above 0"},
      {[] {
         channels_of({1e9, 1e9});
       },
       "faraday: 2 of 2 channels count, and all at one frequency; depths need channels of at least "
       "two frequencies with a weight above 0"},
      {[] {
         channels_of({1e9, 2e9}, {1, kNotANumber});
       },
       "faraday: 1 of 2 channels count, and all at one frequency; depths need channels of at least "
       "two frequencies with a weight above 0"},
      {[] {
         channels_of({1e9, 2e9}, {0, 0});
       },
       "faraday: none of 2 channels counts; depths need channels of at least two frequencies with "
       "a weight above 0"},
      {[] {
         channels_of({1e9, 0});
       },
       "faraday: the frequency of channel 1 is 0 Hz; it must be above 0"},
      {[] {
         channels_of({-1, 2e9});
       },
       "faraday: the frequency of channel 0 is -1 Hz; it must be above 0"},
      {[] {
         channels_of({1e9, kNotANumber});
       },
       "faraday: the frequency of channel 1 is nan Hz; it must be above 0"},
      {[] {
         channels_of({1e9, 2e9}, {1, 2, 3});
       },
       "faraday: 3 weights are given for 2 channels; give one per channel"},
      {[] {
         channels_of({1e9, 2e9}, {1, -2});
       },
       "faraday: the weight of channel 1 is -2; it can be 0 or more"},
  });
}

TEST(FaradayErrors, GridsAreRefused) {
  expect_refused({
      {[] { axes_of({.phi_max = -1}); }, "faraday: phi-max is -1; it can be 0 or more rad/m^2"},
      {[] { axes_of({.dphi = 0}); }, "faraday: dphi is 0; it can be more than 0 rad/m^2"},
      {[] { axes_of({.dphi = kNotANumber}); },
       "faraday: dphi is nan; it can be more than 0 rad/m^2"},
      {[] { axes_of({.samples = 0}); }, "faraday: samples is 0; it can be more than 0"},
      {[] { axes_of({.lambda0 = -0.1}); }, "faraday: lambda0 is -0.1; it can be 0 or more m^2"},
      {[] { axes_of({.phi = "1,2"}); },
       "faraday: phi is '1,2'; it can be auto or LOW,HIGH,STEP such as -100,500,0.5"},
      {[] { axes_of({.phi = "1,2,3,4"}); },
       "faraday: phi is '1,2,3,4'; it can be auto or LOW,HIGH,STEP such as -100,500,0.5"},
      {[] { axes_of({.phi = "2,1,1"}); },
       "faraday: phi is '2,1,1'; HIGH must be LOW or more, and STEP above 0"},
      {[] { axes_of({.phi = "1,2,-1"}); },
       "faraday: phi is '1,2,-1'; HIGH must be LOW or more, and STEP above 0"},
      {[] { axes_of({.phi_max = 5, .phi = "1,2,1"}); },
       "faraday: phi is given, and phi-max or dphi too; give the grid in one way"},
      {[] { axes_of({.phi_max = 1e9, .dphi = 1}); },
       "faraday: the grid would have 2000000001 depths, 1 rad/m^2 apart, which are 1.49e+04 GiB "
       "for 1,000 pixels; it can have up to 16777216: give a smaller phi-max or a larger dphi"},
      {[] { axes_of({.phi = "0,1e9,1"}); },
       "faraday: the grid would have 1000000001 depths, 1 rad/m^2 apart, which are 7.45e+03 GiB "
       "for 1,000 pixels; it can have up to 16777216: give a narrower range or a larger STEP"},
      {[] { faraday_axes(kThree, std::vector<double>((1 << 24) + 1), {}); },
       "faraday: the grid would have 16777217 depths, which are 125 GiB for 1,000 pixels; it can "
       "have up to 16777216: give fewer"},
      {[] { axes_of({.phi = "1;2,3"}); },
       "faraday: phi is '1;2,3'; it can be auto or LOW,HIGH,STEP such as -100,500,0.5"},
      {[] { faraday_axes(kThree, std::vector<double>{}, {}); },
       "faraday: the grid would have 0 depths; it needs one or more"},
      {[] {
         faraday_axes(kThree, std::vector<double>{1, kNotANumber}, {});
       },
       "faraday: a depth is nan; all must be finite numbers of rad/m^2"},
  });
}

TEST(FaradayErrors, RmsfsAreRefused) {
  expect_refused({
      {[] {
         faraday_rmsf(faraday_axes(kThree, std::vector<double>{1, 2, 4}, {}));
       },
       "faraday: the 3 depths are not a regular grid; an RMSF that can be centred on any depth "
       "needs "
       "a constant step"},
      {[] { faraday_rmsf(axes_of({.phi = "1,9,1"}), false, std::vector<unsigned char>(2)); },
       "faraday: 2 flags are given for 3 channels; give one per channel"},
      {[] {
         FaradayAxes axes = axes_of({.phi = "1,9,1"});
         axes.weight.pop_back();
         faraday_rmsf(axes);
       },
       "faraday: the axes have 2 weights and 3 channels; make them with faraday_axes"},
  });
}

void plan_of(const ImageInfo& image, const FaradayOptions& options = {}) {
  FaradaySynth(image, axes_of({.phi = "1,9,1"}), options);
}

TEST(FaradayErrors, PlansAreRefused) {
  const std::vector<double> many(1 << 24, 1.0);
  expect_refused({
      {[] {
         plan_of({{8, 6, 1, 4}, Type::f32});
       },
       "faraday: q has 4 planes and there are 3 frequencies; give one frequency per plane"},
      {[] {
         plan_of({{8, 6, 1, 3}, Type::u16});
       },
       "faraday: q is 8x6, 3 planes, u16; it must be f32 or f64 with one value per pixel, and "
       "planes for what lies along the third axis"},
      {[] {
         plan_of({{0, 6, 1, 3}, Type::f32});
       },
       "faraday: q is 0x6 with 3 planes; it needs a pixel and a plane at least"},
      {[] {
         FaradaySynth(ImageInfo{{8, 6, 1, 3}, Type::f32}, FaradayAxes{{}, {1, 2, 3}});
       },
       "faraday: the axes have 0 depths and weights that add up to 0; make them with faraday_axes"},
      {[] {
         FaradayAxes axes = axes_of({.phi = "1,9,1"});
         axes.weight.pop_back();
         FaradaySynth(ImageInfo{{8, 6, 1, 3}, Type::f32}, axes);
       },
       "faraday: the axes have 2 weights and 3 channels; make them with faraday_axes"},
      {[&] {
         FaradayChannels channels;
         for (int k = 0; k < 100; ++k) channels.frequency.push_back(1e9 + k);
         FaradaySynth(ImageInfo{{1, 1, 1, 100}, Type::f32}, faraday_axes(channels, many),
                      {.backend = Backend::cpu, .method = "direct"});
       },
       "faraday: no method can run this (cpu direct: 100 channels by 16777216 depths need tables "
       "of "
       "13.4 GB, more than 2.1 GB); give another backend or method"},
  });
}

TEST(FaradayErrors, CallsAreRefused) {
  testing::FaradayCubes in({8, 6, 1, 3}, Type::f32, 1), narrow({7, 6, 1, 3}, Type::f32, 2),
      wide({8, 6, 1, 3}, Type::f64, 3);
  const FaradaySynth plan(in.q.info(), axes_of({.phi = "1,9,1"}), {.backend = Backend::cpu});
  Image real(plan.output()), imaginary(plan.output());
  const auto call = [&](AnyView q, AnyView u, AnyMutableView re, AnyMutableView im) {
    return [=, &plan] { plan(q, u, re, im); };
  };
  const AnyView q = in.q.view(), u = in.u.view();
  const AnyMutableView re = real.view(), im = imaginary.view();
  expect_refused({
      {call(q, narrow.u.view(), re, im),
       "faraday: the u has 7 columns, 1 channel, 3 planes of f32; "
       "the plan was made for 8 columns, 1 channel, 3 planes of f32"},
      {call(q, wide.u.view(), re, im),
       "faraday: the u has 8 columns, 1 channel, 3 planes of f64; "
       "the plan was made for 8 columns, 1 channel, 3 planes of f32"},
      {call(q, u.rows(0, 5), re, im),
       "faraday: the u has 5 rows and the first input 6; all must have the same"},
      {call(q, u, re, im.rows(1, 5)),
       "faraday: the imaginary part has 5 rows and the first input 6; all must have the same"},
      {call(q, u, re, in.q.view()),
       "faraday: the imaginary part has 8 columns, 1 channel, 3 planes of f32; "
       "the plan was made for 8 columns, 1 channel, 9 planes of f32"},
      {call(q, u, re, re),
       "faraday: input and output share memory; give the output its own memory"},
  });
}

TEST(FaradayErrors, CubesAtOnceAreRefused) {
  testing::FaradayCubes in({8, 6, 1, 3}, Type::f32, 1), narrow({7, 6, 1, 3}, Type::f32, 2);
  const Image bytes(Size{8, 6, 1, 3}, Type::u8);
  const AnyView q = in.q.view(), u = in.u.view();
  AnyView far = u;
  far.device = 2;
  expect_refused({
      {[&] { faraday_synth(q, narrow.u.view(), kThree); },
       "faraday: the u has 7 columns, 1 channel, 3 planes of f32; "
       "the plan was made for 8 columns, 1 channel, 3 planes of f32"},
      {[&] { faraday_synth(q, far, kThree); },
       "faraday: u is on device 2 and faraday_synth takes host views; make a FaradaySynth plan for "
       "device cubes"},
      {[&] { find_dead_channels(far, u); },
       "faraday: q is on device 2 and find_dead_channels takes host views; copy the cubes to the "
       "host"},
      {[&] { find_dead_channels(q, u.rows(0, 5)); },
       "faraday: the u has 5 rows and the first input 6; all must have the same"},
      {[&] { find_dead_channels(bytes.view(), u); },
       "faraday: q is 8x6, 3 planes, u8; it must be f32 or f64 with one value per pixel, and "
       "planes "
       "for what lies along the third axis"},
  });
}

}  // namespace
}  // namespace tessera
