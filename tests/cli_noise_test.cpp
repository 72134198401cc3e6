// SPDX-License-Identifier: Apache-2.0
// Background and noise maps from the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/formats.hpp"
#include "tessera/noise.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class CliNoise : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 90 * 70; i += 17) image_.as<float>().data[i] = kNaN;
    write_image(in_, image_.view());
  }
  Outcome run(const Words& more, const std::string& prefix = "a") const {
    Words words{"noise", in_, "-o", folder_.path(prefix), "--box", "16"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  }
  Image made(const std::string& name) const { return read_image(folder_.path(name)); }
  bool there(const std::string& name) const { return std::filesystem::exists(folder_.path(name)); }

  TemporaryFolder folder_;
  Image image_ = random_image({90, 70}, Type::f32, 3);
  std::string in_ = folder_.path("in.npy");
};

TEST_F(CliNoise, GivesWhatTheLibraryGives) {
  const Outcome outcome = run({"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const NoiseMaps wanted = noise(image_.view(), {.box = {16, 16}});
  EXPECT_TRUE(same_samples(wanted.background.view(), testing::short_view(made("a_bkg.npy"))));
  EXPECT_TRUE(same_samples(wanted.rms.view(), testing::short_view(made("a_rms.npy"))));
  Image snr(wanted.rms.info());
  signal_to_noise(image_.view(), wanted.background.view(), wanted.rms.view(), snr.view());
  EXPECT_TRUE(same_samples(snr.view(), testing::short_view(made("a_snr.npy"))));
  const Json said = Json::parse(outcome.out);
  EXPECT_EQ(said["pixels"], 90 * 70);
  EXPECT_EQ(said["blanks"], (90 * 70 + 16) / 17);
  EXPECT_EQ(said["nodes"], 0);
  EXPECT_EQ(said["files"], (Json{folder_.path("a_bkg.npy"), folder_.path("a_rms.npy"),
                                 folder_.path("a_snr.npy")}));
  EXPECT_EQ(said["maps"][1]["name"], "rms");
  EXPECT_NEAR(said["maps"][1]["median"], 1 / 1.34896, 0.05);  // quartiles of [-1, 1) are 1 apart
  EXPECT_LT(said["maps"][1]["low"], said["maps"][1]["median"]);
  EXPECT_GT(said["seconds"]["all"], 0);
  EXPECT_NE(said["ran"].get<std::string>().find("box 16x16, exact iqr"), std::string::npos);
}

TEST_F(CliNoise, EveryOptionReachesTheLibrary) {
  NoiseOptions options;
  options.box = {12, 20};
  options.grid = NoiseBox{5, 4};
  options.mode = NoiseMode::grid;
  options.estimator = NoiseEstimator::mad;
  options.border = Border::reflect;
  options.two_pass = options.zero_is_blank = options.nomask = true;
  const Outcome outcome = run_tool(
      {"noise", in_, "-o", folder_.path("a"), "--box", "12x20", "--grid", "5x4", "--mode", "grid",
       "--estimator", "mad", "--border", "reflect", "--two-pass", "--zero-is-blank", "--nomask"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const NoiseMaps wanted = noise(image_.view(), options);
  EXPECT_TRUE(same_samples(wanted.background.view(), testing::short_view(made("a_bkg.npy"))));
  EXPECT_TRUE(same_samples(wanted.rms.view(), testing::short_view(made("a_rms.npy"))));
  EXPECT_NE(outcome.out.find(" nodes"), std::string::npos) << outcome.out;
  ASSERT_EQ(run({"--normal", "--mode", "binned", "--bins", "300"}, "b").code, 0);
  EXPECT_TRUE(same_samples(
      testing::short_view(
          noise(image_.view(),
                {.box = {16, 16}, .mode = NoiseMode::binned, .bins = 300, .normal = true})
              .rms),
      testing::short_view(made("b_rms.npy"))));
}

TEST_F(CliNoise, BoxesLargerThanTheImage) {
  const Outcome outcome =
      run_tool({"noise", in_, "-o", folder_.path("a"), "--box", "1024", "--nomask"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image rms = made("a_rms.npy");  // every box has all pixels
  for (int i = 1; i < 90 * 70; ++i)
    ASSERT_EQ(rms.as<float>().data[i], rms.as<float>().data[0]) << i;
  EXPECT_NEAR(rms.as<float>().data[0], 1 / 1.34896, 0.05);
}

TEST_F(CliNoise, OnlyWhatIsWanted) {
  ASSERT_EQ(run({"--only", "rms"}, "a").code, 0);
  EXPECT_TRUE(there("a_rms.npy"));
  EXPECT_FALSE(there("a_bkg.npy") || there("a_snr.npy"));
  ASSERT_EQ(run({"--only", "snr,bkg"}, "b").code, 0);
  EXPECT_TRUE(there("b_bkg.npy") && there("b_snr.npy"));
  EXPECT_FALSE(there("b_rms.npy"));
  ASSERT_EQ(run({"--like", "bane", "--mode", "exact"}, "c").code, 0);
  EXPECT_TRUE(there("c_bkg.npy") && there("c_rms.npy"));
  EXPECT_FALSE(there("c_snr.npy"));
  ASSERT_EQ(run({"--quantiles", "0.25,0.125"}, "d").code, 0);
  EXPECT_TRUE(there("d_q25.npy") && there("d_q12.5.npy"));
  EXPECT_FALSE(there("d_bkg.npy"));
  const Outcome normal = run({"--quantiles", "0.25", "--normal"}, "e");
  EXPECT_EQ(normal.code, 2);
  EXPECT_NE(normal.err.find("normal is about the noise, and quantiles are asked for"),
            std::string::npos)
      << normal.err;
}

// An option that is given counts, also where it is given its default.
TEST_F(CliNoise, GivenOptionsWinOverBane) {
  const Words bane{"--like", "bane", "--box", "64", "--estimator", "iqr", "--json"};
  Words words{"noise", in_, "-o", folder_.path("a")};
  words.insert(words.end(), bane.begin(), bane.end());
  const Outcome outcome = run_tool(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string ran = Json::parse(outcome.out)["ran"];
  EXPECT_NE(ran.find("box 64x64, 7x6 nodes, iqr, two-pass"), std::string::npos) << ran;
}

TEST_F(CliNoise, StandardInput) {
  const Outcome outcome =
      run_tool({"noise", "-", "-o", folder_.path("a"), "--box", "16"}, read_bytes(in_));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(same_samples(testing::short_view(noise(image_.view(), {.box = {16, 16}}).rms),
                           testing::short_view(made("a_rms.npy"))));
}

TEST_F(CliNoise, BadInputIsOneSentence) {
  const auto words = [&](const Words& more, const std::string& in) {
    Words all{"noise", in, "-o", folder_.path("x")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  Image blank({20, 20}, Type::f32);
  for (int i = 0; i < 400; ++i) blank.as<float>().data[i] = kNaN;
  write_image(folder_.path("blank.npy"), blank.view());
  write_image(folder_.path("cube.npy"),
              testing::short_view(random_image({20, 20, 1, 5}, Type::f32, 1)));
  write_image(folder_.path("colour.npy"),
              testing::short_view(random_image({20, 20, 3}, Type::u8, 1)));
  const std::string whole = read_bytes(in_);
  write_bytes(folder_.path("short.npy"), whole.substr(0, whole.size() / 2));
  expect_failure(words({}, folder_.path("blank.npy")), 3, "has no valid pixel");
  expect_failure(words({"--mode", "grid"}, folder_.path("blank.npy")), 3, "has no valid pixel");
  expect_failure(words({"--picture", folder_.path("cube.svg")}, folder_.path("cube.npy")), 2,
                 "--picture shows one plane, but");
  expect_failure(words({"--slice", "5"}, folder_.path("cube.npy")), 2,
                 "has no plane 5; give --slice N with N from 0 to 4");
  expect_failure(words({"--slice", "1,1"}, folder_.path("cube.npy")), 2, "has no plane 1,1");
  expect_failure(words({"--slice", "a"}, folder_.path("cube.npy")), 2, "--slice");
  expect_failure(words({}, folder_.path("colour.npy")), 2, "has 3 channels");
  expect_failure(words({}, folder_.path("short.npy")), 3, "short.npy");
  expect_failure(words({}, folder_.path("none.npy")), 3, "none.npy");
  expect_failure(words({"--mask", folder_.path("blank.npy")}, in_), 2,
                 "is 20x20, but the image 90x70");
  expect_failure(words({"--box", "2"}, in_), 2, "3 to 1024");
  expect_failure(words({"--box", "x"}, in_), 2, "--box");
  expect_failure(words({"--box", "64", "48"}, in_), 2,
                 "'48' is one argument too many; write width and height as one word: 96x64");
  expect_failure({"noise", in_, "--out", folder_.path("x")}, 2, "did you mean --output?");
  expect_failure(words({"--grid", "8"}, in_), 2, "give mode grid");
  expect_failure(words({"--bins", "64"}, in_), 2, "give mode binned");
  expect_failure(words({"--only", "noise"}, in_), 2, "--only");
  expect_failure(words({"--like", "sep"}, in_), 2, "--like");
  expect_failure(words({"--quantiles", "1.5"}, in_), 2, "1.5");
  expect_failure(words({"--fill", "--memory-limit", "30k"}, in_), 5,
                 "--fill keeps whole maps in memory, but 30.7 kB is too little");
  expect_failure(words({"--memory-limit", "1k"}, in_), 5, "memory limit");
  expect_failure(words({"--picture", folder_.path("p.gif")}, in_), 2, ".svg or .png");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("x")) << entry.path();
}

TEST_F(CliNoise, ShortFilesAreFilledWhereAllowed) {
  const std::string whole = read_bytes(in_);
  write_bytes(in_, whole.substr(0, whole.size() / 2));
  const Outcome outcome = run({"--allow-truncated", "--json"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["warnings"].size(), 1U) << outcome.out;
  EXPECT_TRUE(std::isnan(testing::short_view(made("a_rms.npy")).as<const float>().at(5, 69)));
}

TEST_F(CliNoise, OldFilesStayUnlessForced) {
  write_bytes(folder_.path("a_rms.npy"), "precious");
  const Outcome refused = run({});
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find("a_rms.npy"), std::string::npos) << refused.err;
  EXPECT_EQ(read_bytes(folder_.path("a_rms.npy")), "precious");
  EXPECT_FALSE(there("a_bkg.npy"));
  EXPECT_EQ(run({"--force"}).code, 0);
  EXPECT_EQ(made("a_rms.npy").info().size, (Size{90, 70}));
}

// Sources a billion times the noise, and values that floats hardly hold.
TEST_F(CliNoise, HugeRanges) {
  for (int y = 0; y < 70; y += 10)
    for (int x = 0; x < 90; x += 10) image_.as<float>().at(x, y) = 3e38F * (x % 20 == 0 ? 1 : -1);
  write_image(in_, image_.view(), {.force = true});
  for (const char* mode : {"exact", "binned", "grid"}) {
    const Outcome outcome = run({"--mode", mode, "--force"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Image rms = made("a_rms.npy");
    for (int i = 0; i < 90 * 70; ++i)
      if (const float value = rms.as<float>().data[i]; !std::isnan(value)) {
        ASSERT_GT(value, 0.4) << mode;
        ASSERT_LT(value, 1.1) << mode;
      }
  }
}

TEST_F(CliNoise, PicturesAreDrawn) {
  ::setenv("TESSERA_GNUPLOT", "/no/gnuplot", 1);
  const Outcome without = run({"--picture", folder_.path("p.png")});
  ::unsetenv("TESSERA_GNUPLOT");
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_NE(without.out.find("gnuplot was not found"), std::string::npos) << without.out;
  EXPECT_TRUE(read_bytes(folder_.path("p.tsv")).starts_with("x\ty\timage\tbackground\tnoise\t"));
  EXPECT_NE(read_bytes(folder_.path("p.gp")).find("'signal over noise'"), std::string::npos);
  const Outcome drawn = run({"--picture", folder_.path("p.png"), "--force", "--json"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  if (!there("p.png") || !can_write(".png")) GTEST_SKIP() << "gnuplot or PNG is missing";
  EXPECT_EQ(made("p.png").info().size.width, 1200);
  EXPECT_EQ(Json::parse(drawn.out)["picture"], folder_.path("p.png"));
}

/// The working folder, for as long as it lives.
class InFolder {
 public:
  explicit InFolder(const std::string& folder) { std::filesystem::current_path(folder); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;
  ~InFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(CliNoise, ExamplesOfTheHelpRun) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const InFolder in_folder(folder_.path());
  const Image plane = random_image({130, 110}, Type::f32, 2);
  write_image("field.fits", plane.view());
  write_image("huge.npy", plane.view());
  std::filesystem::create_directory("fields");
  write_image("fields/one.fits", plane.view());
  write_image("cube.fits", testing::short_view(random_image({130, 110, 1, 4}, Type::f32, 2)));
  write_bytes("flags.fits",
              fits_bytes(8, {130, 110}, {}, std::string(130 * 110, '\0')) +
                  header_bytes({card("XTENSION", "'IMAGE   '"), card("BITPIX", "8"),
                                card("NAXIS", "2"), card("NAXIS1", "130"), card("NAXIS2", "110"),
                                card("PCOUNT", "0"), card("GCOUNT", "1")}) +
                  to_block(std::string(130 * 110, '\0'), '\0'));
  const std::string help = run_tool({"noise", "--help"}).out;
  std::istringstream lines(help.substr(help.find("\nExamples:\n")));
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  tessera ")) continue;
    std::istringstream text(line.substr(10) + " --force");
    Words words;
    for (std::string word; text >> word;) words.push_back(word);
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 0) << line << outcome.err;
    ++examples;
  }
  EXPECT_EQ(examples, 9);
}

}  // namespace
}  // namespace tessera::testing
