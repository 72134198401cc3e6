// SPDX-License-Identifier: Apache-2.0
// The reference against arithmetic by hand, and every other way against the reference.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "tests/support/faraday_cubes.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::faraday_bound;
using testing::faraday_methods_for;
using testing::FaradayCubes;
using testing::ForcedIsa;
using testing::Guarded;
using testing::sample_of;
using testing::set_sample;
using testing::some_channels;
using testing::Way;
using testing::worst_error;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLight = 299792458;

/// lambda^2 of 1 and 4 m^2.
FaradayChannels one_and_four(std::vector<double> weight = {}) {
  return {{kLight, kLight / 2}, std::move(weight)};
}

std::complex<double> reference_at(const FaradayAxes& axes, const Image& q, const Image& u, int p) {
  const FaradaySynth plan(q.info(), axes, {.backend = Backend::cpu, .method = "reference"});
  Image real(plan.output()), imaginary(plan.output());
  plan(q.view(), u.view(), real.view(), imaginary.view());
  return {sample_of(real.view(), 0, 0, p), sample_of(imaginary.view(), 0, 0, p)};
}

TEST(FaradayReference, TwoChannelsByHand) {
  FaradayCubes in({1, 1, 1, 2}, Type::f64, 1);
  for (const auto& [image, first, second] : {std::tuple{&in.q, 1.0, 3.0}, {&in.u, 2.0, -4.0}}) {
    set_sample(*image, 0, 0, 0, first);
    set_sample(*image, 0, 0, 1, second);
  }
  // At depth 0 the mean of 1 + 2i and 3 - 4i; at pi/4 from lambda^2 = 0 they are turned by
  // exp(-i pi/2) = -i and by exp(-2 pi i) = 1.
  const std::vector<double> depths{0, std::numbers::pi / 4};
  const FaradayOptions from_zero{.lambda0 = 0};
  const FaradayAxes axes = faraday_axes(one_and_four(), depths, from_zero);
  EXPECT_NEAR(std::abs(reference_at(axes, in.q, in.u, 0) - std::complex(2.0, -1.0)), 0, 1e-15);
  EXPECT_NEAR(std::abs(reference_at(axes, in.q, in.u, 1) - std::complex(2.5, -2.5)), 0, 1e-14);
  const FaradayAxes weighted = faraday_axes(one_and_four({3, 1}), depths, from_zero);
  EXPECT_NEAR(std::abs(reference_at(weighted, in.q, in.u, 0) - std::complex(1.5, 0.5)), 0, 1e-15);
  set_sample(in.u, 0, 0, 0, kNan);
  EXPECT_NEAR(std::abs(reference_at(weighted, in.q, in.u, 0) - std::complex(3.0, -4.0)), 0, 1e-15);
  set_sample(in.q, 0, 0, 1, kInfinity);
  EXPECT_TRUE(std::isnan(reference_at(weighted, in.q, in.u, 0).real()));
  EXPECT_TRUE(std::isnan(reference_at(weighted, in.q, in.u, 0).imag()));
}

/// Grids of every kind.
std::vector<double> depths_of(const std::string& kind) {
  if (kind == "one") return {37.5};
  if (kind == "zero") return {0};
  if (kind == "irregular") return {-3.5, 100, 0, 0.25, 1e4, -77};
  if (kind == "mirrored, irregular") return {-90, -7, 0.5, -0.5, 7, 90};
  std::vector<double> depths;
  const bool lopsided = kind == "lopsided";
  for (int p = lopsided ? -20 : -49; p <= (lopsided ? 100 : 49); ++p)
    if (kind != "even" || p != 0) depths.push_back(5.0 * p);
  return depths;
}

/// Runs every method of every target over grids, sizes, types and spoilt samples.
void sweep(Backend backend) {
  const int cases = testing::run_small() ? 6 : testing::run_all() ? 60 : 12;
  for (int k = 0; k < cases; ++k) {
    testing::Picker picker(k);
    const auto grid = picker.pick<std::string>(
        {"symmetric", "lopsided", "irregular", "one", "mirrored, irregular", "zero", "even"});
    const int width = picker.pick<int>({1, 191, 13, 192, 193, 511, 4, 513, 50});
    const int height = picker.pick<int>({1, 2, 7, 3});
    const int channels = picker.pick<int>({2, 97, 5, 192, 193, 33, 400});
    const Type type = k % 3 == 2 ? Type::f64 : Type::f32;
    const FaradayAxes axes = faraday_axes(some_channels(channels, static_cast<unsigned>(k)),
                                          depths_of(grid), FaradayOptions{});
    FaradayCubes in({width, height, 1, channels}, type, static_cast<unsigned>(k));
    for (int n = 0; n < k % 4; ++n)
      set_sample(n % 2 ? in.q : in.u, 31 * n % width, n % height, 3 * n % channels,
                 n % 3 == 2 ? kNan : kInfinity);
    for (const Way& way : all_ways())
      for (const std::string& method : faraday_methods_for(in.q.info(), axes, backend)) {
        if (way.backend != backend) continue;
        const ForcedIsa forced(way.isa);
        const FaradaySynth plan(in.q.info(), axes, {.backend = backend, .method = method});
        const Guarded real(plan.output().size, type, k % 3),
            imaginary(plan.output().size, type, k % 2);
        plan(in.q.view(), in.u.view(), real.view(), imaginary.view());
        EXPECT_TRUE(real.untouched_outside() && imaginary.untouched_outside());
        EXPECT_TRUE(real.fully_written() && imaginary.fully_written());
        EXPECT_LE(worst_error(axes, in.q.view(), in.u.view(), real.view(), imaginary.view()),
                  faraday_bound(type))
            << plan.describe() << ", " << grid;
      }
  }
}

TEST(FaradayMethods, AgreeWithTheReference) { sweep(Backend::cpu); }

TEST(FaradayMethodsCuda, AgreeWithTheReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Every way and method on one problem.
void expect_right(const FaradayAxes& axes, AnyView q, AnyView u) {
  for (const Way& way : all_ways())
    for (const std::string& method : faraday_methods_for(q.info(), axes, way.backend)) {
      const ForcedIsa forced(way.isa);
      const FaradaySynth plan(q.info(), axes, {.backend = way.backend, .method = method});
      Image real(plan.output()), imaginary(plan.output());
      plan(q, u, real.view(), imaginary.view());
      EXPECT_LE(worst_error(axes, q, u, real.view(), imaginary.view()), faraday_bound(q.type))
          << plan.describe();
    }
}

TEST(FaradayMethods, FlagsOfPixelsAndChannels) {
  for (const Type type : {Type::f32, Type::f64}) {
    FaradayChannels channels = some_channels(40, 3);
    channels.weight[11] = kNan;  // counts as 0, whatever the channel holds
    FaradayCubes in({70, 3, 1, 40}, type, 4);
    for (int k = 0; k < 40; ++k) set_sample(in.q, 5, 1, k, kNan);  // a pixel that has none
    for (int k = 0; k < 40; ++k)
      if (k != 20) set_sample(in.u, 6, 1, k, -kInfinity);  // and one that has one
    for (int x = 0; x < 70; ++x) {
      set_sample(in.q, x, 2, 9, kNan);  // a channel that a row lacks
      set_sample(in.q, x, 0, 3, kNan);  // of weight 0
      set_sample(in.u, x, 1, 11, kNan);
    }
    for (const char* grid : {"symmetric", "lopsided"})
      expect_right(faraday_axes(channels, depths_of(grid), {}), in.q.view(), in.u.view());
  }
}

TEST(FaradayMethods, AFlagLeavesOtherPixelsAlone) {
  FaradayCubes in({70, 1, 1, 30}, Type::f32, 5);
  const FaradayAxes axes = faraday_axes(some_channels(30, 6), depths_of("symmetric"), {});
  for (const std::string& method : faraday_methods_for(in.q.info(), axes, Backend::cpu)) {
    const FaradaySynth plan(in.q.info(), axes, {.backend = Backend::cpu, .method = method});
    Image real[2], imaginary[2];
    for (int pass = 0; pass < 2; ++pass) {
      real[pass] = Image(plan.output());
      imaginary[pass] = Image(plan.output());
      set_sample(in.q, 33, 0, 7, pass == 0 ? 0.5 : kNan);
      plan(in.q.view(), in.u.view(), real[pass].view(), imaginary[pass].view());
    }
    for (const Image* images : {real, imaginary})
      for (const auto& [x, count] : {std::pair{0, 33}, {34, 36}})
        EXPECT_TRUE(testing::same_samples(images[0].view().region(x, 0, count, 1),
                                          images[1].view().region(x, 0, count, 1)))
            << plan.describe();
  }
}

TEST(FaradayMethods, StepsOfViewsMayBeAnything) {
  const FaradayAxes axes = faraday_axes(some_channels(21, 7), depths_of("symmetric"), {});
  const Size size{37, 3, 1, 21};
  FaradayCubes larger({2 * 37, 2 * 3, 1, 21}, Type::f32, 8);
  set_sample(larger.q, 3, 3, 5, kNan);
  expect_right(axes, testing::every_second_upwards(AnyView(larger.q.view()), size),
               testing::every_second_upwards(AnyView(larger.u.view()), size));
  // Channels side by side, as spectra of a catalogue lie.
  AnyView q = larger.q.view(), u = larger.u.view();
  for (AnyView* view : {&q, &u}) {
    view->size = size;
    view->plane = 1;
    view->pixel = 21;
    view->row = 21LL * 37;
  }
  expect_right(axes, q, u);
}

// Terms of one size, all of one sign: roundings that go one way add up.
TEST(FaradayMethods, LongSumsOfEqualTerms) {
  for (const int channels : {300, 4000}) {
    FaradayChannels all;
    for (int k = 0; k < channels; ++k) all.frequency.push_back(1e9 + 1e5 * k);
    FaradayCubes in({16, 1, 1, channels}, Type::f32, 9);
    for (int x = 0; x < 16; ++x)
      for (int k = 0; k < channels; ++k) {
        set_sample(in.q, x, 0, k, 1 + 0.03 * x);
        set_sample(in.u, x, 0, k, 0.7 - 0.11 * x);
      }
    for (const std::vector<double>& depths : {std::vector{-1e-3, 0.0, 1e-3}, {0.0, 1e-3}})
      expect_right(faraday_axes(all, depths, {}), in.q.view(), in.u.view());
  }
}

}  // namespace
}  // namespace tessera
