// SPDX-License-Identifier: Apache-2.0
// The definition of a spectrum's values, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ops/faraday/maps/faraday_median.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
using Spectrum = std::vector<std::complex<double>>;

/// Three channels with lambda^2 of 0.04, 0.05 and 0.06 m^2: mean 0.05, variance 1e-4.
FaradayAxes axes_with(std::vector<double> phi) {
  FaradayChannels channels;
  for (const double lambda2 : {0.04, 0.05, 0.06})
    channels.frequency.push_back(299792458 / std::sqrt(lambda2));
  return faraday_axes(channels, std::move(phi));
}

/// 4 - (phi - 0.5)^2 / 8 over -4, -2, 0, 2, 4.
Spectrum parabola() {
  Spectrum spectrum;
  for (const double phi : {-4, -2, 0, 2, 4}) spectrum.push_back(4 - (phi - 0.5) * (phi - 0.5) / 8);
  return spectrum;
}

TEST(FaradayPeak, FindsTheTopOfAParabola) {
  const FaradayPeak peak = faraday_peak(parabola(), axes_with({-4, -2, 0, 2, 4}), 10, 0.5);
  EXPECT_EQ(peak.index, 2);
  EXPECT_DOUBLE_EQ(peak.max_pi, 4 - 0.25 / 8);
  EXPECT_EQ(peak.peak_rm, 0);
  EXPECT_NEAR(peak.rm, 0.5, 1e-12);
  EXPECT_NEAR(peak.pi, 4, 1e-12);
  EXPECT_NEAR(peak.snr, 8, 1e-12);
  EXPECT_NEAR(peak.rm_error_fwhm, 10 * 0.5 / (2 * 4), 1e-12);
  EXPECT_NEAR(peak.pi_debiased, std::sqrt(16 - 2.3 * 0.25), 1e-12);
  EXPECT_EQ(peak.noise, 0.5);
}

TEST(FaradayPeak, TakesUnevenStepsAndFallingDepths) {
  const auto on = [](const std::vector<double>& phi) {
    Spectrum spectrum;
    for (const double p : phi) spectrum.push_back(4 - (p - 0.5) * (p - 0.5) / 8);
    return faraday_peak(spectrum, axes_with(phi), 10, 0.5);
  };
  for (const auto& phi : {std::vector<double>{-4, -2, 0, 3, 3.5}, {3.5, 3, 0, -2, -4}}) {
    EXPECT_NEAR(on(phi).rm, 0.5, 1e-12);
    EXPECT_NEAR(on(phi).pi, 4, 1e-12);
  }
  EXPECT_TRUE(std::isnan(on({-4, 3, 0, 2, 4}).rm)) << "neighbours that lie on one side";
}

TEST(FaradayPeak, LeavesTheEdgesOutOfTheFit) {
  const FaradayPeak peak =
      faraday_peak(Spectrum{9, 1, 2, 1.5, 10}, axes_with({-4, -2, 0, 2, 4}), 10, 0.1);
  EXPECT_EQ(peak.max_pi, 10);
  EXPECT_EQ(peak.peak_rm, 4);
  EXPECT_EQ(peak.index, 2);
  EXPECT_NEAR(peak.rm, 2 * (1 - 1.5) / (2 * (1 - 4 + 1.5)), 1e-12);
}

TEST(FaradayPeak, HasNoFitWhereTheParabolaIsNone) {
  const FaradayAxes axes = axes_with({-4, -2, 0, 2, 4});
  const FaradayPeak upwards = faraday_peak(Spectrum{9, 2, 1, 0, 0}, axes, 10, 0.1);
  EXPECT_EQ(upwards.index, 1);
  EXPECT_EQ(upwards.max_pi, 9);
  const FaradayPeak flat = faraday_peak(Spectrum(5, 0.0), axes, 10, 0.1);
  EXPECT_EQ(flat.max_pi, 0);
  EXPECT_EQ(flat.peak_rm, -4);
  // Its top would be at -8: below the grid, though not below the largest |phi| of this one.
  const FaradayPeak outside =
      faraday_peak(Spectrum{4.9, 4, 2.9, 0, 0}, axes_with({0, 2, 4, 6, 20}), 10, 0.1);
  const FaradayPeak few = faraday_peak(Spectrum{1, 2}, axes_with({0, 2}), 10, 0.1);
  EXPECT_EQ(few.max_pi, 2);
  EXPECT_EQ(few.index, -1);
  for (const FaradayPeak& peak : {upwards, flat, outside, few})
    for (const double value : {peak.rm, peak.pi, peak.pi_debiased, peak.snr, peak.angle,
                               peak.angle_0, peak.rm_error, peak.angle_error, peak.angle_0_error})
      EXPECT_TRUE(std::isnan(value));
}

TEST(FaradayPeak, PassesOverNan) {
  const FaradayAxes axes = axes_with({-4, -2, 0, 2, 4});
  Spectrum spectrum = parabola();
  spectrum[0] = {kNotANumber, 0};
  EXPECT_NEAR(faraday_peak(spectrum, axes, 10, 0.5).rm, 0.5, 1e-12);
  spectrum[3] = {0, kNotANumber};
  EXPECT_EQ(faraday_peak(spectrum, axes, 10, 0.5).index, 2);
  EXPECT_TRUE(std::isnan(faraday_peak(spectrum, axes, 10, 0.5).rm));
  const FaradayPeak nothing = faraday_peak(Spectrum(5, {kNotANumber, kNotANumber}), axes, 10, 0.5);
  EXPECT_EQ(nothing.index, -1);
  for (const double value : {nothing.max_pi, nothing.peak_rm, nothing.noise, nothing.second_moment})
    EXPECT_TRUE(std::isnan(value));
}

TEST(FaradayPeak, TurnsAnglesIntoAHalfCircle) {
  const FaradayAxes axes = axes_with({-4, -2, 0, 2, 4});
  for (const double degrees : {0.0, 10.0, 89.0, 91.0, 179.0}) {
    Spectrum spectrum = parabola();
    for (auto& f : spectrum) f *= std::polar(1.0, 2 * degrees * std::acos(-1.0) / 180);
    const FaradayPeak peak = faraday_peak(spectrum, axes, 10, 0.5);
    EXPECT_NEAR(peak.angle, degrees, 1e-10);
    const double turned = degrees - 0.5 * 0.05 * 180 / std::acos(-1.0);
    EXPECT_NEAR(peak.angle_0, turned < 0 ? turned + 180 : turned, 1e-10);
    EXPECT_NEAR(std::arg(std::complex(peak.real, peak.imaginary) /
                         std::polar(1.0, 2 * degrees * std::acos(-1.0) / 180)),
                0, 1e-12);
  }
  const FaradayPeak peak = faraday_peak(parabola(), axes, 10, 0.5);
  const double square = 16 - 2.3 * 0.25;  // of the intensity without bias
  EXPECT_NEAR(peak.angle_error, 180 / std::acos(-1.0) * 0.5 / (2 * std::sqrt(square)), 1e-12);
  // dF^2 N / (4 (N - 2) amp^2) ((N - 1) / N + l2_0^2 / var) with N = 3, var = 1e-4
  EXPECT_NEAR(
      peak.angle_0_error,
      180 / std::acos(-1.0) * std::sqrt(0.25 * 3 / (4 * square) * (2.0 / 3 + 0.0025 / 1e-4)), 1e-9);
  // The spread of 0.04, 0.05 and 0.06 m^2 is sqrt(2e-4 / 3).
  EXPECT_NEAR(peak.rm_error, 0.5 / (2 * std::sqrt(square) * std::sqrt(2e-4 / 3)), 1e-9);
}

TEST(FaradayPeak, DoesNotDebiasWhatIsWeak) {
  const FaradayPeak peak = faraday_peak(parabola(), axes_with({-4, -2, 0, 2, 4}), 10, 0.81);
  EXPECT_EQ(peak.pi_debiased, peak.pi);
}

TEST(FaradayPeak, MeasuresTheNoiseBesideThePeak) {
  std::vector<double> phi;
  Spectrum spectrum;
  for (int p = 0; p < 21; ++p) {
    phi.push_back(p);
    spectrum.push_back(std::complex(p % 2 ? 1.0 : -1.0, p % 3 ? 2.0 : -2.0));
  }
  spectrum[10] = 100;
  // A width of 1.5 steps: depths 6 to 13 are left out, 13 remain: values 1, -1, 2, -2, median by
  // hand below.
  std::vector<double> values;
  for (int p = 0; p < 21; ++p)
    if (p < 6 || p > 13)
      for (const double v : {spectrum[static_cast<std::size_t>(p)].real(),
                             spectrum[static_cast<std::size_t>(p)].imag()})
        values.push_back(v);
  std::sort(values.begin(), values.end());
  const double middle = 0.5 * (values[12] + values[13]);
  for (double& v : values) v = std::abs(v - middle);
  std::sort(values.begin(), values.end());
  const double expected = 0.5 * (values[12] + values[13]) / 0.6745;
  EXPECT_DOUBLE_EQ(faraday_peak(spectrum, axes_with(phi), 1.5, kNotANumber).noise, expected);
  // Wider than the grid: all depths count. A depth that is not finite does not.
  spectrum[3] = {1, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(std::isfinite(faraday_peak(spectrum, axes_with(phi), 100, kNotANumber).noise));
}

TEST(FaradayPeak, TheMedianByBucketsIsTheMedian) {
  std::mt19937 random(2);
  std::vector<double> room;
  for (int k = 0; k < 400; ++k) {
    std::vector<double> values(1 + random() % 1200);
    const unsigned kinds = k % 4 == 0 ? 3 : 1u << 30;  // few values, so that many are equal
    for (double& value : values) value = static_cast<double>(random() % kinds) - 7;
    if (k % 5 == 0) std::sort(values.begin(), values.end());
    std::vector<double> copy = values, sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double expected =
        sorted.size() % 2 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
    EXPECT_EQ(bucket_median(values, room), expected) << values.size();
    EXPECT_EQ(plain_median(copy), expected) << values.size();
  }
  std::vector<double> wide;  // its range is past the largest number
  for (int k = 0; k < 1001; ++k) wide.push_back((k % 2 ? -1 : 1) * (1 + k / 2000.0) * 1e308);
  EXPECT_EQ(bucket_median(wide, room), 1e308);
}

TEST(FaradayPeak, GivesTheSecondMoment) {
  const FaradayAxes axes = axes_with({-4, -2, 0, 2, 4});
  EXPECT_NEAR(faraday_peak(Spectrum{0, {0, 1}, 0, 1, 0}, axes, 10, 1).second_moment, 2, 1e-15);
  EXPECT_EQ(faraday_peak(Spectrum{0, 0, 0, 3, 0}, axes, 10, 1).second_moment, 0);
}

TEST(FaradayPeak, KnowsTheNoiseByTheory) {
  const FaradayAxes axes = axes_with({-1, 0, 1});
  EXPECT_NEAR(faraday_noise(axes, std::vector<double>(3, 0.3)), 0.3 / std::sqrt(3), 1e-15);
  EXPECT_THROW(faraday_noise(axes, std::vector<double>(2, 0.3)), Error);
  EXPECT_THROW(faraday_peak(Spectrum{1, 2}, axes, 1, 1), Error);
}

}  // namespace
}  // namespace tessera
