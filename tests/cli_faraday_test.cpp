// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis and RM-CLEAN from the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "io/header_cards.hpp"
#include "tessera/faraday_clean.hpp"
#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

TEST_F(CliFaraday, SynthGivesWhatTheLibraryGives) {
  write_cubes();
  const Outcome outcome = run_tool(synth("a_", {"--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const FaradaySpectra wanted = expected();
  EXPECT_TRUE(same_samples(wanted.real.view(), testing::short_view(made("a_FDF_real_dirty.npy"))));
  EXPECT_TRUE(
      same_samples(wanted.imaginary.view(), testing::short_view(made("a_FDF_im_dirty.npy"))));
  const Image total = made("a_FDF_tot_dirty.npy"), peak = made("a_FDF_peakRM.npy");
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["depths"], 81);
  EXPECT_EQ(json["patterns"], 1);
  EXPECT_NEAR(json["fwhm"], wanted.axes.fwhm, 1e-9);
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) {
      const int p = static_cast<int>(std::lround(peak.as<float>().at(x, y) / 10)) + 40;
      EXPECT_NEAR(total.as<float>().at(x, y, 0, p),
                  std::hypot(wanted.real.as<float>().at(x, y, 0, p),
                             wanted.imaginary.as<float>().at(x, y, 0, p)),
                  1e-6);
      EXPECT_NEAR(peak.as<float>().at(x, y), 20.0 * x - 15 * y, wanted.axes.fwhm / 8);
    }
  const FaradayRmsf rmsf = faraday_rmsf(wanted.axes);
  const Image real = made("a_RMSF_real.npy");
  ASSERT_EQ(real.info().size, (Size{kSize.width, kSize.height, 1, 2 * 81 + 1}));
  ASSERT_EQ(run_tool(synth("b_", {"--rmsf", "patterns"})).code, 0);
  const Image one = made("b_RMSF_real.npy");
  ASSERT_EQ(one.info().size.samples(), 2 * 81 + 1);
  for (int p = 0; p < 2 * 81 + 1; ++p) {
    const auto value = static_cast<float>(rmsf.value[static_cast<std::size_t>(p)].real());
    EXPECT_FLOAT_EQ(real.as<float>().at(12, 10, 0, p), value);
    EXPECT_FLOAT_EQ(one.as<float>().data[p], value);
  }
}

TEST_F(CliFaraday, AnyStripsAndThreadsGiveTheSameBytes) {
  q_.as<float>().at(3, 4, 0, 7) = kNaN;
  write_cubes();
  for (const char* rmsf : {"pixels", "patterns"}) {
    const bool patterns = rmsf == std::string("patterns");
    Words names{"FDF_real_dirty", "FDF_im_dirty", "FDF_peakRM",
                "RMSF_FWHM",      "RMSF_real",    "polAngle0Fit_deg"};
    if (patterns) names.emplace_back("RMSF_pattern");
    const Words always{"--maps", "all", "-t", "--force", "--rmsf", rmsf};
    ASSERT_EQ(run_tool(synth("a_", always)).code, 0);
    for (const Words& how : {Words{"--threads", "1", "--memory-limit", patterns ? "100K" : "260K"},
                             Words{"--threads", "2", "--memory-limit", patterns ? "200K" : "500K"},
                             Words{"--threads", "3"}, Words{"--threads", "7"}}) {
      Words more = always;
      more.insert(more.end(), how.begin(), how.end());
      const Outcome outcome = run_tool(synth("b_", more));
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      for (const std::string& name : names)
        EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name + ".npy")),
                                 testing::short_view(made("b_" + name + ".npy"))))
            << name << " " << how.back();
    }
  }
}

TEST_F(CliFaraday, MapsOnlyAreTheSameMaps) {
  write_cubes();
  ASSERT_EQ(run_tool(synth("a_", {"--maps", "rm,pi,max-pi"})).code, 0);
  ASSERT_EQ(
      run_tool(synth("b_", {"--maps", "rm,pi,max-pi", "--maps-only", "--memory-limit", "100K"}))
          .code,
      0);
  for (const std::string name : {"phiPeakPIfit_rm2", "ampPeakPIfit", "FDF_maxPI"})
    EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name + ".npy")),
                             testing::short_view(made("b_" + name + ".npy"))));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("b_FDF_real_dirty.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("b_FDF_peakRM.npy")));
}

TEST_F(CliFaraday, FlagsHaveRmsfsOfTheirOwn) {
  q_.as<float>().at(3, 4, 0, 7) = kNaN;
  u_.as<float>().at(5, 4, 0, 7) = std::numeric_limits<float>::infinity();
  u_.as<float>().at(6, 8, 0, 2) = kNaN;
  for (int k = 0; k < kChannels; ++k) q_.as<float>().at(0, 0, 0, k) = kNaN;  // no channel at all
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) u_.as<float>().at(x, y, 0, 20) = kNaN;  // dead
  write_cubes();
  const Outcome outcome = run_tool(synth("a_", {"--json", "-t", "--rmsf", "patterns"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["dead_channels"], 1);
  EXPECT_EQ(json["patterns"], 3);
  EXPECT_EQ(json["incomplete_pixels"], 3);
  EXPECT_EQ(json["empty_pixels"], 1);
  const Image pattern = made("a_RMSF_pattern.npy");
  EXPECT_EQ(pattern.as<float>().at(3, 4), pattern.as<float>().at(5, 4));
  EXPECT_EQ(pattern.as<float>().at(0, 0), -1);
  EXPECT_EQ(pattern.as<float>().at(1, 1), 0);
  const FaradaySpectra wanted = expected();
  std::vector<unsigned char> flags(kChannels, 0);
  flags[2] = 1;
  const FaradayRmsf rmsf = faraday_rmsf(wanted.axes, true, flags);
  const int n = static_cast<int>(pattern.as<float>().at(6, 8));
  const Image imaginary = made("a_RMSF_im.npy"), fwhm = made("a_RMSF_FWHM.npy");
  EXPECT_FLOAT_EQ(fwhm.as<float>().at(6, 8), static_cast<float>(rmsf.fwhm));
  ASSERT_EQ(imaginary.info().size, (Size{3, 1, 1, 163}));
  for (int p = 0; p < 163; ++p)
    EXPECT_FLOAT_EQ(imaginary.as<float>().at(n, 0, 0, p),
                    static_cast<float>(rmsf.value[static_cast<std::size_t>(p)].imag()));
  EXPECT_TRUE(std::isnan(
      testing::short_view(made("a_FDF_tot_dirty.npy")).as<const float>().at(0, 0, 0, 5)));
  EXPECT_TRUE(same_samples(wanted.real.view(), testing::short_view(made("a_FDF_real_dirty.npy"))));
  // The same with one RMSF per pixel, the default, cleans to the same.
  ASSERT_EQ(run_tool(synth("c_", {"-t"})).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("c_RMSF_pattern.npy")));
  for (const std::string prefix : {"a_", "c_"}) {
    const Outcome clean = run_tool({"faraday", "clean", folder_.path(prefix), folder_.path(prefix),
                                    "-c", "0.5", "--dphi", "10", "-o", folder_.path(prefix)});
    ASSERT_EQ(clean.code, 0) << clean.err;
  }
  for (const std::string name : {"FDF_clean_real", "FDF_CC_im", "CLEAN_nIter"})
    EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name + ".npy")),
                             testing::short_view(made("c_" + name + ".npy"))));
  EXPECT_TRUE(std::isnan(
      testing::short_view(made("a_FDF_clean_tot.npy")).as<const float>().at(0, 0, 0, 5)));
}

TEST_F(CliFaraday, RmsfsOfPixelsNeedSpectraOrAreAskedFor) {
  write_cubes();
  for (const Words& few : {Words{"--maps-only"}, Words{"--clean", "-c", "1", "--cubes", "clean"}}) {
    Words more = few;
    more.emplace_back("--force");
    ASSERT_EQ(run_tool(synth("a_", more)).code, 0);
    EXPECT_EQ(made("a_RMSF_im.npy").info().size.samples(), 163) << few[0];
    more.insert(more.end(), {"--rmsf", "pixels"});
    ASSERT_EQ(run_tool(synth("a_", more)).code, 0);
    EXPECT_EQ(made("a_RMSF_im.npy").info().size.samples(), 163 * 13 * 11) << few[0];
  }
  expect_failure(synth("b_", {"--rmsf", "patterns", "-f"}), 2, "--rmsf patterns is given, but");
  expect_failure(synth("b_", {"--rmsf-cube"}), 2,
                 "--rmsf-cube is no longer read here; write --rmsf "
                 "pixels, which is the default");
}

TEST_F(CliFaraday, ModelMaskWeights) {
  Image model(q_.info()), flat(q_.info());
  for (int k = 0; k < kChannels; ++k)
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) {
        const double f = channels_.frequency[static_cast<std::size_t>(k)];
        model.as<float>().at(x, y, 0, k) = static_cast<float>(1 + (f - 1.2e9) / 1e9);
      }
  write_image(cube("i"), model.view());
  Image mask({kSize.width, kSize.height}, Type::u8);
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) mask.as<unsigned char>().at(x, y) = x != 2;
  write_image(cube("mask"), mask.view());
  std::string weights;
  for (int k = 0; k < kChannels; ++k) weights += fmt::format("{}\n", 1 + k % 3);
  write_text(folder_.path("w.txt"), weights);
  write_cubes();
  const Outcome outcome =
      run_tool(synth("a_", {"-i", cube("i"), "--keep", cube("mask"), "-w", folder_.path("w.txt")}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (int k = 0; k < kChannels; ++k) channels_.weight.push_back(1 + k % 3);
  const FaradayAxes axes = faraday_axes(channels_, FaradayOptions{.phi_max = 400, .dphi = 10});
  const double reference = 1 + (axes.frequency_0() - 1.2e9) / 1e9;  // linear, so exact
  for (int k = 0; k < kChannels; ++k)
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x)
        for (Image* part : {&q_, &u_}) {
          float& value = part->as<float>().at(x, y, 0, k);
          value = static_cast<float>(value * reference / model.as<float>().at(x, y, 0, k));
          if (x == 2) value = kNaN;
        }
  const FaradaySpectra wanted = expected();
  const Image real = made("a_FDF_real_dirty.npy");
  for (int p = 0; p < 81; ++p)
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) {
        const float a = real.as<float>().at(x, y, 0, p), b = wanted.real.as<float>().at(x, y, 0, p);
        if (x == 2)
          EXPECT_TRUE(std::isnan(a));
        else
          EXPECT_NEAR(a, b, 6e-6 * 5);  // a rounding of every voxel
      }
}

TEST_F(CliFaraday, CleanGivesWhatTheLibraryGives) {
  write_cubes();
  ASSERT_EQ(run_tool(synth("a_", {"-t"})).code, 0);
  const Outcome outcome =
      run_tool({"faraday", "clean", folder_.path("a_FDF_tot_dirty.npy"), folder_.path("a_"), "-c",
                "-5", "--noise", "0.04", "--dphi", "10", "-n", "200", "-g", "0.2", "-o",
                folder_.path("a_"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const FaradaySpectra dirty = expected();
  FaradayRmsf rmsf = faraday_rmsf(dirty.axes, true);
  for (auto& value : rmsf.value) value = std::complex<float>(value);
  rmsf.fwhm = static_cast<float>(rmsf.fwhm);
  const FaradayClean plan(dirty.real.info(), rmsf, {.cutoff = 0.2, .gain = 0.2, .iterations = 200});
  Image real(dirty.real.info()), imaginary(real.info()), part(real.info()), other(real.info()),
      counts({kSize.width, kSize.height}, Type::f32);
  plan({dirty.real.view(), dirty.imaginary.view()},
       {real.view(), imaginary.view(), part.view(), other.view(), counts.view()});
  EXPECT_TRUE(same_samples(counts.view(), testing::short_view(made("a_CLEAN_nIter.npy"))));
  EXPECT_TRUE(same_samples(real.view(), testing::short_view(made("a_FDF_clean_real.npy"))));
  EXPECT_TRUE(same_samples(imaginary.view(), testing::short_view(made("a_FDF_clean_im.npy"))));
  EXPECT_TRUE(same_samples(part.view(), testing::short_view(made("a_FDF_CC_real.npy"))));
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["cleaned_pixels"], kSize.width * kSize.height);
  // A map of the same cutoff is the same.
  Image cutoffs(counts.info());
  for (int i = 0; i < kSize.width * kSize.height; ++i)
    cutoffs.as<float>().data[i] = static_cast<float>(0.2);
  write_image(cube("cutoffs"), cutoffs.view());
  ASSERT_EQ(run_tool({"faraday", "clean", folder_.path("a_"), folder_.path("a_"), "--cutoff-map",
                      cube("cutoffs"), "--dphi", "10", "-n", "200", "-g", "0.2", "-o",
                      folder_.path("m_")})
                .code,
            0);
  EXPECT_TRUE(same_samples(counts.view(), testing::short_view(made("m_CLEAN_nIter.npy"))));
}

// The part's letters may stand in what names begin with.
TEST_F(CliFaraday, PartsOfNamesAreFoundBesideTheStem) {
  write_cubes();
  for (const std::string prefix : {"deep_image_", "x_real_", "a_total_"}) {
    ASSERT_EQ(run_tool(synth(prefix)).code, 0);
    const std::string begin = folder_.path(prefix);
    for (const std::string& named : {begin, begin + "FDF_tot_dirty.npy"}) {
      const auto cleaned = run_tool({"faraday", "clean", named, begin, "-c", "0.2", "--dphi", "10",
                                     "-n", "5", "--force", "-o", begin});
      EXPECT_EQ(cleaned.code, 0) << cleaned.err;
    }
  }
}

/// A public cube: its source is at 0.40 rad/m^2.
TEST_F(CliFaraday, FitsWithHeadersAndSeveralImages) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const std::string data = TESSERA_SOURCE_DIR "/tests/data/faraday/";
  Words words{"faraday",
              "synth",
              data + "Q_thin.fits",
              data + "U_thin.fits",
              data + "thin_frequencies.txt",
              "-o",
              folder_.path("a_"),
              "-l",
              "10",
              "-d",
              "0.1",
              "-f"};
  const Outcome outcome = run_tool(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(testing::short_view(made("a_FDF_peakRM.fits")).as<const float>().at(6, 6), 0.40,
              1e-6);
  const std::string file = folder_.path("a_FDF_dirty.fits");
  const Image real = read_image(file, {.page = 0}), imaginary = read_image(file, {.page = 1}),
              total = read_image(file, {.page = 2});
  for (int p = 0; p < 201; ++p)
    EXPECT_FLOAT_EQ(
        total.as<float>().at(6, 6, 0, p),
        std::hypot(real.as<float>().at(6, 6, 0, p), imaginary.as<float>().at(6, 6, 0, p)));
  EXPECT_NEAR(total.as<float>().at(6, 6, 0, 104), 99.99, 0.01);
  const HeaderCards header(open_image(file, {.page = 1})->header());
  EXPECT_EQ(header.text("CTYPE3"), "FDEP");
  EXPECT_EQ(header.text("CUNIT3"), "rad/m^2");
  EXPECT_EQ(header.text("STOKES"), "U");
  EXPECT_EQ(header.number("CRPIX3"), 101);
  EXPECT_EQ(header.number("CRVAL3"), 0);
  EXPECT_EQ(header.number("CDELT3"), 0.1);
  EXPECT_NEAR(header.number("LAMSQ0").value_or(0), 3.43384484, 1e-7);
  EXPECT_EQ(read_image(folder_.path("a_RMSF.fits"), {.page = 3}).info().size, (Size{12, 12}));
  const Outcome clean = run_tool({"faraday", "clean", file, folder_.path("a_RMSF.fits"), "-c", "5",
                                  "-o", folder_.path("a_"), "-f"});
  ASSERT_EQ(clean.code, 0) << clean.err;
  EXPECT_EQ(read_image(folder_.path("a_FDF_CC.fits"), {.page = 2}).info().size,
            (Size{12, 12, 1, 201}));
  words[4] = data + "frequencies-parse-error.txt";
  expect_failure(words, 3, "line 10 is '3.6d8'; it must be one number");
}

}  // namespace
}  // namespace tessera::testing
