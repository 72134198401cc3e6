// SPDX-License-Identifier: Apache-2.0
// Wavelengths and grids by hand arithmetic, and a spectrum whose answers RM-Tools has published.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

using testing::sample_of;
using testing::set_sample;

constexpr double kLight = 299792458;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Frequencies of these lambda^2, m^2.
FaradayChannels channels_at(const std::vector<double>& lambda2, std::vector<double> weight = {}) {
  FaradayChannels channels{{}, std::move(weight)};
  for (const double l2 : lambda2) channels.frequency.push_back(kLight / std::sqrt(l2));
  return channels;
}

TEST(FaradayAxes, WavelengthsByHand) {
  const FaradayAxes axes = faraday_axes(channels_at({4, 1, 2, 9}, {1, 2, 1, kNan}));
  EXPECT_EQ(axes.channels(), 4);
  for (const auto& [k, l2] : {std::pair{0, 4.0}, {1, 1.0}, {2, 2.0}, {3, 9.0}})
    EXPECT_NEAR(axes.lambda2[static_cast<std::size_t>(k)], l2, 1e-14);
  EXPECT_EQ(axes.weight, (std::vector<double>{1, 2, 1, 0}));
  EXPECT_EQ(axes.weight_sum, 4);
  EXPECT_NEAR(axes.lambda2_0, (4 + 2 * 1 + 2) / 4.0, 1e-14);
  EXPECT_NEAR(axes.fwhm, 3.8 / 3, 1e-13);  // the channel without weight adds nothing to the range
  EXPECT_NEAR(axes.max_scale, std::numbers::pi, 1e-13);
  EXPECT_NEAR(axes.frequency_0(), kLight / std::numbers::sqrt2, 1);
}

TEST(FaradayAxes, GridsByThemselves) {
  // The widest step is 2 m^2: sqrt(3) / 2 is less than ten widths, 12.67.
  const FaradayAxes axes = faraday_axes(channels_at({4, 1, 2}));
  EXPECT_NEAR(axes.dphi, axes.fwhm / 5, 1e-15);
  EXPECT_EQ(axes.depths(), 2 * 50 + 1);
  EXPECT_EQ(axes.phi[50], 0);
  EXPECT_TRUE(axes.symmetric() && axes.regular());
  EXPECT_EQ(faraday_axes(channels_at({4, 1, 2}), FaradayOptions{.samples = 10}).depths(), 201);
  // Channels 0.01 m^2 apart: sqrt(3) / 0.01 is more than ten widths of 3.8 / 1.
  std::vector<double> many;
  for (int k = 0; k <= 100; ++k) many.push_back(1 + 0.01 * k);
  const FaradayAxes fine = faraday_axes(channels_at(many));
  EXPECT_NEAR(fine.phi.back(), std::numbers::sqrt3 / 0.01, 0.5 * fine.dphi);
}

TEST(FaradayAxes, GridsAsAsked) {
  const FaradayChannels channels = channels_at({4, 1, 2});
  const FaradayAxes square = faraday_axes(channels, FaradayOptions{.phi_max = 1000, .dphi = 5});
  EXPECT_EQ(square.depths(), 401);
  EXPECT_EQ(square.phi.front(), -1000);
  EXPECT_EQ(square.phi.back(), 1000);
  const FaradayAxes lopsided = faraday_axes(channels, FaradayOptions{.phi = "-100,500,0.5"});
  EXPECT_EQ(lopsided.depths(), 1201);
  EXPECT_EQ(lopsided.phi.front(), -100);
  EXPECT_EQ(lopsided.phi.back(), 500);
  EXPECT_EQ(lopsided.dphi, 0.5);
  EXPECT_FALSE(lopsided.symmetric());
  EXPECT_EQ(faraday_axes(channels, FaradayOptions{.phi = "0,9.4,2"}).phi,
            (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(faraday_axes(channels, FaradayOptions{.phi = " -1, 0.5, 1.5"}).phi,
            (std::vector<double>{-1, 0.5}));
  const FaradayAxes one = faraday_axes(channels, FaradayOptions{.phi = "7,7,1"});
  EXPECT_EQ(one.phi, std::vector<double>{7});
  EXPECT_FALSE(one.regular());
  const FaradayAxes none = faraday_axes(channels, FaradayOptions{.phi_max = 0, .dphi = 3});
  EXPECT_EQ(none.phi, std::vector<double>{0});
}

TEST(FaradayAxes, DepthByDepth) {
  const FaradayChannels channels = channels_at({4, 1, 2});
  const auto axes = [&](const std::vector<double>& depths) {
    return faraday_axes(channels, depths, FaradayOptions{});
  };
  EXPECT_TRUE(axes({-1, 0, 1}).symmetric());
  EXPECT_TRUE(axes({-7, 3, -3, 7}).symmetric());
  EXPECT_FALSE(axes({-1, 0, 1 + 1e-15}).symmetric());
  EXPECT_FALSE(axes({-1, 0, 1, 2}).symmetric());
  EXPECT_TRUE(axes({0}).symmetric());
  EXPECT_FALSE(axes({1}).symmetric());
  EXPECT_NEAR(axes({0.1, 0.2, 0.3, 0.4}).dphi, 0.1, 1e-15);
  EXPECT_EQ(axes({-7, 3, -3, 7}).dphi, 0);
  EXPECT_EQ(axes({3, 2, 1}).dphi, 0);  // a step is one up
  EXPECT_EQ(axes({5, 5}).dphi, 0);
}

TEST(FaradayAxes, AnglesAtZeroWavelength) {
  const FaradayAxes axes =
      faraday_axes(channels_at({4, 1, 2}, {1, 0, 1}), FaradayOptions{.lambda0 = 0});
  EXPECT_EQ(axes.lambda2_0, 0);
  EXPECT_NEAR(axes.fwhm, 2.0 / (4 + 2), 1e-14);
  EXPECT_NEAR(axes.frequency_0(), (kLight / 2 + kLight / std::numbers::sqrt2) / 2, 1);
  EXPECT_EQ(faraday_axes(channels_at({4, 1}), FaradayOptions{.lambda0 = 3.5}).lambda2_0, 3.5);
}

TEST(FaradayAxes, DeadChannelsDoNotCount) {
  testing::FaradayCubes in({5, 4, 1, 3}, Type::f32, 1);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      set_sample((x + y) % 2 ? in.q : in.u, x, y, 2, kNan);  // one of both is enough
      if (x != 4 || y != 3) set_sample(in.q, x, y, 0, kNan);
    }
  EXPECT_EQ(find_dead_channels(in.q.view(), in.u.view()), (std::vector<unsigned char>{0, 0, 1}));
  const FaradaySpectra spectra = faraday_synth(in.q.view(), in.u.view(), channels_at({4, 1, 2}));
  EXPECT_EQ(spectra.axes.weight, (std::vector<double>{1, 1, 0}));
  EXPECT_NEAR(spectra.axes.lambda2_0, 2.5, 1e-14);
}

/// The spectrum of the test of RM-Tools, weights 1 / sigma^2.
struct PublishedSpectrum {
  PublishedSpectrum() : q({1, 1, 1, 288}, Type::f64), u({1, 1, 1, 288}, Type::f64) {
    std::ifstream file(std::string(TESSERA_SOURCE_DIR) +
                       "/tests/data/rmtools/RMsynth1D_testdata.dat");
    for (int k = 0; k < 288; ++k) {
      double hertz, i, q_k, u_k, di, dq, du;
      file >> hertz >> i >> q_k >> u_k >> di >> dq >> du;
      channels.frequency.push_back(hertz);
      channels.weight.push_back(4 / ((dq + du) * (dq + du)));
      set_sample(q, 0, 0, k, q_k);
      set_sample(u, 0, 0, k, u_k);
    }
    EXPECT_TRUE(file.good());
  }
  FaradayChannels channels;
  Image q, u;
};

TEST(FaradayAxes, SpectrumOfRmTools) {
  const PublishedSpectrum in;
  for (const char* method : {"reference", "direct"}) {
    const FaradaySpectra spectra = faraday_synth(in.q.view(), in.u.view(), in.channels,
                                                 {.phi_max = 600, .dphi = 3, .method = method});
    const FaradayAxes& axes = spectra.axes;
    const auto height = [&](int p) {
      return std::hypot(sample_of(spectra.real.view(), 0, 0, p),
                        sample_of(spectra.imaginary.view(), 0, 0, p));
    };
    int peak = 1;
    for (int p = 1; p + 1 < axes.depths(); ++p)
      if (height(p) > height(peak)) peak = p;
    const double y1 = height(peak - 1), y2 = height(peak), y3 = height(peak + 1);
    const double bend = y1 - 2 * y2 + y3;
    EXPECT_NEAR(axes.phi[static_cast<std::size_t>(peak)] + axes.dphi * (y1 - y3) / (2 * bend),
                200.2900, 0.0005);
    EXPECT_NEAR(y2 - (y1 - y3) * (y1 - y3) / (8 * bend), 0.69967, 1e-4);
    EXPECT_NEAR(axes.fwhm, 58.9095, 1e-4);
    EXPECT_NEAR(axes.lambda2_0, 0.10327484831236765, 2e-8);  // theirs are of float32
    EXPECT_NEAR(axes.frequency_0(), 932874912.6426204, 100);
  }
}

}  // namespace
}  // namespace tessera
