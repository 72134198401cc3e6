// SPDX-License-Identifier: Apache-2.0
// The method nufft on the CPU against the reference, on every SIMD target; its bits; its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>

#include "ops/faraday/faraday_nufft.hpp"
#include "ops/faraday/faraday_phase.hpp"
#include "tessera/faraday.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::Guarded;
using testing::random_image;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// 1e-6 is the kernel's. A value is rounded some 20 times one after the other (turned, spread,
// folded, six passes of three, corrected), by 2^-24 each and either way, and what the correction
// amplifies, 7 times at most, is a cell's share of the whole. 1e-5 is promised.
constexpr double kBound = kFaradayNufftTolerance + 7 * 0x1p-24 * 6;

FaradayChannels channels_of(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> hertz(0.8e9, 1.8e9), weight(0.1, 2);
  FaradayChannels channels;
  for (int k = 0; k < count; ++k) {
    channels.frequency.push_back(hertz(random));
    channels.weight.push_back(k % 7 == 3 ? 0 : weight(random));
  }
  return channels;
}

struct Cubes {
  Cubes(int width, int height, int channels, unsigned seed)
      : q(random_image({width, height, 1, channels}, Type::f32, seed)),
        u(random_image({width, height, 1, channels}, Type::f32, seed + 1)) {}
  Image q, u;
};

FaradaySynth plan_of(const ImageInfo& image, const FaradayAxes& axes, const char* method) {
  return FaradaySynth(image, axes, {.backend = Backend::cpu, .method = method});
}

/// Weighted mean |P| of a pixel over the channels it has.
double mean_of(const FaradayAxes& axes, View<const float> q, View<const float> u, int x, int y) {
  double sum = 0, weights = 0;
  for (int k = 0; k < axes.channels(); ++k) {
    const double re = q.at(x, y, 0, k), im = u.at(x, y, 0, k);
    if (!std::isfinite(re) || !std::isfinite(im)) continue;
    sum += axes.weight[static_cast<std::size_t>(k)] * std::hypot(re, im);
    weights += axes.weight[static_cast<std::size_t>(k)];
  }
  return sum / weights;
}

void expect_like_reference(const FaradayAxes& axes, AnyView q, AnyView u, AnyView real,
                           AnyView imaginary) {
  const FaradaySynth reference = plan_of(q.info(), axes, "reference");
  Image real_of(reference.output()), imaginary_of(reference.output());
  reference(q, u, real_of.view(), imaginary_of.view());
  const auto a = real.as<const float>(), b = imaginary.as<const float>();
  const auto re = real_of.as<const float>(), im = imaginary_of.as<const float>();
  for (int y = 0; y < q.size.height; ++y)
    for (int x = 0; x < q.size.width; ++x) {
      const double mean = mean_of(axes, q.as<const float>(), u.as<const float>(), x, y);
      for (int p = 0; p < axes.depths(); ++p) {
        if (std::isnan(re.at(x, y, 0, p))) {
          ASSERT_TRUE(std::isnan(a.at(x, y, 0, p)) && std::isnan(b.at(x, y, 0, p)))
              << x << ' ' << y;
          continue;
        }
        const double error = std::hypot(1.0 * a.at(x, y, 0, p) - re.at(x, y, 0, p),
                                        1.0 * b.at(x, y, 0, p) - im.at(x, y, 0, p));
        ASSERT_LE(error, kBound * mean) << "pixel " << x << ", " << y << ", depth " << p;
      }
    }
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

Outputs run(const FaradaySynth& plan, const Cubes& in) {
  Outputs out(plan);
  plan(in.q.view(), in.u.view(), out.real.view(), out.imaginary.view());
  return out;
}

TEST(FaradayNufftCpu, AgreesWithTheReferenceOnEveryTarget) {
  for (const testing::Way& way : testing::all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const testing::ForcedIsa forced(way.isa);
    for (int k = 0; k < (testing::run_small() ? 4 : 9); ++k) {
      testing::Picker picker(k);
      const int width = picker.pick<int>({1, 31, 5, 33, 16, 64, 100});
      const int height = picker.pick<int>({1, 2, 7, 1, 3});
      const int channels = picker.pick<int>({2, 57, 3, 130, 300});
      const char* phi =
          picker.pick<const char*>({"10,11,1", "-400,400,2", "-500,505,5", "300,340,20", "-7,-5,1",
                                    "0,3,0.001", "-90000,90000,900", "-2000,2000,2", "-30,30,0.5"});
      const FaradayAxes axes =
          faraday_axes(channels_of(channels, static_cast<unsigned>(k)), FaradayOptions{.phi = phi});
      const Cubes in(width, height, channels, static_cast<unsigned>(k));
      const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
      SCOPED_TRACE(plan.describe() + " " + phi);
      const Guarded real(plan.output().size, Type::f32, k % 3),
          imaginary(plan.output().size, Type::f32, k % 2);
      plan(in.q.view(), in.u.view(), real.view(), imaginary.view());
      EXPECT_TRUE(real.untouched_outside() && imaginary.untouched_outside());
      EXPECT_TRUE(real.fully_written() && imaginary.fully_written());
      expect_like_reference(axes, in.q.view(), in.u.view(), real.view(), imaginary.view());
    }
  }
}

TEST(FaradayNufftCpu, StepsOfViewsMayBeAnything) {
  const FaradayAxes axes = faraday_axes(channels_of(20, 1), FaradayOptions{.phi = "-100,90,1"});
  Cubes larger(2 * 37, 2 * 3, 20, 5);
  const Size size{37, 3, 1, 20};
  const AnyView q = testing::every_second_upwards(AnyView(larger.q.view()), size);
  const AnyView u = testing::every_second_upwards(AnyView(larger.u.view()), size);
  const FaradaySynth plan = plan_of({size, Type::f32}, axes, "nufft");
  Outputs out(plan);
  plan(q, u, out.real.view(), out.imaginary.view());
  expect_like_reference(axes, q, u, out.real.view(), out.imaginary.view());
}

TEST(FaradayNufftCpu, ChannelsThatAreNotFiniteDoNotCount) {
  const FaradayAxes axes = faraday_axes(channels_of(40, 2), FaradayOptions{.phi = "-200,200,1"});
  Cubes in(50, 3, 40, 6);
  const auto q = in.q.as<float>(), u = in.u.as<float>();
  q.at(0, 0, 0, 5) = kNan;
  u.at(33, 1, 0, 39) = std::numeric_limits<float>::infinity();
  for (int k = 0; k < 40; ++k) {
    q.at(49, 2, 0, k) = kNan;                    // has none
    if (k != 20) u.at(17, 2, 0, k) = -1 / 0.0F;  // has one
    q.at(k, 2, 0, 3) = kNan;                     // of weight 0
  }
  const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
  const Outputs out = run(plan, in);
  EXPECT_TRUE(std::isnan(out.real.as<const float>().at(49, 2, 0, 100)));
  expect_like_reference(axes, in.q.view(), in.u.view(), out.real.view(), out.imaginary.view());
}

TEST(FaradayNufftCpu, BitsDependOnThePixelAlone) {
  const FaradayAxes axes = faraday_axes(channels_of(33, 3), FaradayOptions{.phi = "-150,150,1"});
  Cubes in(45, 8, 33, 7);
  in.u.as<float>().at(44, 7, 0, 8) = kNan;
  const FaradaySynth plan = plan_of(in.q.info(), axes, "nufft");
  const auto bits = run(plan, in).bytes();
  for (const int threads : {1, 2, 3, 7})
    for (const int rows : {1, 3, 8}) {
      Stream stream(kHost, threads);
      Outputs out(plan);
      for (int y = 0; y < 8; y += rows) {
        const int count = std::min(rows, 8 - y);
        plan(in.q.view().rows(y, count), in.u.view().rows(y, count), out.real.view().rows(y, count),
             out.imaginary.view().rows(y, count), stream);
      }
      EXPECT_EQ(bits, out.bytes()) << threads << " threads, " << rows << " rows";
    }
}

// Everything adds up at one depth, and corrections are greatest at the ends.
TEST(FaradayNufftCpu, AgreesWhereAllOfASourceIsAtOneDepth) {
  const FaradayAxes axes = faraday_axes(channels_of(300, 8), FaradayOptions{.phi = "-400,380,2"});
  Cubes in(17, 1, 300, 9);
  for (int x = 0; x < 17; ++x)
    for (int k = 0; k < 300; ++k) {
      const double phi = x < 16 ? -400 + 52 * x : 0;
      const auto p = std::conj(faraday_turn(phi, axes.lambda2[static_cast<std::size_t>(k)]));
      in.q.as<float>().at(x, 0, 0, k) = static_cast<float>(p.real());
      in.u.as<float>().at(x, 0, 0, k) = static_cast<float>(p.imag());
    }
  const Outputs out = run(plan_of(in.q.info(), axes, "nufft"), in);
  expect_like_reference(axes, in.q.view(), in.u.view(), out.real.view(), out.imaginary.view());
  EXPECT_NEAR(std::hypot(out.real.as<const float>().at(15, 0, 0, 390),
                         out.imaginary.as<const float>().at(15, 0, 0, 390)),
              1, 1e-5);
}

TEST(FaradayNufftCpu, SaysWhatItRefuses) {
  const FaradayChannels channels = channels_of(5, 4);
  const auto plan = [&](Type type, const std::vector<double>& depths) {
    return [=] { plan_of({{3, 3, 1, 5}, type}, faraday_axes(channels, depths, {}), "nufft"); };
  };
  const auto refused = [](const std::string& why) {
    return "faraday: no method can run this (cpu nufft: " + why +
           "); give another --backend or --method";
  };
  const std::string type = refused("it is right to 1e-5, which does for f32 and not for f64");
  const std::string grid = refused("it needs two depths or more, one step apart");
  std::vector<double> many(65537);
  std::iota(many.begin(), many.end(), 0.0);
  const std::string count = refused("it makes up to 65536 depths, not 65537");
  testing::expect_refused({
      {plan(Type::f64, {1, 2, 3}), type.c_str()},
      {plan(Type::f32, {1, 2, 4}), grid.c_str()},
      {plan(Type::f32, {7}), grid.c_str()},
      {plan(Type::f32, many), count.c_str()},
  });
}

TEST(FaradayNufftCpu, IsChosenForSurveys) {
  const FaradayAxes axes = faraday_axes(channels_of(300, 5), FaradayOptions{.phi = "-200,200,1"});
  EXPECT_EQ(plan_of({{128, 128, 1, 300}, Type::f32}, axes, "auto").method(), "nufft");
}

}  // namespace
}  // namespace tessera
