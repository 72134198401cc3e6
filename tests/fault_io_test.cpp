// SPDX-License-Identifier: Apache-2.0
// Disks that are full, fail or do half of what they are asked, call by call.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/faults.hpp"

namespace tessera::testing {
namespace {

const FileCommand kCommands[] = {
    {"convert_npy", ".npy", Type::u16, {60, 40}, {"convert", "IN", "OUT"}},
    {"convert_png", ".png", Type::u8, {300, 200, 3}, {"convert", "IN", "OUT"}},
    {"convert_raw", ".raw", Type::f32, {60, 40}, {"convert", "IN", "OUT"}, {"--raw", "60x40:f32"}},
    {"convert_tiff",
     ".tif",
     Type::u16,
     {60, 40},
     {"convert", "IN", "OUT"},
     {"--compression", "deflate"}},
    {"convert_fits", ".fits", Type::f32, {60, 40}, {"convert", "IN", "OUT"}, {}, true},
    {"convert_jpeg", ".jpg", Type::u8, {60, 40, 3}, {"convert", "IN", "OUT"}},
    {"convolve_npy",
     ".npy",
     Type::f32,
     {90, 70},
     {"convolve", "IN", "gauss:1", "OUT"},
     {"--memory-limit", "30k"}},
    {"correlate_npy",
     ".npy",
     Type::f32,
     {60, 40},
     {"correlate", "IN", "-o", "OUT", "--max-shift", "20"},
     {},
     true,
     4},
    {"enhance_npy", ".npy", Type::u8, {90, 70}, {"enhance", "IN", "OUT"}, {"--memory-limit", "5k"}},
    {"cells_detect", ".npy", Type::u8, {64, 48}, {"cells", "detect", "IN", "-o", "OUT"}},
    {"faraday_synth",
     ".npy",
     Type::u8,
     {4, 4},
     {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-o", "OUT"},
     {"-l", "300", "-d", "20", "--memory-limit", "30k"},
     false,
     9,
     true,
     "",
     {{"sample", "polarised", "STEM.npy", "--size", "9x7", "--channels", "8", "--sources", "1"}}},
    {"faraday_clean",
     ".npy",
     Type::u8,
     {4, 4},
     {"faraday", "clean", "STEM_", "STEM_", "-c", "0.01", "--dphi", "20", "-o", "OUT"},
     {"--memory-limit", "60k"},
     false,
     7,
     true,
     "",
     {{"sample", "polarised", "STEM.npy", "--size", "9x7", "--channels", "8", "--sources", "1"},
      {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-l", "300", "-d", "20",
       "-o", "STEM_"}}},
    {"noise_npy",
     ".npy",
     Type::f32,
     {60, 40},
     {"noise", "IN", "-o", "OUT"},
     {"--box", "8", "--memory-limit", "12k"},
     false,
     3,
     true},
    {"xengine_npy",
     ".npy",
     Type::u8,
     {4, 4},
     {"xengine", "STEM_v.npy", "-o", "OUT.npy"},
     {"--block", "100"},
     true,
     2,
     true,
     "",
     {{"sample", "voltages", "STEM_v.npy", "--antennas", "3", "--channels", "4", "--samples",
       "300"}},
     true},
    {"xengine_uvfits",
     ".npy",
     Type::u8,
     {4, 4},
     {"xengine", "STEM_v.npy", "-o", "OUT.uvfits"},
     {"--block", "100"},
     true,
     1,
     true,
     "",
     {{"sample", "voltages", "STEM_v.npy", "--antennas", "3", "--channels", "4", "--samples",
       "300"}},
     true},
    {"sample_sky",
     ".npy",
     Type::u8,
     {4, 4},
     {"sample", "sky", "OUT.npy", "--size", "60x40", "--sources", "3"},
     {"--memory-limit", "30k"},
     false,
     4,
     true,
     "",
     {}},
    {"sample_voltages",
     ".npy",
     Type::u8,
     {4, 4},
     {"sample", "voltages", "OUT.npy", "--antennas", "3", "--channels", "4", "--samples", "300"},
     {},
     false,
     4,
     true,
     "",
     {}},
    {"cells_track",
     ".npy",
     Type::u8,
     {4, 4},
     {"cells", "track", "STEM_film.npy", "-o", "OUT", "--overlay", "no", "--report", "no"},
     {"--frame-rate", "30"},
     false,
     6,
     true,
     "/summary.json",
     {{"sample", "cells", "STEM_film.npy", "--size", "80x60", "--frames", "12", "--cells", "2"}},
     true},
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

INSTANTIATE_TEST_SUITE_P(Commands, IoFaults, ::testing::ValuesIn(kCommands),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
