// SPDX-License-Identifier: Apache-2.0
// Errors against simulated truth: sources of known depth, intensity and angle in noise of known
// size, half of the channels missing in half of the image. The pull (measured - true) / error must
// have unit width in both halves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tessera/faraday_bands.hpp"
#include "tessera/faraday_clean.hpp"
#include "tessera/faraday_maps.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

constexpr int kSide = 32, kChannels = 96;
constexpr double kDegrees = 180 / std::numbers::pi;

/// 1.1 to 1.5 GHz with noise that grows towards its ends, as in receivers.
struct Band {
  std::vector<double> sigma;
  FaradayAxes axes;

  explicit Band(bool variance) {
    FaradayChannels channels;
    for (int k = 0; k < kChannels; ++k) {
      const double t = (k + 0.5) / kChannels - 0.5;
      channels.frequency.push_back(1.3e9 + 0.4e9 * t);
      sigma.push_back(1 + 4 * t * t);
      if (variance) channels.weight.push_back(1 / (sigma.back() * sigma.back()));
    }
    axes = faraday_axes(channels, FaradayOptions{.phi_max = 500, .dphi = 8});
  }
};

/// The right half of the image lacks the upper half of the band: beams of mosaics shrink there.
bool is_missing(int x, int k) { return x >= kSide / 2 && k >= kChannels / 2; }

/// The mean and the width of many numbers.
struct Spread {
  double sum = 0, squares = 0, count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double width() const { return std::sqrt(squares / count - mean() * mean()); }
};

/// Pulls of the left and the right half.
struct Pulls {
  Spread rm[2], intensity[2], angle[2], angle_0[2];
};

/// Degrees from -90 to 90.
double turn(double degrees) { return std::remainder(degrees, 180); }

struct Truth {
  double rm, amplitude, angle_0;
};

/// One realisation; `cutoff` 0: not cleaned, else in multiples of the noise.
void realise(const Band& band, double snr, double cutoff, std::mt19937& random, Pulls& pulls) {
  const FaradayAxes& axes = band.axes;
  const Size size{kSide, kSide, 1, kChannels};
  Image q(size, Type::f32), u(size, Type::f32);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < kChannels; ++k)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        q.as<float>().at(x, y, 0, k) = u.as<float>().at(x, y, 0, k) =
            is_missing(x, k) ? std::numeric_limits<float>::quiet_NaN() : 0.0F;
  const FaradayBands band_plan(q.info(), axes, {.sigma = band.sigma, .backend = Backend::cpu});
  Image bands(band_plan.output());
  band_plan({q.view(), u.view()}, bands.view());
  std::vector<Truth> truth;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const Truth t{150 * uniform(random), snr * bands.as<float>().at(x, y, 0, 0),
                    90 * uniform(random)};
      truth.push_back(t);
      for (int k = 0; k < kChannels; ++k) {
        const auto n = static_cast<std::size_t>(k);
        const double phase = 2 * (t.angle_0 / kDegrees + t.rm * axes.lambda2[n]);
        q.as<float>().at(x, y, 0, k) +=
            static_cast<float>(t.amplitude * std::cos(phase) + band.sigma[n] * normal(random));
        u.as<float>().at(x, y, 0, k) +=
            static_cast<float>(t.amplitude * std::sin(phase) + band.sigma[n] * normal(random));
      }
    }
  const FaradaySynth synth(q.info(), axes, {.backend = Backend::cpu});
  Image real(synth.output()), imaginary(synth.output());
  synth(q.view(), u.view(), real.view(), imaginary.view());
  if (cutoff > 0) {
    std::vector<unsigned char> flagged(kChannels, 0);
    std::fill(flagged.begin() + kChannels / 2, flagged.end(), 1);
    const std::vector<FaradayRmsf> own{faraday_rmsf(axes, true, flagged)};
    std::vector<int> of_pixel;
    Image levels({kSide, kSide, 1, 1}, Type::f32);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        of_pixel.push_back(x >= kSide / 2 ? 0 : -1);
        levels.as<float>().at(x, y) = static_cast<float>(cutoff * bands.as<float>().at(x, y, 0, 0));
      }
    const FaradayClean clean(real.info(), faraday_rmsf(axes, true), {.backend = Backend::cpu});
    clean({real.view(), imaginary.view(), levels.view(), own, of_pixel},
          {real.view(), imaginary.view()});
  }
  using Map = FaradayMap;
  const FaradayMaps plan(real.info(), axes, axes.fwhm,
                         {Map::rm, Map::rm_error, Map::pi_debiased, Map::noise, Map::angle,
                          Map::angle_error, Map::angle_0, Map::angle_0_error},
                         {.backend = Backend::cpu});
  Image maps(plan.output());
  plan(real.view(), imaginary.view(), bands.view(), maps.view());
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const Truth& t = truth[static_cast<std::size_t>(y * kSide + x)];
      const auto value = [&](int m) {
        return static_cast<double>(maps.as<float>().at(x, y, 0, m));
      };
      const int half = x >= kSide / 2 ? 1 : 0;
      pulls.rm[half].add((value(0) - t.rm) / value(1));
      pulls.intensity[half].add((value(2) - t.amplitude) / value(3));
      pulls.angle[half].add(turn(value(4) - t.angle_0 - kDegrees * t.rm * axes.lambda2_0) /
                            value(5));
      pulls.angle_0[half].add(turn(value(6) - t.angle_0) / value(7));
    }
}

int realisations() { return testing::run_all() ? 200 : testing::run_small() ? 1 : 24; }

void expect_unit_width(double snr, bool variance, double cutoff, double tolerance) {
  SCOPED_TRACE("S/N " + std::to_string(snr) + (variance ? ", variance" : ", uniform") +
               (cutoff > 0 ? ", cleaned" : ""));
  const Band band(variance);
  std::mt19937 random(static_cast<unsigned>(snr) + (variance ? 1000U : 0U));
  Pulls pulls;
  for (int n = 0; n < realisations(); ++n) realise(band, snr, cutoff, random, pulls);
  for (const int half : {0, 1})
    fmt::print(
        "S/N {}{}{}, {} channels: widths of pulls {:.3f} RM, {:.3f} intensity, {:.3f} angle, "
        "{:.3f} at 0\n",
        snr, variance ? ", variance" : ", uniform", cutoff > 0 ? ", cleaned" : "",
        half ? kChannels / 2 : kChannels, pulls.rm[half].width(), pulls.intensity[half].width(),
        pulls.angle[half].width(), pulls.angle_0[half].width());
  // Four times the scatter of a width measured from that many numbers comes on top.
  const double slack = tolerance + 4 / std::sqrt(2 * pulls.rm[0].count) * (realisations() < 100);
  for (const int half : {0, 1}) {
    EXPECT_NEAR(pulls.rm[half].width(), 1, slack) << "RM, half " << half;
    EXPECT_NEAR(pulls.intensity[half].width(), 1, slack) << "intensity, half " << half;
    EXPECT_NEAR(pulls.angle[half].width(), 1, slack) << "angle, half " << half;
    // At lambda = 0 the errors of weak sources are 30 degrees and more, and a turn hides the rest.
    if (snr > 10) {
      EXPECT_NEAR(pulls.angle_0[half].width(), 1, slack) << "angle at 0, half " << half;
    }
    for (const Spread* pull : {&pulls.rm[half], &pulls.angle[half], &pulls.angle_0[half]})
      EXPECT_NEAR(pull->mean(), 0, 0.03 + 4 / std::sqrt(pull->count)) << "half " << half;
  }
}

TEST(FaradayPulls, OfDirtySpectraHaveUnitWidthInBothHalves) {
  for (const double snr : {8.0, 15.0, 50.0})
    for (const bool variance : {false, true}) expect_unit_width(snr, variance, 0, 0.03);
}

TEST(FaradayPulls, OfCleanedSpectraHaveUnitWidthInBothHalves) {
  for (const double snr : {8.0, 15.0, 50.0}) expect_unit_width(snr, false, 3, 0.10);
}

}  // namespace
}  // namespace tessera
