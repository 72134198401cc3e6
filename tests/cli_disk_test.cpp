// SPDX-License-Identifier: Apache-2.0
// Disks and limits that are really full: small file systems, ulimit, folders nobody may write.
#include <gtest/gtest.h>

#include "tests/support/file_scene.hpp"

namespace tessera::testing {
namespace {

const FileCommand kCommands[] = {
    {"convert_npy", ".npy", Type::u16, {900, 700}, {"convert", "IN", "OUT"}},
    {"convert_png", ".png", Type::u16, {900, 700}, {"convert", "IN", "OUT"}},
    {"convolve_npy", ".npy", Type::f32, {700, 600}, {"convolve", "IN", "box:3x3", "OUT"}},
    {"convolve_png", ".png", Type::u16, {900, 700}, {"convolve", "IN", "box:3x3", "OUT"}},
};

std::string quoted(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  return line;
}

class CliDisk : public ::testing::TestWithParam<FileCommand> {
 protected:
  /// A new name space of mounts, where one may be made; what it mounts goes with it.
  static bool may_mount() {
    return Process({"unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"}).wait().code == 0;
  }
  FileScene scene_{GetParam()};
};

TEST_P(CliDisk, AFileSystemThatIsFull) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not allowed here";
  const TemporaryFolder small;
  Words words = scene_.arguments(true);
  for (std::string& word : words)
    if (word == scene_.out()) word = small.path("out" + GetParam().ending);
  const std::string script = "mount -t tmpfs -o size=256k none '" + small.path() +
                             "' && echo old >'" + small.path("out" + GetParam().ending) + "' && " +
                             quoted(words) + "; code=$?; ls -A '" + small.path() + "'; cat '" +
                             small.path("out" + GetParam().ending) + "'; exit $code";
  const Outcome outcome = Process({"unshare", "-m", "sh", "-c", script}).wait();
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "out" + GetParam().ending + "\nold\n");
}

TEST_P(CliDisk, AFileSystemThatIsReadOnly) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not allowed here";
  const TemporaryFolder locked;
  Words words = scene_.arguments(false);
  for (std::string& word : words)
    if (word == scene_.out()) word = locked.path("out" + GetParam().ending);
  const std::string script =
      "mount -t tmpfs -o ro none '" + locked.path() + "' && exec" + quoted(words);
  const Outcome outcome = Process({"unshare", "-m", "sh", "-c", script}).wait();
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("Read-only file system"), std::string::npos) << outcome.err;
}

TEST_P(CliDisk, ALimitOfTheSizeOfFiles) {
  for (const bool old : {false, true}) {
    scene_.expected();
    scene_.reset(old);
    const Outcome outcome =
        Process({"sh", "-c", "ulimit -f 64; exec" + quoted(scene_.arguments(old))}).wait();
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
    scene_.expect_sound(outcome, old, "ulimit -f");
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliDisk, ::testing::ValuesIn(kCommands),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
