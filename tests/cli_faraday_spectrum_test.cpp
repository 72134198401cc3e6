// SPDX-License-Identifier: Apache-2.0
// One spectrum from the command line, with the letters that users of rmsynth1d and rmclean1d know.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;

class CliFaradaySpectrum : public ::testing::Test {
 protected:
  Outcome run(Words words) {
    words.insert(words.begin(), {"faraday", "spectrum"});
    return run_tool(words);
  }

  TemporaryFolder folder_;
  std::string data_ = TESSERA_SOURCE_DIR "/tests/data/rmtools/RMsynth1D_testdata.dat";
  std::string out_ = folder_.path("source");
};

TEST_F(CliFaradaySpectrum, SynthesisesAndCleans) {
  const Outcome outcome = run({data_, "-o", out_, "-l", "600", "-d", "3", "-i", "-c", "-3", "-n",
                               "11", "--json", "--picture", folder_.path("fdf.svg")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json said = Json::parse(outcome.out);
  EXPECT_NEAR(said["synth"]["phiPeakPIfit_rm2"].get<double>(), 200.2900, 0.0005);
  EXPECT_NEAR(said["synth"]["ampPeakPIfit"].get<double>(), 0.69967, 1e-4);
  EXPECT_NEAR(said["clean"]["phiPeakPIfit_rm2"].get<double>(), 200.3287, 0.001);
  EXPECT_EQ(said["clean"]["nIter"], 11);
  for (const auto& file : said["files"])
    EXPECT_TRUE(std::filesystem::exists(file.get<std::string>())) << file;
  EXPECT_EQ(Json::parse(read_bytes(out_ + "_RMsynth.json")), said["synth"]);
  EXPECT_EQ(Json::parse(read_bytes(out_ + "_RMclean.json")), said["clean"]);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("fdf.tsv")));
}

TEST_F(CliFaradaySpectrum, SaysWhatItFoundAndMakesTheGridByItself) {
  const Outcome outcome = run({data_, "-o", out_, "-w", "uniform", "-f", "linear"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("288 channels, 800 to 1088 MHz"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("dirty: RM 200."), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("clean:"), std::string::npos) << outcome.out;
  // Ten samples per width of 58.9 rad/m^2.
  EXPECT_NE(outcome.out.find("by 5.89095 rad/m^2"), std::string::npos) << outcome.out;
}

TEST_F(CliFaradaySpectrum, HasANarrowerRealPartWithSuperResolution) {
  ASSERT_EQ(run({data_, "-o", out_, "-i", "-l", "600", "-d", "0.5", "-r"}).code, 0);
  const Json values = Json::parse(read_bytes(out_ + "_RMsynth.json"));
  EXPECT_EQ(values["lam0Sq_m2"], 0);
  EXPECT_LT(values["fwhmRMSF"].get<double>(), 15);
  EXPECT_NEAR(values["phiPeakPIfit_rm2"].get<double>(), 200.3, 0.2);
}

TEST_F(CliFaradaySpectrum, RefusesInOneSentence) {
  std::ofstream(folder_.path("bad.dat")) << "1e9 1 2 3\n";
  ASSERT_EQ(run({data_, "-o", out_, "--quiet"}).code, 0);
  std::ofstream(folder_.path("old.tsv")) << "mine";
  const std::string other = folder_.path("other");
  const struct {
    Words words;
    const char* message;
    int code;
  } table[] = {
      {{folder_.path("bad.dat")}, "line 1 has 4 columns; it must have 7", 3},
      {{folder_.path("none.dat")}, "none.dat", 3},
      {{data_, "-o", out_}, "source_FDFdirty.dat exists; give the option force to replace it", 2},
      {{data_, "-o", out_, "--force", "--order", "9"}, "order is 9; it can be -5 to 5", 2},
      {{data_, "-o", out_, "--force", "-l", "1e9", "-d", "1e-3"}, "give a smaller phi-max", 2},
      {{data_, "-o", out_, "--force", "-w", "often"}, "variance", 2},
      {{data_, "-o", out_, "--force", "--picture", "x.pdf"}, ".pdf", 2},
      {{data_, "-o", other, "--picture", folder_.path("old.svg")}, "old.tsv exists", 2},
      {{data_, "-o", other, "--picture", folder_.path("a.svg"), "--picture-rmsf",
        folder_.path("a.png")},
       "both have their figures in",
       2},
  };
  for (const auto& bad : table) {
    const Outcome outcome = run(bad.words);
    EXPECT_EQ(outcome.code, bad.code) << outcome.err;
    EXPECT_NE(outcome.err.find(bad.message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("tessera faraday spectrum: "), 0u) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(std::filesystem::exists(other + "_FDFdirty.dat"));
}

}  // namespace
}  // namespace tessera::testing
