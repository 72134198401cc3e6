// SPDX-License-Identifier: Apache-2.0
// The method nufft on the CPU: its own, narrower bound over grids of every kind, its bits, what it
// refuses. Flags, steps and long sums are tested with the other methods' (faraday_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "ops/faraday/faraday_phase.hpp"
#include "ops/faraday/synth/faraday_nufft.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/faraday_cubes.hpp"
#include "tests/support/picker.hpp"

namespace tessera {
namespace {

using testing::FaradayCubes;
using testing::Guarded;
using testing::some_channels;
using testing::worst_error;

// 1e-6 is the kernel's. A value is rounded some 20 times one after the other (turned, spread,
// folded, six passes of three, corrected), by 2^-24 each and either way: 6 of them in all. The
// correction amplifies it, 7 times at most. 1e-5 is promised.
constexpr double kBound = kFaradayNufftTolerance + 7 * 6 * 0x1p-24;

FaradaySynth plan_of(const ImageInfo& image, const FaradayAxes& axes, const char* method) {
  return FaradaySynth(image, axes, {.backend = Backend::cpu, .method = method});
}

struct Outputs {
  explicit Outputs(const FaradaySynth& plan) : real(plan.output()), imaginary(plan.output()) {}
  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> all = testing::bytes_of_view(real.view());
    const std::vector<unsigned char> more = testing::bytes_of_view(imaginary.view());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Image real, imaginary;
};

void expect_near_reference_on_this_target(int k) {
  testing::Picker picker(k);
  const int width = picker.pick<int>({1, 31, 5, 33, 16, 64, 100});
  const int height = picker.pick<int>({1, 2, 7, 1, 3});
  const int channels = picker.pick<int>({2, 57, 3, 130, 300});
  const char* phi =
      picker.pick<const char*>({"10,11,1", "-400,400,2", "-500,505,5", "300,340,20", "-7,-5,1",
                                "0,3,0.001", "-90000,90000,900", "-2000,2000,2", "-30,30,0.5"});
  const auto seed = static_cast<unsigned>(k);
  const FaradayAxes axes = faraday_axes(some_channels(channels, seed), FaradayOptions{.phi = phi});
  const FaradayCubes in({width, height, 1, channels}, Type::f32, seed);
  const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
  SCOPED_TRACE(plan.describe() + " " + phi);
  const Size size = plan.output().size;
  const Guarded real(size, Type::f32, k % 3), imaginary(size, Type::f32, k % 2);
  plan(in.q.view(), in.u.view(), real.view(), imaginary.view());
  EXPECT_TRUE(real.untouched_outside() && imaginary.untouched_outside());
  EXPECT_TRUE(real.fully_written() && imaginary.fully_written());
  EXPECT_LE(worst_error(axes, in.q.view(), in.u.view(), real.view(), imaginary.view()), kBound);
}

TEST(FaradayNufftCpu, AgreesWithTheReferenceOnEveryTarget) {
  for (const testing::Way& way : testing::all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const testing::ForcedIsa forced(way.isa);
    for (int k = 0; k < (testing::run_small() ? 4 : 9); ++k)
      expect_near_reference_on_this_target(k);
  }
}

// Everything adds up at one depth, and corrections are greatest at the ends.
TEST(FaradayNufftCpu, AgreesWhereAllOfASourceIsAtOneDepth) {
  const FaradayAxes axes = faraday_axes(some_channels(300, 8), FaradayOptions{.phi = "-400,380,2"});
  FaradayCubes in({16, 1, 1, 300}, Type::f32, 9);
  for (int x = 0; x < 16; ++x)
    for (int k = 0; k < 300; ++k) {
      const double lambda2 = axes.lambda2[static_cast<std::size_t>(k)];
      const std::complex<double> p = std::conj(faraday_turn(-400 + 52 * x, lambda2));
      testing::set_sample(in.q, x, 0, k, p.real());
      testing::set_sample(in.u, x, 0, k, p.imag());
    }
  const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
  Outputs out(plan);
  plan(in.q.view(), in.u.view(), out.real.view(), out.imaginary.view());
  EXPECT_LE(worst_error(axes, in.q.view(), in.u.view(), out.real.view(), out.imaginary.view()),
            kBound);
  for (int x = 0; x < 16; ++x)
    EXPECT_NEAR(std::hypot(testing::sample_of(out.real.view(), x, 0, 26 * x),
                           testing::sample_of(out.imaginary.view(), x, 0, 26 * x)),
                1, 1e-5);
}

TEST(FaradayNufftCpu, BitsDependOnThePixelAlone) {
  constexpr int kRows = 8;
  const FaradayAxes axes = faraday_axes(some_channels(33, 3), FaradayOptions{.phi = "-150,150,1"});
  FaradayCubes in({45, kRows, 1, 33}, Type::f32, 7);
  testing::set_sample(in.u, 44, 7, 8, std::numeric_limits<double>::quiet_NaN());
  const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
  Outputs whole(plan);
  plan(in.q.view(), in.u.view(), whole.real.view(), whole.imaginary.view());
  for (const int threads : {1, 2, 3, 7})
    for (const int rows : {1, 3, kRows}) {
      Stream stream(kHost, threads);
      Outputs out(plan);
      for (int y = 0; y < kRows; y += rows) {
        const int count = std::min(rows, kRows - y);
        plan(in.q.view().rows(y, count), in.u.view().rows(y, count), out.real.view().rows(y, count),
             out.imaginary.view().rows(y, count), stream);
      }
      EXPECT_EQ(whole.bytes(), out.bytes()) << threads << " threads, " << rows << " rows";
    }
}

TEST(FaradayNufftCpu, SaysWhatItRefuses) {
  const FaradayChannels channels = some_channels(5, 4);
  const auto plan = [&](Type type, const std::vector<double>& depths) {
    return [=] { plan_of({{3, 3, 1, 5}, type}, faraday_axes(channels, depths, {}), "nufft"); };
  };
  const auto refused = [](const std::string& why) {
    return "faraday: no method can run this (cpu nufft: " + why +
           "); give another backend or method";
  };
  const std::string type =
      refused("it is accurate to 1e-5, which is enough for f32 and not for f64");
  const std::string grid = refused("it needs two depths or more, one step apart");
  const std::string count = refused("it makes up to 65536 depths, not 65537");
  std::vector<double> many(65537);
  std::iota(many.begin(), many.end(), 0.0);
  testing::expect_refused({
      {plan(Type::f64, {1, 2, 3}), type.c_str()},
      {plan(Type::f32, {1, 2, 4}), grid.c_str()},
      {plan(Type::f32, {7}), grid.c_str()},
      {plan(Type::f32, many), count.c_str()},
  });
}

TEST(FaradayNufftCpu, IsChosenForSurveys) {
  const FaradayAxes axes = faraday_axes(some_channels(300, 5), FaradayOptions{.phi = "-200,200,1"});
  EXPECT_EQ(plan_of({{128, 128, 1, 300}, Type::f32}, axes, "auto").method(), "nufft");
}

}  // namespace
}  // namespace tessera
