// SPDX-License-Identifier: Apache-2.0
// Disks that are full or fail, call by call, while a part is made and while parts are joined.
#include <gtest/gtest.h>

#include "tests/support/cli_folder.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/sweep.hpp"

namespace tessera::testing {
namespace {

class PartFaults : public CliFolder {
 protected:
  void SetUp() override {
    write_image(in_, short_view(random_image({90, 70}, Type::f32, 3)));
    expected_ = make_whole();
  }
  std::string make_whole() {
    EXPECT_EQ(Process({TESSERA_CLI, "convolve", in_, "gauss:1", out_}).wait().code, 0);
    std::string bytes = read_bytes(out_);
    std::filesystem::remove(out_);
    return bytes;
  }
  Words part(bool force) const {
    Words words{TESSERA_CLI, "convolve", in_, "gauss:1", out_, "--part", "1/1"};
    if (force) words.emplace_back("--force");
    return words;
  }
  Words join(bool force) const {
    Words words{TESSERA_CLI, "join", out_};
    if (force) words.emplace_back("--force");
    return words;
  }
  Outcome run(const std::string& fault, const Words& words) const {
    return run_with_faults(
        "io_fault", {"TESSERA_FAULT_FOLDER=" + folder_.path(), "TESSERA_FAULT_IO=" + fault}, words);
  }
  void expect_said(const Outcome& outcome, const std::string& what) const {
    EXPECT_EQ(sentences(outcome), outcome.code == 0 ? 0 : 1)
        << what << ": " << outcome.code << outcome.err;
    for (const std::string& name : files()) EXPECT_FALSE(name.starts_with('.')) << what << name;
  }

  std::string expected_, folder_of_part_ = out_ + ".part-1-of-1";
};

constexpr const char* kCalls[] = {"pwrite", "fsync",     "create",   "place",
                                  "pread",  "renameat2", "renameat", "open"};
constexpr int kMostCalls = 12;  // more than there are of any but reads

TEST_F(PartFaults, LeaveAWholePartOrNone) {
  for (const bool old : {false, true})
    for (const std::string call : kCalls)
      for (const std::string error : {"ENOSPC", "EIO", "EINTR", "EINVAL"})
        for (const int k : spread(1, kMostCalls, 3)) {
          std::filesystem::remove_all(folder_of_part_);
          if (old) {
            ASSERT_EQ(Process(part(false)).wait().code, 0);
          }
          const std::string what = call + ":" + std::to_string(k) + ":" + error;
          const Outcome outcome = run(what, part(old));
          expect_said(outcome, what);
          EXPECT_TRUE(outcome.code != 0 || std::filesystem::exists(folder_of_part_)) << what;
          if (!std::filesystem::exists(folder_of_part_)) continue;
          EXPECT_EQ(Process(join(false)).wait().code, 0) << what;
          EXPECT_TRUE(read_bytes(out_) == expected_) << what;
          std::filesystem::remove(out_);
        }
}

TEST_F(PartFaults, LeaveTheOldOutputOrTheNewOne) {
  ASSERT_EQ(Process(part(false)).wait().code, 0);
  for (const std::string call : kCalls)
    for (const std::string error : {"ENOSPC", "EIO", "EINTR"})
      for (const int k : spread(1, kMostCalls, 3)) {
        write_bytes(out_, "old");
        const std::string what = call + ":" + std::to_string(k) + ":" + error;
        const Outcome outcome = run(what, join(true));
        expect_said(outcome, what);
        const std::string bytes = read_bytes(out_);
        EXPECT_TRUE(bytes == expected_ || (outcome.code != 0 && bytes == "old")) << what;
      }
}

// A device is used if it is asked for by name.
TEST_F(PartFaults, AutoIsTheCpuOfAllParts) {
  if (!FaultyDevice::built()) GTEST_SKIP() << "no driver to play";
  const FaultyDevice device;
  ::unsetenv("TESSERA_BACKEND");
  const auto run = [&](const char* backend, const Words& more) {
    Words words{TESSERA_CLI, "convolve", in_, "gauss:1", out_, "--backend", backend};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = Process(words).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_NE(run("auto", {"--part", "1/1"}).find("cpu "), std::string::npos);
  EXPECT_NE(run("cuda", {}).find("cuda "), std::string::npos);
  const std::string whole = read_bytes(out_);
  std::filesystem::remove(out_);
  EXPECT_NE(run("cuda", {"--part", "1/1", "--force"}).find("cuda "), std::string::npos);
  EXPECT_EQ(Process(join(false)).wait().code, 0);
  EXPECT_TRUE(read_bytes(out_) == whole);
}

}  // namespace
}  // namespace tessera::testing
