// SPDX-License-Identifier: Apache-2.0
// Pixels that lack channels in more ways than are kept in memory each have their own RMSF.
#include <gtest/gtest.h>

#include <complex>
#include <nlohmann/json.hpp>

#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

class CliFaradayManyPatterns : public CliFaraday {
 protected:
  static constexpr int kWidth = 80, kHeight = 60;

  /// Channel k of pixel n is missing if bit k of a mixed n is set: 4800 different patterns.
  static bool is_missing(int n, int k) {
    const auto mixed = static_cast<unsigned>(n + 1) * 2654435761U;
    return k < 13 ? ((static_cast<unsigned>(n) >> k) & 1U) != 0 : ((mixed >> k) & 7U) == 0;
  }
  void SetUp() override {
    CliFaraday::SetUp();
    q_ = Image({kWidth, kHeight, 1, kChannels}, Type::f32);
    u_ = Image(q_.info());
    for (int k = 0; k < kChannels; ++k)
      for (int n = 0; n < kWidth * kHeight; ++n) {
        const double wavelength = kLight / channels_.frequency[static_cast<std::size_t>(k)];
        const double angle = 2 * (n % 300 - 150.0) * wavelength * wavelength;
        const bool missing = is_missing(n, k);
        q_.as<float>().at(n % kWidth, n / kWidth, 0, k) =
            missing ? kNaN : static_cast<float>(5 * std::cos(angle));
        u_.as<float>().at(n % kWidth, n / kWidth, 0, k) =
            missing ? kNaN : static_cast<float>(5 * std::sin(angle));
      }
    write_cubes();
  }
  FaradayRmsf expected_rmsf(int n, bool fit) const {
    std::vector<unsigned char> flags;
    for (int k = 0; k < kChannels; ++k) flags.push_back(is_missing(n, k) ? 1 : 0);
    return faraday_rmsf(expected().axes, fit, flags);
  }
};

TEST_F(CliFaradayManyPatterns, EveryPixelHasItsOwnRmsf) {
  const Outcome outcome = run_tool(synth("a_", {"-t", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["patterns"], 4097);
  EXPECT_EQ(json["incomplete_pixels"].get<long long>() + json["empty_pixels"].get<long long>(),
            kWidth * kHeight);
  EXPECT_TRUE(json["notes"].empty());
  const Image real = made("a_RMSF_real.npy"), im = made("a_RMSF_im.npy"),
              fwhm = made("a_RMSF_FWHM.npy");
  ASSERT_EQ(im.info().size, (Size{kWidth, kHeight, 1, 163}));
  for (const int n : {1, 3000, 4095, 4200, 4500, kWidth * kHeight - 1}) {
    const FaradayRmsf rmsf = expected_rmsf(n, true);
    const int x = n % kWidth, y = n / kWidth;
    EXPECT_NEAR(fwhm.as<float>().at(x, y), rmsf.fwhm, 1e-3 * rmsf.fwhm) << n;
    for (int p = 0; p < 163; ++p) {
      const std::complex<double> value = rmsf.value[static_cast<std::size_t>(p)];
      EXPECT_NEAR(real.as<float>().at(x, y, 0, p), value.real(), 1e-5) << n << " " << p;
      EXPECT_NEAR(im.as<float>().at(x, y, 0, p), value.imag(), 1e-5) << n << " " << p;
    }
  }
}

TEST_F(CliFaradayManyPatterns, StripsChangeNoByteAndCleaningTakesTheirRmsfs) {
  const Words always{"--clean", "-c", "0.5", "--force"};
  ASSERT_EQ(run_tool(synth("a_", always)).code, 0);
  Words more = always;
  more.insert(more.end(), {"--memory-limit", "60M", "--threads", "2"});
  const Outcome outcome = run_tool(synth("b_", more));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string name : {"RMSF_real", "RMSF_im", "RMSF_FWHM", "FDF_CC_im", "CLEAN_nIter"})
    EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name + ".npy")),
                             testing::short_view(made("b_" + name + ".npy"))))
        << name;
  ASSERT_EQ(run_tool({"faraday", "clean", folder_.path("a_"), folder_.path("a_"), "-c", "0.5",
                      "--dphi", "10", "-o", folder_.path("c_")})
                .code,
            0);
  const Image one = made("a_FDF_clean_real.npy"), two = made("c_FDF_clean_real.npy");
  for (int p = 0; p < 81; ++p)
    for (const int n : {5, 4300, 4700})
      EXPECT_NEAR(one.as<float>().at(n % kWidth, n / kWidth, 0, p),
                  two.as<float>().at(n % kWidth, n / kWidth, 0, p), 5e-4)
          << n;
  // The RMSF of all channels would leave side lobes: it is the wrong one for these pixels.
  const Image residual = made("a_FDF_clean_tot.npy");
  for (const int n : {4300, 4700}) {
    int above = 0;
    for (int p = 0; p < 81; ++p)
      above += residual.as<float>().at(n % kWidth, n / kWidth, 0, p) > 0.5F;
    EXPECT_LE(above, 30) << n;
  }
}

TEST_F(CliFaradayManyPatterns, FilesOfPatternsSayWhichPixelsTheyLeaveOut) {
  const Outcome outcome = run_tool(synth("a_", {"--rmsf", "patterns", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json["notes"].size(), 1U);
  EXPECT_NE(json["notes"][0].get<std::string>().find("--rmsf pixels gives every pixel its own"),
            std::string::npos);
  EXPECT_EQ(made("a_RMSF_im.npy").info().size, (Size{4096, 1, 1, 163}));
  EXPECT_EQ(
      testing::short_view(made("a_RMSF_pattern.npy")).as<const float>().at(kWidth - 1, kHeight - 1),
      -2);
}

}  // namespace
}  // namespace tessera::testing
