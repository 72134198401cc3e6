// SPDX-License-Identifier: Apache-2.0
// Maps of spectra that are cleaned from files: those of the run that makes and cleans them.
#include <gtest/gtest.h>

#include <cmath>

#include "jobs/faraday/faraday_clean_maps.hpp"
#include "tests/support/cli_faraday.hpp"

namespace tessera::testing {
namespace {

class CliFaradayCleanMaps : public CliFaraday {
 protected:
  /// Some pixels lack a third of the channels at one end, one lacks all.
  void SetUp() override {
    CliFaraday::SetUp();
    for (int k = 0; k < kChannels; ++k) q_.as<float>().at(12, 10, 0, k) = kNaN;
    for (int k = 0; k < 8; ++k)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < 4; ++x) u_.as<float>().at(x, y, 0, k) = kNaN;
    write_cubes();
  }
  void expect_like(const std::string& a, const std::string& b, double share) const {
    const Image one = made(a), two = made(b);
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) {
        const double p = one.as<float>().at(x, y), q = two.as<float>().at(x, y);
        ASSERT_EQ(std::isnan(p), std::isnan(q)) << a << " " << x << "," << y;
        if (std::isnan(p)) continue;
        ASSERT_NEAR(p, q, share * std::abs(q) + 1e-6) << a << " " << x << "," << y;
      }
  }
};

TEST_F(CliFaradayCleanMaps, AreThoseOfTheRunThatMakesTheSpectra) {
  for (const Words& noise : {Words{"0.2", "0.0408248"}, Words{}}) {
    Words more{"--clean", "-c", "0.3", "--maps", "all", "--force"},
        clean{"faraday",
              "clean",
              folder_.path("one_"),
              folder_.path("one_"),
              "-c",
              "0.3",
              "--dphi",
              "10",
              "-o",
              folder_.path("two_"),
              "--maps",
              "all",
              "--force",
              "--lambda0",
              fmt::format("{}", expected().axes.lambda2_0)};
    if (!noise.empty()) more.insert(more.end(), {"-n", noise[0]});
    ASSERT_EQ(run_tool(synth("one_", more)).code, 0);
    if (!noise.empty()) {
      // The noise of the spectra, which is higher where channels lack.
      clean.insert(clean.end(), {"--noise", folder_.path("one_dFDFth.npy")});
    }
    const Outcome outcome = run_tool(clean);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const std::string name :
         {"FDF_maxPI", "FDF_peakRM", "phiPeakPIfit_rm2", "ampPeakPIfit", "ampPeakPIfitEff",
          "snrPIfit", "dPhiPeakPIfit_rm2", "FDF_mom2", "polAngleFit_deg", "polAngle0Fit_deg"})
      expect_like("two_" + name + ".npy", "one_" + name + ".npy", 1e-3);
    // Errors by the spread of lambda^2, which the RMSF gives to 1e-4; the number of channels is not
    // known there, and is 16 or 24 here.
    for (const std::string name : {"dRM_rm2", "dPolAngleFit_deg"})
      expect_like("two_" + name + ".npy", "one_" + name + ".npy", 2e-3);
    expect_like("two_dPolAngle0Fit_deg.npy", "one_dPolAngle0Fit_deg.npy", 0.04);
  }
}

TEST_F(CliFaradayCleanMaps, MomentsOfChannelsComeFromTheRmsf) {
  const FaradayAxes axes = expected().axes;
  for (const int missing : {0, 5, 15}) {
    std::vector<unsigned char> flags(kChannels, 0);
    for (int k = 0; k < missing; ++k) flags[static_cast<std::size_t>(k)] = 1;
    double sum = 0, squares = 0;
    for (int k = missing; k < kChannels; ++k) {
      const double x = axes.lambda2[static_cast<std::size_t>(k)] - axes.lambda2_0;
      sum += x / (kChannels - missing);
      squares += x * x / (kChannels - missing);
    }
    const RmsfMoments found = rmsf_moments(faraday_rmsf(axes, false, flags));
    const double spread = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(found.spread, spread, 1e-4 * spread) << missing;
    EXPECT_NEAR(found.mean, sum, 1e-4 * spread) << missing;
  }
}

TEST_F(CliFaradayCleanMaps, FilesThatDoNotSayLambda0AreRefused) {
  ASSERT_EQ(run_tool(synth("a_")).code, 0);
  const Words clean{"faraday",          "clean", folder_.path("a_"),
                    folder_.path("a_"), "-c",    "1",
                    "--dphi",           "10",    "-o",
                    folder_.path("b_"), "--maps"};
  Words all = clean, bad = clean;
  all.emplace_back("all");
  bad.emplace_back("rms");
  expect_failure(all, 2, "does not state the wavelength squared");
  expect_failure(bad, 2, "--maps: 'rms' is not known");
}

}  // namespace
}  // namespace tessera::testing
