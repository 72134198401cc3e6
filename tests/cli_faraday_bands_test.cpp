// SPDX-License-Identifier: Apache-2.0
// `tessera faraday synth` with noise and weights that differ from pixel to pixel, and with cleaning
// in the same run.
#include <gtest/gtest.h>

#include <filesystem>

#include "tessera/faraday_bands.hpp"
#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

class CliFaradayBands : public CliFaraday {
 protected:
  static constexpr double kSigma = 0.2;

  /// Columns from 7 on lack the second half of the channels.
  static bool lacks(int x, int k) { return x >= 7 && k >= kChannels / 2; }

  void flag_and_write() {
    for (int k = 0; k < kChannels; ++k)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < kSize.width; ++x)
          if (lacks(x, k)) q_.as<float>().at(x, y, 0, k) = kNaN;
    write_cubes();
  }
  double lambda2(int k) const {
    const double wavelength = kLight / channels_.frequency[static_cast<std::size_t>(k)];
    return wavelength * wavelength;
  }
  float at(const std::string& name, int x, int y) const {
    return testing::short_view(made(name)).as<const float>().at(x, y);
  }
  /// A cube as large as Q.
  template <class Value>
  std::string write_cube(const std::string& name, const Value& value) const {
    Image image(kSize, Type::f32);
    for (int k = 0; k < kChannels; ++k)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < kSize.width; ++x)
          image.as<float>().at(x, y, 0, k) = static_cast<float>(value(x, y, k));
    write_image(cube(name), image.view(), {.force = true});
    return cube(name);
  }
  void run(const std::string& prefix, const Words& more) const {
    const Outcome outcome = run_tool(synth(prefix, more));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void expect_same(const std::string& a, const std::string& b) const {
    const Image one = made(a), other = made(b);
    const Size size = one.info().size;
    ASSERT_EQ(size, other.info().size);
    for (int p = 0; p < size.planes; ++p)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const float left = one.as<float>().at(x, y, 0, p),
                      right = other.as<float>().at(x, y, 0, p);
          if (std::isnan(left) && std::isnan(right)) continue;
          ASSERT_NEAR(left, right, 2e-5 * (std::abs(left) + 0.01))
              << a << ", " << b << " at " << x << "," << y;
        }
  }
};

TEST_F(CliFaradayBands, ErrorsFollowAPixelsOwnChannels) {
  flag_and_write();
  run("f_", {"--maps", "all", "-n", "0.2"});
  for (const int x : {3, 9}) {
    const int count = x < 7 ? kChannels : kChannels / 2;
    double mean = 0, variance = 0;
    for (int k = 0; k < count; ++k) mean += lambda2(k) / count;
    for (int k = 0; k < count; ++k) variance += (lambda2(k) - mean) * (lambda2(k) - mean) / count;
    const double noise = kSigma / std::sqrt(count), fwhm = 3.8 / (lambda2(0) - lambda2(count - 1));
    const double pi = at("f_ampPeakPIfit.npy", x, 4), own = at("f_ampPeakPIfitEff.npy", x, 4);
    EXPECT_NEAR(at("f_dFDFth.npy", x, 4), noise, 1e-6 * noise);
    EXPECT_NEAR(at("f_snrPIfit.npy", x, 4), pi / noise, 1e-5 * pi / noise);
    EXPECT_NEAR(at("f_RMSF_FWHM.npy", x, 4), fwhm, 1e-6 * fwhm);
    const double by_width = fwhm * noise / (2 * pi),
                 by_spread = noise / (2 * own * std::sqrt(variance));
    EXPECT_NEAR(at("f_dPhiPeakPIfit_rm2.npy", x, 4), by_width, 1e-5 * by_width);
    EXPECT_NEAR(at("f_dRM_rm2.npy", x, 4), by_spread, 1e-5 * by_spread);
  }
  EXPECT_GT(at("f_dRM_rm2.npy", 9, 4), 2 * at("f_dRM_rm2.npy", 3, 4));
}

TEST_F(CliFaradayBands, NoiseIsANumberAListAMapOrACube) {
  flag_and_write();
  std::string lines;
  for (int k = 0; k < kChannels; ++k) lines += "0.2\n";
  write_text(folder_.path("noise.txt"), lines);
  Image map({kSize.width, kSize.height, 1, 1}, Type::f32);
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) map.as<float>().at(x, y) = 0.2F;
  write_image(cube("map"), map.view());
  const std::string voxels = write_cube("noise", [](int, int, int) { return 0.2; });
  run("n_", {"--maps", "all", "-n", "0.2"});
  run("l_", {"--maps", "all", "-n", folder_.path("noise.txt"), "-w", "variance"});
  run("m_", {"--maps", "all", "-n", cube("map"), "-w", "variance"});
  run("c_", {"--maps", "all", "-n", voxels, "-w", "variance"});
  for (const char* name : {"dFDFth", "dRM_rm2", "phiPeakPIfit_rm2", "dPolAngle0Fit_deg",
                           "dPhiPeakPIfit_rm2", "FDF_real_dirty", "RMSF_FWHM"})
    for (const char* other : {"l_", "m_", "c_"})
      expect_same(std::string("n_") + name + ".npy", other + std::string(name) + ".npy");
}

TEST_F(CliFaradayBands, ChannelsWithoutKnownNoiseAreSaid) {
  flag_and_write();
  std::string lines = "0\nnan\n";
  for (int k = 2; k < kChannels; ++k) lines += "0.2\n";
  write_text(folder_.path("noise.txt"), lines);
  const Words words{"--maps", "noise", "-n", folder_.path("noise.txt"), "--force"};
  const Outcome outcome = run_tool(synth("u_", words));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE((outcome.out + outcome.err).find("the noise of 2 channels is not above 0 in"),
            std::string::npos)
      << outcome.out;
  EXPECT_GT(at("u_dFDFth.npy", 3, 4), 0) << "measured";
  // With weights by variance these channels do not count, and the noise is that of the others.
  run("v_", {"--maps", "noise", "-n", folder_.path("noise.txt"), "-w", "variance"});
  EXPECT_NEAR(at("v_dFDFth.npy", 3, 4), kSigma / std::sqrt(kChannels - 2), 1e-6);
}

TEST_F(CliFaradayBands, WeightsMayDifferFromVoxelToVoxel) {
  flag_and_write();
  const auto weight = [](int x, int y, int k) {
    return k % 5 == x % 5 ? 0 : 1 + 0.1 * k + 0.05 * y;
  };
  const std::string weights = write_cube("weights", weight);
  run("w_", {"-w", weights, "-n", "0.2", "--maps", "all"});
  const Image real = made("w_FDF_real_dirty.npy"), rmsf = made("w_RMSF_real.npy");
  EXPECT_EQ(rmsf.info().size.width, kSize.width) << "one RMSF per pixel";
  const int x = 9, y = 4, p = 37;
  double all = 0, squares = 0;
  std::complex<double> sum = 0, response = 0;
  const double lambda2_0 = [&] {  // the weighted mean of the means of channels
    double first = 0, weights_sum = 0;
    for (int k = 0; k < kChannels; ++k) {
      double channel = 0, count = 0;
      for (int j = 0; j < kSize.height; ++j)
        for (int i = 0; i < kSize.width; ++i)
          if (!lacks(i, k) && weight(i, j, k) > 0) {
            channel += weight(i, j, k);
            ++count;
          }
      first += channel / count * lambda2(k);
      weights_sum += channel / count;
    }
    return first / weights_sum;
  }();
  for (int k = 0; k < kChannels; ++k) {
    if (lacks(x, k)) continue;
    const double w = weight(x, y, k), away = lambda2(k) - lambda2_0;
    sum += w * std::complex<double>(q_.as<float>().at(x, y, 0, k), u_.as<float>().at(x, y, 0, k)) *
           std::polar(1.0, -2 * (p - 40) * 10.0 * away);
    response += w * std::polar(1.0, -2 * 30.0 * away);
    all += w;
    squares += w * w;
  }
  EXPECT_NEAR(real.as<float>().at(x, y, 0, p), sum.real() / all, 1e-4);
  EXPECT_NEAR(rmsf.as<float>().at(x, y, 0, rmsf.info().size.planes / 2 + 3), response.real() / all,
              1e-5);
  EXPECT_NEAR(at("w_dFDFth.npy", x, y), kSigma * std::sqrt(squares) / all, 1e-6);
}

TEST_F(CliFaradayBands, StokesIDividesTheNoiseToo) {
  flag_and_write();
  // I is 2 in all channels: fractions are half, their noise too, and both are doubled again.
  const std::string flat = write_cube("flat", [](int, int, int) { return 2; });
  run("p_", {"--maps", "all", "-n", "0.2", "-w", "variance"});
  run("i_", {"--maps", "all", "-n", "0.2", "-w", "variance", "-i", flat});
  for (const char* name : {"dFDFth", "dRM_rm2", "snrPIfit"})
    expect_same(std::string("p_") + name + ".npy", std::string("i_") + name + ".npy");
  // I falls with frequency: channels in which it is small have noisy fractions and less weight.
  const auto slope = [this](int, int, int k) {
    return 1.4e9 / channels_.frequency[static_cast<std::size_t>(k)];
  };
  run("s_", {"--maps", "all", "-n", "0.2", "-w", "variance", "-i", write_cube("slope", slope)});
  std::string lines;
  for (int k = 0; k < kChannels; ++k) lines += fmt::format("{}\n", slope(0, 0, k));
  write_text(folder_.path("slope.txt"), lines);
  run("t_", {"--maps", "all", "-n", "0.2", "-w", "variance", "-i", folder_.path("slope.txt")});
  for (const char* name : {"dFDFth", "dRM_rm2", "FDF_tot_dirty", "phiPeakPIfit_rm2"})
    expect_same(std::string("s_") + name + ".npy", std::string("t_") + name + ".npy");
  EXPECT_NE(at("s_dFDFth.npy", 3, 4), at("p_dFDFth.npy", 3, 4));
}

TEST_F(CliFaradayBands, CleaningInTheSameRunIsCleaningAfterwards) {
  flag_and_write();
  run("one_", {"--clean", "-c", "0.3", "-n", "0.2", "--maps", "all"});
  run("two_", {"-n", "0.2", "--maps", "all"});
  const Outcome outcome = run_tool({"faraday", "clean", folder_.path("two_"), folder_.path("two_"),
                                    "-c", "0.3", "--dphi", "10", "-o", folder_.path("two_")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same("one_FDF_real_dirty.npy", "two_FDF_real_dirty.npy");
  expect_same("one_CLEAN_nIter.npy", "two_CLEAN_nIter.npy");
  for (const char* part : {"real", "im"}) {
    const Image one = made(std::string("one_FDF_clean_") + part + ".npy"),
                two = made(std::string("two_FDF_clean_") + part + ".npy");
    for (int p = 0; p < one.info().size.planes; ++p)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < kSize.width; ++x)
          ASSERT_NEAR(one.as<float>().at(x, y, 0, p), two.as<float>().at(x, y, 0, p), 1e-3);
  }
}

TEST_F(CliFaradayBands, CleaningWritesOnlyTheCubesThatAreWanted) {
  flag_and_write();
  run("m_", {"--clean", "-c", "-5", "-n", "0.2", "--maps", "rm,pi", "--maps-only"});
  EXPECT_TRUE(std::filesystem::exists(folder_.path("m_phiPeakPIfit_rm2.npy")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path("m_CLEAN_nIter.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("m_FDF_clean_tot.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("m_FDF_tot_dirty.npy")));
  run("c_", {"--clean", "-c", "-5", "-n", "0.2", "--cubes", "clean", "--maps", "rm,pi"});
  EXPECT_TRUE(std::filesystem::exists(folder_.path("c_FDF_clean_tot.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("c_FDF_CC_tot.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("c_FDF_tot_dirty.npy")));
  expect_same("m_phiPeakPIfit_rm2.npy", "c_phiPeakPIfit_rm2.npy");
}

TEST_F(CliFaradayBands, CutoffsInMultiplesOfTheNoiseArePixelsOwn) {
  flag_and_write();
  run("s_", {"--clean", "-c", "-5", "--window", "-2", "-n", "0.2"});
  Image levels({kSize.width, kSize.height, 1, 1}, Type::f32);
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x)
      levels.as<float>().at(x, y) =
          static_cast<float>(5 * kSigma / std::sqrt(x < 7 ? kChannels : kChannels / 2));
  write_image(cube("levels"), levels.view());
  const Outcome outcome =
      run_tool({"faraday", "clean", folder_.path("s_"), folder_.path("s_"), "--cutoff-map",
                cube("levels"), "--dphi", "10", "-o", folder_.path("t_")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  long long with = 0, without = 0;
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) {
      with += static_cast<long long>(at("s_CLEAN_nIter.npy", x, y));
      without += static_cast<long long>(at("t_CLEAN_nIter.npy", x, y));
    }
  EXPECT_GT(without, 0);
  EXPECT_GT(with, without) << "the window goes deeper";
  run("u_", {"--clean", "-c", "-5", "-n", "0.2"});
  expect_same("u_CLEAN_nIter.npy", "t_CLEAN_nIter.npy");
  // Without noise it is measured in every dirty spectrum.
  run("v_", {"--clean", "-c", "-5"});
  EXPECT_TRUE(std::filesystem::exists(folder_.path("v_CLEAN_nIter.npy")));
}

TEST_F(CliFaradayBands, MemoryLimitsAndStripsChangeNoByte) {
  flag_and_write();
  const std::string weights = write_cube("weights", [](int x, int, int k) { return 1 + x + k; });
  const Words words{"--clean", "-c", "-5", "-n", "0.2", "-w", weights, "--maps", "all", "-t"};
  run("a_", words);
  Words limited = words;
  limited.insert(limited.end(), {"--memory-limit", "2M", "--threads", "1"});
  run("b_", limited);
  for (const auto& file : std::filesystem::directory_iterator(folder_.path(""))) {
    const std::string name = file.path().filename();
    if (name.rfind("a_", 0) != 0) continue;
    EXPECT_EQ(read_bytes(file.path()), read_bytes(folder_.path("b_" + name.substr(2)))) << name;
  }
}

TEST_F(CliFaradayBands, MistakesAreSaidInOneSentence) {
  flag_and_write();
  const auto refused = [&](const Words& more, const std::string& part) {
    expect_failure(synth("x_", more), 2, part);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("x_FDF_maxPI.npy")));
  };
  refused({"-c", "3"}, "a cutoff is given, but spectra are not cleaned; give --clean too");
  refused({"--clean"}, "there is no cutoff; give --cutoff");
  refused({"--clean", "-c", "3", "--no-rmsf"},
          "--clean subtracts the RMSF, and --no-rmsf makes none");
  refused({"--cubes", "clean"}, "--cubes names clean, but spectra are not cleaned");
  refused({"--cubes", "clear"}, "--cubes names 'clear'; it can be all, none, or some of dirty");
  refused({"-n", "-3"}, "the noise is -3; it must be above 0");
  refused({"-w", "variance"}, "weights by variance need --noise: a number, a list");
  Image small({3, 2, 1, kChannels}, Type::f32);
  write_image(cube("small"), small.view());
  refused({"-n", cube("small")}, "has 24 planes of 3x2, and");
  refused({"-w", cube("small")}, "give one value per voxel, per pixel or per channel");
}

}  // namespace
}  // namespace tessera::testing
