// SPDX-License-Identifier: Apache-2.0
// Images larger than memory: the same bytes from strips of any size, without seams.
#include <gtest/gtest.h>

#include <limits>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

class CliNoiseMemory : public ::testing::TestWithParam<std::pair<const char*, Words>> {
 protected:
  static constexpr Size kSize{61, 600};

  void SetUp() override {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) {
        float& value = image_.as<float>().at(x, y);
        value *= 1 + 0.01F * static_cast<float>(y);  // noise that grows down the image
        if ((x * 7 + y * 13) % 29 == 0 || (y > 300 && y < 340 && x > 20)) value = nan;
      }
    write_image(in_, image_.view());
  }
  Outcome run(const std::string& prefix, const Words& more) const {
    Words words{"noise", in_, "-o", folder_.path(prefix), "--force"};
    words.insert(words.end(), GetParam().second.begin(), GetParam().second.end());
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  }

  TemporaryFolder folder_;
  Image image_ = random_image(kSize, Type::f32, 3);
  std::string in_ = folder_.path("in.npy");
};

TEST_P(CliNoiseMemory, StripsOfAnySizeGiveTheSameBytes) {
  ASSERT_EQ(run("whole", {}).code, 0);
  const auto all_bytes = [&](const std::string& name) {
    return read_bytes(folder_.path(name + "_bkg.npy")) +
           read_bytes(folder_.path(name + "_rms.npy")) +
           read_bytes(folder_.path(name + "_snr.npy"));
  };
  const std::string whole = all_bytes("whole");
  int ran = 0;
  for (const auto& [limit, threads] : {std::pair{"30k", "1"},
                                       {"55k", "3"},
                                       {"120k", "2"},
                                       {"350k", "1"},
                                       {"700k", "3"},
                                       {"1100k", "1"},
                                       {"1500k", "2"},
                                       {"2400k", "3"}}) {
    const Outcome outcome = run("part", {"--memory-limit", limit, "--threads", threads});
    if (outcome.code == 5 && ran == 0) continue;  // less than the least
    ASSERT_EQ(outcome.code, 0) << limit << outcome.err;
    ASSERT_TRUE(all_bytes("part") == whole) << limit << ", " << threads << " threads";
    ++ran;
  }
  EXPECT_GE(ran, 2);
}

const std::pair<const char*, Words> kWays[] = {
    {"Exact", {"--box", "15"}},
    {"ExactReflected", {"--box", "16", "--border", "reflect-101"}},
    {"ExactTwoPass", {"--box", "9", "--two-pass"}},
    {"Clip", {"--box", "11", "--estimator", "clip"}},
    {"Binned", {"--box", "12", "--mode", "binned"}},
    {"Grid", {"--box", "24", "--mode", "grid", "--grid", "7"}},
    {"GridWide", {"--box", "20", "--mode", "grid", "--grid", "90", "--border", "replicate"}},
    {"Bane", {"--like", "bane", "--box", "30", "--only", "bkg,rms,snr"}},
    {"Filled", {"--box", "15", "--fill"}},
    {"FilledGrid", {"--box", "16", "--mode", "grid", "--fill"}},
};
INSTANTIATE_TEST_SUITE_P(Ways, CliNoiseMemory, ::testing::ValuesIn(kWays),
                         [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace tessera::testing
