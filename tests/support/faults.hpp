// SPDX-License-Identifier: Apache-2.0
/// Runs the tool while calls of libc fail (tests/faults).
#pragma once

#include <stdlib.h>

#include <string>
#include <vector>

#include "core/machine.hpp"
#include "tests/support/file_scene.hpp"
#include "tests/support/temporary_folder.hpp"

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

/// While it lives, the tools that are started find the driver of tests/faults/driver_fault.cpp, and
/// compute on its devices.
class DriverOfTests {
 public:
  DriverOfTests() {
    set("TESSERA_CUDA_LIBRARY_PATH", TESSERA_FAULTS "/driver");
    set("TESSERA_CACHE", cache_.path());
    set("TESSERA_BACKEND", "cuda");
  }
  DriverOfTests(const DriverOfTests&) = delete;
  DriverOfTests& operator=(const DriverOfTests&) = delete;
  static bool built() { return std::filesystem::exists(TESSERA_FAULTS "/driver/libcuda.so.1"); }
  ~DriverOfTests() {
    for (const char* name : names_) ::unsetenv(name);
  }
  void set(const char* name, const std::string& value) {
    ::setenv(name, value.c_str(), 1);
    names_.push_back(name);
  }

 private:
  std::vector<const char*> names_;
  TemporaryFolder cache_;
};

/// Its calls can be made to fail; the device is a real one if there is one, or only played.
class FaultyDevice : public DriverOfTests {
 public:
  FaultyDevice() {
    if (!this_machine().devices.empty()) set("TESSERA_FAULT_REAL_DRIVER", "libcuda.so.1");
  }
};

/// Devices that are only played, even where there are real ones.
class PlayedDevices : public DriverOfTests {
 public:
  explicit PlayedDevices(int count) { set("TESSERA_FAULT_DEVICES", std::to_string(count)); }
};

/// Commands of a table that have methods for devices.
inline std::vector<FileCommand> commands_on_devices(std::vector<FileCommand> commands) {
  std::erase_if(commands, [](const FileCommand& command) {
    const std::string& name = command.words[0];
    return name == "convert" || name == "edges" || name == "match" || name == "sample" ||
           name == "sources";
  });
  return commands;
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
