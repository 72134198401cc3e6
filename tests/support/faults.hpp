// SPDX-License-Identifier: Apache-2.0
/// Runs the tool while calls of libc fail (tests/faults).
#pragma once

#include <string>

#include "tests/support/file_scene.hpp"

namespace tessera::testing {

/// Runs a command with a library of tests/faults and its settings; one that hangs ends with 137.
inline Outcome run_with_faults(const std::string& library, const Words& settings,
                               const Words& command) {
  Words words{
      "timeout", "-s",
      "KILL",    "60",
      "env",     std::string("LD_PRELOAD=") + TESSERA_FAULTS + "/libtessera_" + library + ".so"};
  words.insert(words.end(), settings.begin(), settings.end());
  words.insert(words.end(), command.begin(), command.end());
  return Process(words).wait();
}

/// A command of a table, run with faults.
class FileFaults : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  Outcome run_with(const std::string& library, const Words& settings, bool old) {
    scene_.expected();
    scene_.reset(old);
    return run_with_faults(library, settings, scene_.arguments(old));
  }
  /// The calls that the library saw; `run` takes the setting that asks for its report.
  template <class Run>
  std::string report(const Run& run) {
    const std::string name = scene_.folder() + "-calls";
    const Outcome outcome = run("TESSERA_FAULT_REPORT=" + name);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string text = read_bytes(name);
    std::filesystem::remove(name);
    return text;
  }
  FileScene scene_{GetParam()};
};

}  // namespace tessera::testing
