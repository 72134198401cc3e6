// SPDX-License-Identifier: Apache-2.0
// Models of Stokes I are not taken for data, and data not for models; the noise of channels.
#include "jobs/faraday/stokes_rough.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "io/formats.hpp"
#include "jobs/faraday/stokes_noise.hpp"
#include "tessera/stokes_fit.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

std::vector<double> frequencies_of(double low, double high, int channels) {
  std::vector<double> f;
  for (int k = 0; k < channels; ++k) f.push_back(low + (high - low) * k / (channels - 1));
  return f;
}

/// As a file has it.
std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  return values;
}

// 20,000 random models: both curves, orders 0 to 5 with coefficients of order 1 and more, narrow
// and wide bands, 16 to 400 channels, rounded to float, a third with missing channels at their ends
// or inside, a tenth negative.
TEST(StokesRough, TakesNoModelForData) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  double most = 0;
  int taken = 0;
  for (int n = 0; n < 20000; ++n) {
    const int channels = 16 + static_cast<int>(384 * uniform(random) * uniform(random));
    const double low = 1e8 * std::pow(30, uniform(random)),
                 width = std::pow(3, uniform(random)) * (1 + 0.02);
    const std::vector<double> f = frequencies_of(low, low * width, channels);
    const bool log = uniform(random) < 0.6;
    const int order = static_cast<int>(6 * uniform(random));
    double c[6];
    for (int k = 0; k <= order; ++k) c[k] = normal(random) * (log && k == 1 ? 2 : 1.5);
    std::vector<double> values;
    for (const double each : f) {
      const double x = each / (low * std::sqrt(width)), l = std::log10(x);
      double sum = 0;
      for (int k = order; k >= 1; --k) sum = (sum + c[k]) * (log ? l : x - 1);
      values.push_back(log ? 1e-3 * std::pow(10, sum) : 1e-3 * (4 + sum));
      if (n % 10 == 0) values.back() *= -1;
    }
    values = rounded(values);
    if (n % 3 == 0)
      for (std::size_t k = 0; k < values.size(); ++k)
        if (k < values.size() / 8 || uniform(random) < 0.1) values[k] = std::nan("");
    const StokesRoughness rough = stokes_roughness(f, values);
    if (!rough.judged) continue;
    if (rough.jumps > 1) most = std::max(most, rough.scatter);
    taken += rough.is_data();
  }
  EXPECT_EQ(taken, 0);
  EXPECT_LT(most, 3e-6);  // rounding to float, far below the bound of 1e-4
}

// Spectra with noise: power laws with S/N 0 to 3000 per channel.
TEST(StokesRough, TakesDataForData) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (const double snr : {0.0, 0.3, 1.0, 10.0, 300.0, 3000.0})
    for (const int channels : {16, 40, 288}) {
      const std::vector<double> f = frequencies_of(1e9, 1.7e9, channels);
      int taken = 0;
      for (int n = 0; n < 100; ++n) {
        std::vector<double> values;
        for (const double each : f)
          values.push_back(snr * std::pow(each / 1.3e9, -0.7) + normal(random));
        taken += stokes_roughness(f, rounded(values)).is_data();
      }
      EXPECT_GT(taken, 90) << snr << ", " << channels;  // 90%; half of them decide
    }
}

TEST(StokesRough, NeedsSixteenChannels) {
  std::vector<double> f = frequencies_of(1e9, 2e9, 15), values;
  for (int k = 0; k < 15; ++k) values.push_back(k % 2);
  EXPECT_FALSE(stokes_roughness(f, values).judged);
  EXPECT_FALSE(stokes_roughness(frequencies_of(1e9, 2e9, 20), std::vector<double>(20, 0)).judged);
}

/// The median with the numbers sorted, the plain way.
double plain_median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}
double plain_deviation(std::vector<double> values) {
  const double median = plain_median(values);
  for (double& value : values) value = std::abs(value - median);
  return plain_median(values) / 0.6745;
}

TEST(StokesNoise, IsTheDeviationOfTheSkyInTwoPasses) {
  const TemporaryFolder folder;
  const std::string path = folder.path("i.npy");
  constexpr Size kSize{31, 20, 1, 4};
  Image i(kSize, Type::f32);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 4; ++k)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 31; ++x) {
        const double source = std::hypot(x - 9, y - 9) < 3 ? 50 : 0;
        i.as<float>().at(x, y, 0, k) = k == 3 || x == 30 ? std::nanf("")
                                       : x == 0
                                           ? 0.0F
                                           : static_cast<float>(source + (k + 1) * normal(random));
      }
  write_image(path, i.view(), {});
  FaradayMemory memory{RunSettings{}};
  FaradayCubeSource cube(path, "FREQ", {}, {}, 'I');
  const StokesNoise found = measure_stokes_noise(cube, -5, memory);
  for (int k = 0; k < 3; ++k) {
    std::vector<double> all, sky;
    for (int y = 0; y < 20; ++y)
      for (int x = 1; x < 30; ++x) all.push_back(i.as<float>().at(x, y, 0, k));
    const double high = plain_median(all) + 3 * plain_deviation(all);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 30; ++x)
        if (i.as<float>().at(x, y, 0, k) < high) sky.push_back(i.as<float>().at(x, y, 0, k));
    EXPECT_NEAR(found.sigma[static_cast<std::size_t>(k)], plain_deviation(sky), 1e-6 * (k + 1));
  }
  EXPECT_TRUE(std::isnan(found.sigma[3]));
  EXPECT_EQ(found.emission.as<unsigned char>().at(9, 9), 1);
  EXPECT_EQ(found.emission.as<unsigned char>().at(30, 3), 0);
  // An absolute threshold is compared with the values themselves.
  const StokesNoise absolute = measure_stokes_noise(cube, 40, memory);
  EXPECT_EQ(absolute.emission.as<unsigned char>().at(9, 9), 1);
  EXPECT_EQ(absolute.emission.as<unsigned char>().at(20, 3), 0);
  EXPECT_FALSE(measure_stokes_noise(cube, std::nullopt, memory).emission);
}

}  // namespace
}  // namespace tessera::testing
