// SPDX-License-Identifier: Apache-2.0
// Commands on cubes count what they hold whole for --memory-limit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/cli_faraday.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

class CliFaradayMemory : public CliFaraday {
 protected:
  /// A cube of many pixels and few channels: its maps are as large as its strips.
  void SetUp() override {
    CliFaraday::SetUp();
    q_ = random_image({64, 256, 1, kChannels}, Type::f32, 3);
    u_ = random_image({64, 256, 1, kChannels}, Type::f32, 4);
  }
  void write_map(const std::string& name, float value) const {
    Image map({64, 256}, Type::f32);
    for (int i = 0; i < 64 * 256; ++i) map.as<float>().data[i] = value;
    write_image(cube(name), map.view());
  }
  Words clean(const std::string& prefix, const Words& more) const {
    Words words{"faraday", "clean", folder_.path("a_"),  folder_.path("a_"), "--dphi", "10", "-n",
                "3",       "-o",    folder_.path(prefix)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

// The map is 64 KiB, and the file that is read for it as much; a row is 238 kB.
TEST_F(CliFaradayMemory, OfAMask) {
  write_cubes();
  write_map("keep", 1);
  const Words keep{"--keep", cube("keep"), "--no-rmsf"};
  const auto with = [&](Words more, const std::string& limit) {
    more.insert(more.end(), {"--memory-limit", limit, "--force"});
    return synth("a_", more);
  };
  expect_failure(with(keep, "100K"), 5,
                 "for the map of pixels to keep (131.1 kB); give a --memory-limit of more");
  expect_failure(with(keep, "280K"), 5, "besides the map of pixels to keep (65.5 kB)");
  EXPECT_EQ(run_tool(with({"--no-rmsf"}, "280K")).code, 0) << "a row fits without it";
  EXPECT_EQ(run_tool(with(keep, "320K")).code, 0);
}

TEST_F(CliFaradayMemory, OfPatternsOfFlags) {
  for (int k = 0; k < kChannels; ++k) q_.as<float>().at(k, 200, 0, k) = kNaN;
  write_cubes();
  // The memory left by a row has room for a few of 25.
  const Words rmsf{"--rmsf", "patterns"};
  expect_failure(synth("a_", {"--rmsf", "patterns", "--memory-limit", "280K"}), 5,
                 "9 ways, and 58.4 kB of memory has no room for more RMSFs");
  EXPECT_EQ(run_tool(synth("b_", {"--memory-limit", "280K", "--no-rmsf"})).code, 0);
  ASSERT_EQ(run_tool(synth("c_", rmsf)).code, 0);
  const Outcome outcome = run_tool(synth("d_", {"--rmsf", "patterns", "--memory-limit", "1M"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(same_samples(testing::short_view(made("c_RMSF_im.npy")),
                           testing::short_view(made("d_RMSF_im.npy"))));
}

TEST_F(CliFaradayMemory, OfRmsfsAndMapsThatCleanReads) {
  for (int k = 0; k < kChannels; ++k) q_.as<float>().at(k, 200, 0, k) = kNaN;
  write_cubes();
  write_map("cutoff", 1000);
  ASSERT_EQ(run_tool(synth("a_", {"--rmsf", "patterns"})).code, 0);
  const Words map{"--cutoff-map", cube("cutoff")};
  const auto with = [&](const std::string& limit) {
    return clean("b_", {"--cutoff-map", cube("cutoff"), "--memory-limit", limit, "--force"});
  };
  expect_failure(with("100K"), 5, "the width of the RMSF (131.1 kB)");
  expect_failure(with("180K"), 5,
                 "the map of RMSFs (131.1 kB) besides the width of the RMSF (65.5 kB)");
  expect_failure(with("400K"), 5, "too little for 25 RMSFs (");
  expect_failure(with("800K"), 5, "one row at a time (");
  const Outcome outcome = run_tool(with("1200K"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(run_tool(clean("c_", map)).code, 0);
  EXPECT_TRUE(same_samples(testing::short_view(made("b_FDF_clean_im.npy")),
                           testing::short_view(made("c_FDF_clean_im.npy"))));
}

// Every pixel may have an RMSF of its own: a row takes more than its floats.
TEST_F(CliFaradayMemory, OfRmsfsOfEveryPixel) {
  write_cubes();
  ASSERT_EQ(run_tool(synth("a_")).code, 0);
  ASSERT_EQ(run_tool(clean("b_", {"-c", "1000"})).code, 0);
  const Words little{"-c", "1000", "--memory-limit", "900K"};
  expect_failure(clean("c_", little), 5, "one row at a time (1.3 MB");
  const Outcome outcome = run_tool(clean("c_", {"-c", "1000", "--memory-limit", "1500K"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(same_samples(testing::short_view(made("b_FDF_clean_im.npy")),
                           testing::short_view(made("c_FDF_clean_im.npy"))));
}

// 2001 depths of a row are 1 MB, so that maps are made of 32 rows at a time, or of the strips that
// the limit leaves.
TEST_F(CliFaradayMemory, SpectraThatNobodyWritesMakeTheSameMapsInAnyBlocks) {
  for (int x = 0; x < 64; x += 7)
    for (int y = 3; y < 256; y += 40) q_.as<float>().at(x, y, 0, x % kChannels) = kNaN;
  write_cubes();
  const auto maps = [&](const std::string& prefix, const Words& more) {
    Words words{"faraday", "synth", cube("q"), cube("u"), list_, "-o", folder_.path(prefix)};
    words.insert(words.end(), {"-l", "400", "-d", "0.4", "--maps-only", "--maps", "all", "--json"});
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const nlohmann::json blocks = maps("a_", {}), rows = maps("b_", {"--memory-limit", "12M"});
  for (const char* key : {"max_pi", "peak_rm", "brightest_x", "brightest_y"})
    EXPECT_EQ(blocks.at(key), rows.at(key)) << key;
  for (const char* map : {"FDF_maxPI", "FDF_peakRM", "RMSF_pattern"}) {
    const std::string name = std::string(map) + ".npy";
    EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name)),
                             testing::short_view(made("b_" + name))))
        << name;
  }
}

}  // namespace
}  // namespace tessera::testing
