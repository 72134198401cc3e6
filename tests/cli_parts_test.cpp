// SPDX-License-Identifier: Apache-2.0
// Parts of a run that are joined make the bytes of one process.
#include <gtest/gtest.h>

#include "tests/support/file_scene.hpp"
#include "tests/support/shared_commands.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

class CliParts : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  /// Folders of parts would be taken for outputs.
  void remove_parts() {
    for (const auto& entry : std::filesystem::directory_iterator(scene_.folder()))
      if (entry.path().filename().string().find(".part-") != std::string::npos)
        std::filesystem::remove_all(entry.path());
  }
  FileScene scene_{GetParam()};
};

/// The output as the command line names it.
std::string output_of(const Words& words) {
  if (const auto option = std::ranges::find(words, "-o"); option != words.end()) return option[1];
  for (const std::string& word : words)
    if (word.find("/out") != std::string::npos) return word;
  return "";
}

TEST_P(CliParts, MakeTheBytesOfOneProcess) {
  ASSERT_FALSE(scene_.expected().empty());
  const bool refused = is_not_split(GetParam().name);
  for (const int parts : run_all() ? std::vector{1, 2, 5} : std::vector{3}) {
    scene_.reset(false);
    for (int part = parts; part >= 1; --part) {  // in any order
      Words words = scene_.arguments(false);
      words.insert(words.end(), {"--part", std::to_string(part) + "/" + std::to_string(parts)});
      const Outcome outcome = Process(words).wait();
      EXPECT_EQ(outcome.code, refused ? 2 : 0) << outcome.err;
      if (refused) {
        EXPECT_NE(outcome.err.find("cannot be split"), std::string::npos) << outcome.err;
      }
    }
    if (refused) continue;
    const Outcome joined = run_tool({"join", output_of(scene_.arguments(false))});
    EXPECT_EQ(joined.code, 0) << joined.err;
    EXPECT_EQ(joined.err, "");
    remove_parts();
    EXPECT_EQ(scene_.output_state(), "new") << parts << " parts";
    EXPECT_EQ(scene_.hidden(), Words{});
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliParts, ::testing::ValuesIn(shared_commands()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
