// SPDX-License-Identifier: Apache-2.0
// Disks that are full, fail or do half of what they are asked, call by call.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/faults.hpp"
#include "tests/support/file_commands.hpp"

namespace tessera::testing {
namespace {

const PolarisedSize kIoCube{.size = "9x7", .channels = "8", .sources = "1"};
const VoltagesSize kIoVoltages{.antennas = "3", .channels = "4", .samples = "300"};

const FileCommand kIoCommands[] = {
    {.name = "convert_npy", .type = Type::u16, .size = {60, 40}, .words = {"convert", "IN", "OUT"}},
    {.name = "convert_png",
     .ending = ".png",
     .size = {300, 200, 3},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convert_raw",
     .ending = ".raw",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .more = {"--raw", "60x40:f32"}},
    {.name = "convert_tiff",
     .ending = ".tif",
     .type = Type::u16,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .more = {"--compression", "deflate"}},
    {.name = "convert_fits",
     .ending = ".fits",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .always_force = true},
    {.name = "convert_jpeg",
     .ending = ".jpg",
     .size = {60, 40, 3},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convolve_npy",
     .type = Type::f32,
     .size = {90, 70},
     .words = {"convolve", "IN", "gauss:1", "OUT"},
     .more = {"--memory-limit", "30k"}},
    {.name = "correlate_npy",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"correlate", "IN", "-o", "OUT", "--max-shift", "20"},
     .always_force = true,
     .outputs = 4},
    {.name = "enhance_npy",
     .size = {90, 70},
     .words = {"enhance", "IN", "OUT"},
     .more = {"--memory-limit", "5k"}},
    {.name = "cells_detect", .size = {64, 48}, .words = {"cells", "detect", "IN", "-o", "OUT"}},
    faraday_synth_command(kIoCube, {.more = {"--memory-limit", "30k"}}),
    faraday_clean_command(kIoCube, {"--memory-limit", "60k"}),
    noise_npy_command({60, 40}, "8", {"--memory-limit", "12k"}),
    xengine_npy_command(kIoVoltages, {.more = {"--block", "100"}, .goes_on = true}),
    xengine_uvfits_command(kIoVoltages, {.more = {"--block", "100"}, .goes_on = true}),
    sample_sky_command("60x40", {"--sources", "3", "--memory-limit", "30k"}),
    sample_voltages_command(kIoVoltages),
    cells_track_command("80x60", {.goes_on = true}),
};

/// What a fault leads to. 0 is success: the call was made again, completed, or is of no account.
struct Fault {
  const char* call;
  const char* error;
  int code;
  const char* part = "";  ///< of the sentence
};

const Fault kFaults[] = {
    {"pwrite", "ENOSPC", 5, "No space left"},
    {"pwrite", "EDQUOT", 5, "quota"},
    {"pwrite", "EFBIG", 5, "too large"},
    {"pwrite", "EIO", 1, "cannot be written"},
    {"pwrite", "EINTR", 0},
    {"pwrite", "short", 0},
    {"fsync", "EIO", 1, "cannot be written"},
    {"fsync", "ENOSPC", 5, "No space left"},
    {"fsync", "EDQUOT", 5, "quota"},
    {"fsync", "EINTR", 0},
    {"fsync", "EINVAL", 0},
    {"fallocate", "ENOSPC", 5, "no room for"},
    {"fallocate", "EDQUOT", 5, "no room for"},
    {"fallocate", "EOPNOTSUPP", 0},
    {"fallocate", "EINTR", 0},
    {"create", "ENOSPC", 5, "cannot be made"},
    {"create", "EROFS", 2, "Read-only file system"},
    {"create", "EACCES", 2, "cannot be made"},
    {"create", "EIO", 1, "cannot be made"},
    {"create", "EMFILE", 5, "cannot be made"},
    {"create", "EINTR", 0},
    {"renameat2", "EIO", 1, "cannot be put in place"},
    {"renameat2", "ENOSPC", 5, "cannot be put in place"},
    {"renameat2", "EROFS", 1, "cannot be put in place"},
    {"renameat2", "EINVAL", 0},
    {"renameat2", "ENOSYS", 0},
    {"rename", "EIO", 1, "cannot be put in place"},
    {"rename", "EDQUOT", 5, "cannot be put in place"},
    {"rename", "EROFS", 1, "cannot be put in place"},
    {"pread", "EIO", 3, "cannot be read"},
    {"pread", "EINTR", 0},
    {"pread", "short", 0},
};

class IoFaults : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  Outcome run(const std::string& fault, bool old, const Words& more = {}) {
    scene_.expected();
    scene_.reset(old);
    Words settings{"TESSERA_FAULT_FOLDER=" + scene_.folder(), "TESSERA_FAULT_IO=" + fault};
    settings.insert(settings.end(), more.begin(), more.end());
    return run_with_faults("io_fault", settings, scene_.arguments(old));
  }
  /// How often each call is made on files of the folder.
  std::map<std::string, int> counts(bool old) {
    const std::string report = scene_.folder() + "-calls";
    const Outcome outcome = run("none:0:EIO", old, {"TESSERA_FAULT_REPORT=" + report});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, int> found;
    std::istringstream text(read_bytes(report));
    std::filesystem::remove(report);
    for (std::string call, number; text >> call >> number;) ++found[call];
    return found;
  }
  void expect_fault(const Fault& fault, int number, bool old) {
    const std::string what =
        std::string(fault.call) + ":" + std::to_string(number) + ":" + fault.error;
    const Outcome outcome = run(what, old);
    if (GetParam().goes_on && outcome.code == 4) {
      EXPECT_EQ(scene_.hidden(), Words{}) << what;
      return;
    }
    EXPECT_EQ(outcome.code, fault.code) << what << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(fault.part), std::string::npos) << what << ": " << outcome.err;
    scene_.expect_sound(outcome, old, what);
  }
  FileScene scene_{GetParam()};
};

// The first, one in the middle and the last call of each kind, or every one.
TEST_P(IoFaults, HaveTheirCodesAndLeaveTheOldFile) {
  for (const bool old : {false, true}) {
    const auto met = counts(old);
    for (const Fault& fault : kFaults) {
      const auto found = met.find(fault.call);
      const int count = found == met.end() ? 0 : found->second;
      for (int k = 1; k <= count; k += run_all() || k == count ? 1 : std::max(1, (count - k) / 2))
        expect_fault(fault, k, old);
    }
  }
}

TEST_P(IoFaults, AreMetByTheTool) {
  const auto fresh = counts(false), replaced = counts(true);
  Words calls{"pwrite", "fsync", "create", "close"};
  if (scene_.reads_input()) calls.insert(calls.end(), {"pread", "open"});
  for (const std::string& call : calls) EXPECT_GT(fresh.count(call), 0U) << call;
  const FileCommand& command = GetParam();
  EXPECT_GE(fresh.at("fsync"), 2 * command.outputs) << "the file, then its folder";
  const bool together = command.many && command.last.empty() && command.outputs > 1;
  EXPECT_EQ(fresh.count(command.always_force && !together ? "rename" : "renameat2"), 1U);
  EXPECT_EQ(replaced.count(together ? "renameat2" : "rename"), 1U);
}

// Errors of close are seen before the name changes; those of files only read are of no account.
TEST_P(IoFaults, OfCloseAreReported) {
  const int count = counts(true)["close"];
  int reported = 0;
  for (int k = 1; k <= count; ++k) {
    const std::string what = "close:" + std::to_string(k) + ":EIO";
    const Outcome outcome = run(what, true);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << what << ": " << outcome.err;
    scene_.expect_sound(outcome, true, what);
    reported += outcome.code == 1;
  }
  EXPECT_GE(reported, 1);
}

TEST_P(IoFaults, OfInputsThatCannotBeOpened) {
  if (!scene_.reads_input()) GTEST_SKIP() << "no inputs";
  const Outcome outcome = run("open:1:EIO", true);
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot be opened: Input/output error"), std::string::npos);
  scene_.expect_sound(outcome, true, "open");
  EXPECT_EQ(run("open:1:EMFILE", true).code, 5);
  EXPECT_EQ(run("open:1:EINTR", true).code, 0);
}

// A disk that stays full, and file systems that have neither way to rename without replacing.
TEST_P(IoFaults, ThatLast) {
  const Outcome full = run("pwrite:1+:ENOSPC", true);
  EXPECT_EQ(full.code, 5) << full.err;
  scene_.expect_sound(full, true, "full");
  for (const char* everywhere : {"pwrite:1+:short", "pread:1+:short", "renameat2:1+:EINVAL"}) {
    const Outcome outcome = run(everywhere, false);
    EXPECT_EQ(outcome.code, 0) << everywhere << ": " << outcome.err;
    scene_.expect_sound(outcome, false, everywhere);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, IoFaults, ::testing::ValuesIn(kIoCommands),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
