// SPDX-License-Identifier: Apache-2.0
// Stacks with channels and slices from the command line: choices, errors, calibration.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/cli_cells.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/tiff_stacks.hpp"

namespace tessera::testing {
namespace {

/// The small film as the second channel of a stack without directories, in big-endian order; the
/// first channel is dark.
class CliCellsAxes : public CliCells {
 protected:
  void SetUp() override {
    CliCells::SetUp();
    if (!can_write(".tif")) GTEST_SKIP() << "this build has no TIFF";
    const Image film = small_film();
    TiffTestStack stack{.description =
                            "ImageJ=1.54f\nimages=32\nchannels=2\nframes=16\n"
                            "hyperstack=true\nunit=\\u00B5m\nfinterval=0.04\n",
                        .images = 0,
                        .little = false,
                        .width = 96,
                        .height = 80,
                        .x_per_unit = 3.125};
    std::string bytes = stack.bytes();
    for (int p = 0; p < kFrames; ++p) {
      bytes += std::string(2UL * 96 * 80, '\0');
      for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 96; ++x) {
          bytes += '\0';
          bytes += static_cast<char>(film.as<unsigned char>().at(x, y, 0, p));
        }
    }
    write_bytes(stack_, bytes);
  }
  std::string stack_ = folder_.path("stack.tif");
};

TEST_F(CliCellsAxes, AChannelIsTheFilm) {
  const Outcome outcome = run_tool(words(stack_, {"--channel", "1"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n25 frames per second (film), 0.32 um per pixel (film)\n"),
            std::string::npos)
      << outcome.out;
  const auto kept = nlohmann::json::parse(read_bytes(made("summary.json")));
  EXPECT_EQ(kept["calibration"]["um_per_pixel_from"], "film");
  EXPECT_EQ(kept["calibration"]["frame_rate_from"], "film");
  EXPECT_DOUBLE_EQ(kept["calibration"]["um_per_pixel"], 0.32);
  EXPECT_DOUBLE_EQ(kept["calibration"]["frame_rate"], 25);
  EXPECT_EQ(kept["film"]["channel"], 1);
  EXPECT_EQ(kept["film"]["z"], nullptr);
  EXPECT_EQ(kept["film"]["frames"], kFrames);
  const std::string tracks = read_bytes(made("tracks.csv"));
  ASSERT_EQ(
      run_tool(words(film_, {"--um-per-pixel", "0.32", "--frame-rate", "25", "--force"})).code, 0);
  EXPECT_EQ(read_bytes(made("tracks.csv")), tracks) << "of the same film as NPY";
}

TEST_F(CliCellsAxes, OptionsOverruleTheFilm) {
  const Outcome outcome =
      run_tool(words(stack_, {"--channel", "1", "--um-per-pixel", "0.5", "--frame-rate", "10"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n10 frames per second (given), 0.5 um per pixel (given)\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("stack.tif states 25 frames per second; the given 10 are used"),
            std::string::npos)
      << outcome.out;
  const auto kept = nlohmann::json::parse(read_bytes(made("summary.json")));
  EXPECT_EQ(kept["calibration"]["um_per_pixel_from"], "given");
}

TEST_F(CliCellsAxes, ChoicesThatAreWrong) {
  struct Case {
    Words words;
    const char* sentence;
  };
  const Case cases[] = {
      {{}, "stack.tif: it has 16 frames and 2 channels; give --channel 0 to 1 to choose a channel"},
      {{"--channel", "2"}, "stack.tif: there is no channel 2; --channel can be 0 to 1"},
      {{"--channel", "1", "--z", "0"}, "stack.tif: it has no axis of slices; leave --z out"},
      {{"--channel", "1", "--z", "mean"},
       "--z: 'mean' is not a slice; it can be a number from 0 on, or max"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = run_tool(words(stack_, c.words));
    EXPECT_EQ(outcome.code, 2) << c.sentence;
    EXPECT_NE(outcome.err.find(c.sentence), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out_)) << c.sentence;
  }
  const Outcome npy = run_tool(words(film_, {"--channel", "0"}));
  EXPECT_EQ(npy.code, 2);
  EXPECT_NE(npy.err.find("film.npy: it has no axis of channels; leave --channel out"),
            std::string::npos)
      << npy.err;
}

TEST_F(CliCellsAxes, DetectChoosesToo) {
  const Words words{"cells", "detect", stack_, "--channel", "1", "--frames", "1"};
  const Outcome outcome = run_tool(words),
                expected = run_tool({"cells", "detect", film_, "--frames", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, expected.out);
  EXPECT_EQ(run_tool({"cells", "detect", stack_}).code, 2);
  if (!testing::kSandboxCanRun) return;
  const Outcome apart =
      run_tool({"cells", "detect", stack_, "--channel", "1", "--frames", "1", "--sandbox", "on"});
  EXPECT_EQ(apart.out, outcome.out) << apart.err;
}

}  // namespace
}  // namespace tessera::testing
