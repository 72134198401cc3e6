// SPDX-License-Identifier: Apache-2.0
// `tessera faraday fit-i`, and `synth` with a fit in the same run: files, memory limits, refusals.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

class CliFaradayFit : public CliFaraday {
 protected:
  static constexpr double kSigma = 0.02;
  Image i_{kSize, Type::f32};

  /// A power law of index -0.7 and 1 at 1.3 GHz in columns up to 9, noise alone in the others.
  void SetUp() override {
    CliFaraday::SetUp();
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int k = 0; k < kChannels; ++k)
      for (int y = 0; y < kSize.height; ++y)
        for (int x = 0; x < kSize.width; ++x) {
          const double flux =
              std::pow(channels_.frequency[static_cast<std::size_t>(k)] / 1.3e9, -0.7);
          i_.as<float>().at(x, y, 0, k) =
              static_cast<float>((x < 10 ? flux : 0) + kSigma * normal(random));
        }
    i_.as<float>().at(3, 4, 0, 7) = kNaN;
    write_image(cube("i"), i_.view(), {.force = true});
  }
  Words fit(const std::string& prefix, const Words& more = {}) const {
    Words words{"faraday", "fit-i", cube("i"), list_, "-o", folder_.path(prefix)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void run(const Words& words) const {
    const Outcome outcome = run_tool(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void expect_refused(const Words& words, const std::string& part) const {
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  float at(const std::string& name, int x, int y, int plane = 0) const {
    return testing::short_view(made(name)).as<const float>().at(x, y, 0, plane);
  }
};

TEST_F(CliFaradayFit, MakesTheFilesOfFitIcubeAndMore) {
  const Outcome outcome = run_tool(fit("f_", {"--noise", "0.02", "--order", "1", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"fitted\": 110"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\"low_snr\": 33"), std::string::npos) << outcome.out;
  for (const char* name :
       {"model.i", "coeff0", "coeff0err", "coeff1", "coeff1err", "reffreq", "covariance", "mask",
        "alpha", "alphaerr", "order", "chisqred", "snr", "status"})
    EXPECT_TRUE(std::filesystem::exists(folder_.path("f_" + std::string(name) + ".npy"))) << name;
  EXPECT_FALSE(std::filesystem::exists(folder_.path("f_coeff2.npy")));
  EXPECT_EQ(at("f_alpha.npy", 2, 2), at("f_coeff1.npy", 2, 2));
  EXPECT_NEAR(at("f_alpha.npy", 2, 2), -0.7, 4 * at("f_alphaerr.npy", 2, 2));
  EXPECT_EQ(at("f_mask.npy", 2, 2), 1);
  EXPECT_EQ(at("f_status.npy", 11, 2), 2);
  for (const char* name : {"f_mask.npy", "f_alpha.npy", "f_model.i.npy"})
    EXPECT_TRUE(std::isnan(at(name, 11, 2))) << name;
  // Both axes of the covariance run from c5 to c0.
  const float error = at("f_coeff1err.npy", 2, 2);
  EXPECT_NEAR(at("f_covariance.npy", 2, 2, 4 * 6 + 4), error * error, 1e-5 * error * error);
  EXPECT_EQ(at("f_covariance.npy", 2, 2, 0), 0);
  std::ifstream lines(folder_.path("f_noise.dat"));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) count += line == "2.000000000000000042e-02";
  EXPECT_EQ(count, kChannels);
  // The model is that of its coefficients.
  const double reference = at("f_reffreq.npy", 5, 5),
               model = at("f_coeff0.npy", 5, 5) *
                       std::pow(channels_.frequency[20] / reference, at("f_coeff1.npy", 5, 5));
  EXPECT_NEAR(at("f_model.i.npy", 5, 5, 20), model, 1e-5);
}

TEST_F(CliFaradayFit, MeasuresTheNoiseAndSmallMemoryChangesNothing) {
  run(fit("a_"));
  run(fit("b_", {"--memory-limit", "120K", "--threads", "1"}));
  for (const char* name : {"model.i.npy", "alpha.npy", "status.npy", "noise.dat"})
    EXPECT_EQ(read_bytes(folder_.path("a_" + std::string(name))),
              read_bytes(folder_.path("b_" + std::string(name))))
        << name;
  run(fit("c_", {"-t", "0.5"}));  // pixels without emission are not fitted, and so have no channels
  EXPECT_EQ(at("c_status.npy", 11, 2), 1);
  EXPECT_EQ(at("c_status.npy", 4, 2), 0);
}

TEST_F(CliFaradayFit, NoiseIsANumberAListAMapOrACube) {
  std::string lines;
  for (int k = 0; k < kChannels; ++k) lines += "0.02\n";
  write_text(folder_.path("noise.txt"), lines);
  Image map({kSize.width, kSize.height, 1, 1}, Type::f32), all(kSize, Type::f32);
  for (int y = 0; y < kSize.height; ++y)
    for (int x = 0; x < kSize.width; ++x) {
      map.as<float>().at(x, y) = 0.02F;
      for (int k = 0; k < kChannels; ++k) all.as<float>().at(x, y, 0, k) = 0.02F;
    }
  write_image(cube("map"), map.view(), {});
  write_image(cube("all"), all.view(), {});
  run(fit("a_", {"-n", "0.02"}));
  for (const std::string& noise : {folder_.path("noise.txt"), cube("map"), cube("all")}) {
    run(fit("b_", {"-n", noise, "--force"}));
    EXPECT_NEAR(at("b_alpha.npy", 3, 4), at("a_alpha.npy", 3, 4), 1e-6) << noise;
    EXPECT_NEAR(at("b_alphaerr.npy", 3, 4), at("a_alphaerr.npy", 3, 4), 1e-6) << noise;
  }
}

TEST_F(CliFaradayFit, SynthFitsInTheSameRun) {
  write_cubes();
  run(fit("m_"));
  run(synth("a_", {"-i", cube("m_model.i"), "--maps", "all"}));
  run(synth("b_", {"-i", cube("i"), "--fit-i", "2", "--maps", "all"}));
  for (const char* name : {"FDF_real_dirty", "FDF_tot_dirty", "phiPeakPIfit_rm2", "dRM_rm2"})
    EXPECT_EQ(read_bytes(cube("a_" + std::string(name))),
              read_bytes(cube("b_" + std::string(name))))
        << name;
  EXPECT_EQ(read_bytes(cube("m_alpha")), read_bytes(cube("b_Ifit_alpha")));
  EXPECT_EQ(read_bytes(cube("m_status")), read_bytes(cube("b_Ifit_status")));
  // Pixels without a model have no spectrum: nothing undivided stands among the others.
  EXPECT_TRUE(std::isnan(at("b_FDF_tot_dirty.npy", 11, 2, 7)));
  EXPECT_FALSE(std::isnan(at("b_FDF_tot_dirty.npy", 3, 4, 7)));
  const Outcome outcome = run_tool(synth("c_", {"-i", cube("i"), "--fit-i", "-1"}));
  EXPECT_NE(outcome.out.find("Stokes I: 110 of 143 pixels are fitted; 33 low-snr; the others have "
                             "no spectrum"),
            std::string::npos)
      << outcome.out;
  // With weights by variance the cubes are read twice, and so are the fits.
  run(synth("d_", {"-i", cube("i"), "--fit-i", "2", "-n", "0.1", "-w", "variance"}));
}

TEST_F(CliFaradayFit, DataAreNotTakenForAModel) {
  write_cubes();
  expect_refused(synth("a_", {"-i", cube("i")}),
                 "is not a model of Stokes I: in 143 of 143 pixels its channels scatter around any "
                 "smooth curve");
  expect_refused(synth("a_", {"-i", cube("i")}), "(or here: --fit-i 2), or give --allow-raw-model");
  run(synth("a_", {"-i", cube("i"), "--allow-raw-model"}));
}

TEST_F(CliFaradayFit, SaysWhatIsWrong) {
  write_cubes();
  expect_refused(fit("f_", {"--order", "7"}), "order is 7; it can be -5 to 5");
  expect_refused(fit("f_", {"--noise", "-1"}), "the noise is -1; it must be above 0");
  expect_refused(fit("f_", {"--noise", "auto", "--snr", "-3"}), "snr is -3");
  expect_refused(synth("s_", {"--fit-i", "2"}),
                 "--fit-i fits a cube of Stokes I; give it with --model");
  std::string lines;
  for (int k = 0; k < kChannels; ++k) lines += "1\n";
  write_text(folder_.path("model.txt"), lines);
  expect_refused(synth("s_", {"--fit-i", "2", "-i", folder_.path("model.txt")}),
                 "is a list with one value per channel");
  // Files that exist are found before the noise is measured, and stay.
  write_text(folder_.path("f_noise.dat"), "mine\n");
  expect_refused(fit("f_"), "f_noise.dat");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("f_model.i.npy")));
}

}  // namespace
}  // namespace tessera::testing
