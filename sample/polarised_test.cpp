// SPDX-License-Identifier: Apache-2.0
// The contents of a polarised sky, measured from its voxels.
#include "sample/polarised.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tessera/faraday_maps.hpp"
#include "tests/support/files.hpp"
#include "tests/support/hash.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;
using Complex = std::complex<double>;

Image cube_of(const PolarisedSky& sky, Stokes stokes) {
  Image cube(sky.info());
  sky.read(stokes, {0, sky.info().size.height}, cube.view());
  return cube;
}

/// By the C library's functions, not ours.
Complex emission(const PolarisedSource& s, double frequency, double reference) {
  const double l2 = std::pow(299792458 / frequency, 2);
  const auto turned = [&](const PolarisedComponent& c) {
    return std::polar(c.flux, 2 * (c.angle * std::numbers::pi / 180 + c.rm * l2));
  };
  const double wide = s.thickness * l2;
  return std::pow(frequency / reference, s.index) *
         (turned(s.first) * (wide > 0 ? std::sin(wide) / wide : 1) + turned(s.second));
}

double reference_frequency(const PolarisedSky& sky) {
  double sum = 0;
  int count = 0;
  for (const PolarisedChannel& channel : sky.channels())
    if (!channel.dead) {
      sum += channel.lambda2;
      ++count;
    }
  return 299792458 / std::sqrt(sum / count);
}

// As in scene_test: computed on aarch64 with g++ 12.
TEST(PolarisedSky, IsTheSameOnEveryMachine) {
  const PolarisedSky sky({96, 80}, 1, {.channels = 7, .flags = 0.01, .dead = 1});
  EXPECT_EQ(hash_of(testing::short_view(cube_of(sky, Stokes::q))), 13139768477150129234u);
  EXPECT_EQ(hash_of(testing::short_view(cube_of(sky, Stokes::u))), 3331877916496549932u);
  EXPECT_EQ(hash_of(testing::short_view(cube_of(sky, Stokes::i))), 5590011642526091686u);
}

TEST(PolarisedSky, StripsAndThreadsGiveTheSameBytes) {
  const PolarisedOptions options{.channels = 9, .sources = 8, .flags = 0.02, .dead = 2};
  const Image whole = cube_of(PolarisedSky({101, 67}, 5, options, Type::f32, 1), Stokes::u);
  for (const int threads : {1, 2, 3, 7}) {
    const PolarisedSky sky({101, 67}, 5, options, Type::f32, threads);
    Image strips(sky.info());
    for (int row = 0; row < 67; row += 13)
      sky.read(Stokes::u, {row, std::min(67, row + 13)},
               strips.view().rows(row, std::min(13, 67 - row)));
    EXPECT_EQ(hash_of(strips.view()), hash_of(whole.view())) << threads;
  }
}

TEST(PolarisedSky, VoxelsAreTheSumOfItsSources) {
  const PolarisedOptions options{
      .channels = 6, .sources = 12, .separation = 0, .second = 0.5, .thick = 0.5, .noise = 0};
  const PolarisedSky sky({60, 50}, 2, options, Type::f64);
  const Image q = cube_of(sky, Stokes::q), u = cube_of(sky, Stokes::u);
  const double reference = reference_frequency(sky);
  int thick = 0, second = 0;
  for (const PolarisedSource& s : sky.truth()) {
    thick += s.thickness > 0;
    second += s.second.flux > 0;
    EXPECT_LE(std::abs(s.first.rm), 400);
  }
  EXPECT_GT(thick, 0);
  EXPECT_GT(second, 0);
  for (int k = 0; k < 6; ++k)
    for (int y = 0; y < 50; y += 3)
      for (int x = 0; x < 60; x += 5) {
        Complex sum = 0;
        for (const PolarisedSource& s : sky.truth()) {
          const double square = std::pow(x - s.x, 2) + std::pow(y - s.y, 2);
          sum += std::exp(-square / 8) *
                 emission(s, sky.channels()[static_cast<std::size_t>(k)].frequency, reference);
        }
        const Complex found(q.as<double>().at(x, y, 0, k), u.as<double>().at(x, y, 0, k));
        EXPECT_NEAR(std::abs(found - sum), 0, 1e-8 * 12 * options.flux_high) << x << " " << y;
      }
}

TEST(PolarisedSky, SynthesisFindsTheTruth) {
  const PolarisedOptions options{.channels = 120,
                                 .sources = 10,
                                 .separation = 30,
                                 .second = 0,
                                 .thick = 0,
                                 .noise = 1e-3,
                                 .flags = 0.01,
                                 .dead = 3};
  const PolarisedSky sky({128, 96}, 3, options);
  const Image q = cube_of(sky, Stokes::q), u = cube_of(sky, Stokes::u);
  for (const PolarisedSource& s : sky.truth()) {
    const int x = static_cast<int>(std::lround(s.x)), y = static_cast<int>(std::lround(s.y));
    const FaradaySpectra found =
        faraday_synth(q.view().region(x, y, 1, 1), u.view().region(x, y, 1, 1), {sky.frequencies()},
                      {.phi_max = 600, .dphi = 4, .backend = Backend::cpu, .method = "reference"});
    std::vector<Complex> spectrum;
    for (int p = 0; p < found.axes.depths(); ++p)
      spectrum.emplace_back(found.real.as<float>().at(0, 0, 0, p),
                            found.imaginary.as<float>().at(0, 0, 0, p));
    const double noise = options.noise / std::sqrt(116.0);
    const FaradayPeak peak = faraday_peak(spectrum, found.axes, found.axes.fwhm, noise);
    const double beam = std::exp(-(std::pow(x - s.x, 2) + std::pow(y - s.y, 2)) / 8);
    // Five standard deviations; a spectral index skews the lobe slightly.
    EXPECT_NEAR(peak.rm, s.first.rm, 5 * peak.rm_error + 0.05) << s.first.flux;
    EXPECT_NEAR(peak.pi, beam * s.first.flux, 5 * noise + 0.01 * s.first.flux);
    const double turned = std::remainder(peak.angle_0 - s.first.angle, 180);
    EXPECT_LE(std::abs(turned), 5 * peak.angle_0_error + 0.5);
  }
}

TEST(PolarisedSky, FlagsNoiseAndDeadChannelsAreAsAsked) {
  const PolarisedOptions options{.channels = 20, .sources = 0, .noise = 2, .flags = 0.1, .dead = 4};
  const PolarisedSky sky({100, 100}, 8, options);
  const Image q = cube_of(sky, Stokes::q), u = cube_of(sky, Stokes::u);
  long long flagged = 0, live = 0;
  double squares = 0, products = 0;
  int dead = 0;
  for (int k = 0; k < 20; ++k) {
    dead += sky.channels()[static_cast<std::size_t>(k)].dead;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 100; ++x) {
        const float one = q.as<float>().at(x, y, 0, k), other = u.as<float>().at(x, y, 0, k);
        ASSERT_EQ(std::isnan(one), std::isnan(other));
        if (sky.channels()[static_cast<std::size_t>(k)].dead) {
          ASSERT_TRUE(std::isnan(one));
          continue;
        }
        ++live;
        flagged += std::isnan(one);
        if (!std::isnan(one)) squares += double{one} * double{one};
        if (!std::isnan(one)) products += double{one} * double{other};
      }
  }
  EXPECT_EQ(dead, 4);
  const auto count = static_cast<double>(live);
  EXPECT_NEAR(static_cast<double>(flagged) / count, 0.1, 5 * std::sqrt(0.09 / count));
  EXPECT_NEAR(std::sqrt(squares / (0.9 * count)), 2, 0.02);
  EXPECT_NEAR(products / (0.9 * count), 0, 5 * 4 / std::sqrt(0.9 * count)) << "Q and U differ";
}

TEST(PolarisedSky, StokesIHoldsThePolarisedFlux) {
  const PolarisedSky sky({64, 64}, 4, {.channels = 5, .sources = 3, .noise = 0}, Type::f64);
  for (const PolarisedSource& s : sky.truth())
    for (const PolarisedChannel& channel : sky.channels()) {
      const StokesFlux flux = flux_at(s, channel);
      EXPECT_LE(std::hypot(flux.q, flux.u), s.fraction * flux.i * (1 + 1e-12));
    }
  const Image i = cube_of(sky, Stokes::i);
  EXPECT_GT(*std::max_element(i.as<double>().data, i.as<double>().data + 64 * 64), 0.01);
}

TEST(PolarisedSky, TruthIsATable) {
  const PolarisedSky sky({64, 64}, 4, {.channels = 5, .sources = 3});
  const std::string text = truth_as_csv(sky.truth());
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
  EXPECT_TRUE(text.starts_with("x,y,rm,flux,angle,thickness,second_rm,")) << text;
}

TEST(PolarisedSky, BadOptionsAreRefused) {
  const auto made = [](const PolarisedOptions& options, Type type = Type::f32, Size size = {9, 9}) {
    return [=] { PolarisedSky(size, 1, options, type); };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(made({.channels = 1}), ErrorKind::usage, "channels is 1; it can be 2 to");
  expect_error(made({.low = 2e9}), ErrorKind::usage, "low is 2000000000 Hz");
  expect_error(made({.low = nan}), ErrorKind::usage,
               "low is nan; it can be 1000000 to 1000000000000");
  expect_error(made({.sources = -1}), ErrorKind::usage, "sources is -1");
  expect_error(made({.flux_low = 2, .flux_high = 1}), ErrorKind::usage, "flux-low is 2");
  expect_error(made({.sigma = 0}), ErrorKind::usage, "sigma is 0");
  expect_error(made({.thick = 1.5}), ErrorKind::usage, "thick is 1.5");
  expect_error(made({.noise = nan}), ErrorKind::usage, "noise is nan");
  expect_error(made({.channels = 5, .dead = 4}), ErrorKind::usage, "dead is 4; it can be 0 to 3");
  expect_error(made({.sources = 9}), ErrorKind::usage, "sources fit in 9x9 pixels");
  expect_error(made({}, Type::u8), ErrorKind::usage, "give f32 or f64");
  expect_error(made({.sources = 0}, Type::f32, {9, 9, 3}), ErrorKind::usage, "3 channels");
}

}  // namespace
}  // namespace tessera
