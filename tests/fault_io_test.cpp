// SPDX-License-Identifier: Apache-2.0
// Disks that are full, fail or do half of what they are asked, call by call.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/faults.hpp"
#include "tests/support/file_commands.hpp"
#include "tests/support/sweep.hpp"

namespace tessera::testing {
namespace {

/// The exit code of a fault. 0 is success: the call was repeated, completed, or does not matter.
struct Fault {
  const char* call;
  const char* error;
  int code;
  const char* part = "";  ///< of the message
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
    {"renameat", "EIO", 1, "cannot be put in place"},
    {"renameat", "EDQUOT", 5, "cannot be put in place"},
    {"renameat", "EROFS", 1, "cannot be put in place"},
    {"place", "EACCES", 2, "its folder cannot be opened"},
    {"place", "EMFILE", 5, "its folder cannot be opened"},
    {"place", "EINTR", 0},
    {"folder", "EACCES", 0},
    {"pread", "EIO", 3, "cannot be read"},
    {"pread", "EINTR", 0},
    {"pread", "short", 0},
};

class IoFaults : public FileFaults {
 protected:
  Outcome run(const std::string& fault, bool old, const Words& more = {}) {
    Words settings{"TESSERA_FAULT_FOLDER=" + scene_.folder(), "TESSERA_FAULT_IO=" + fault};
    settings.insert(settings.end(), more.begin(), more.end());
    return run_with("io_fault", settings, old);
  }
  /// How often each call is made on files of the folder.
  std::map<std::string, int> counts(bool old) {
    std::map<std::string, int> found;
    std::istringstream text(
        report([&](const std::string& to) { return run("none:0:EIO", old, {to}); }));
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
};

// Every call of each kind, with and without an old file; or each fault once, at the first call of
// its kind, one in the middle or the last. The place and the old file change from fault to fault
// and from command to command.
TEST_P(IoFaults, HaveTheirCodesAndLeaveTheOldFile) {
  std::map<std::string, int> met[] = {counts(false), counts(true)};
  int turn = line_of(GetParam(), small_commands());
  for (const Fault& fault : kFaults) {
    const int place = turn % 3;
    bool wanted = turn / 3 % 2 == 0;
    if (met[wanted][fault.call] == 0) wanted = !wanted;
    ++turn;
    for (const bool old : {false, true}) {
      const int count = met[old][fault.call];
      if (run_all())
        for (int k = 1; k <= count; ++k) expect_fault(fault, k, old);
      else if (old == wanted && count > 0)
        expect_fault(fault, place == 0 ? 1 : place == 1 ? (count + 1) / 2 : count, old);
    }
  }
}

TEST_P(IoFaults, AreMetByTheTool) {
  const auto fresh = counts(false), replaced = counts(true);
  Words calls{"pwrite", "fsync", "create", "close", "place", "folder"};
  if (scene_.reads_input()) calls.insert(calls.end(), {"pread", "open"});
  for (const std::string& call : calls) EXPECT_GT(fresh.count(call), 0U) << call;
  const FileCommand& command = GetParam();
  EXPECT_GE(fresh.at("fsync"), 2 * command.outputs) << "the file, then its folder";
  const bool together = command.many && command.last.empty() && command.outputs > 1;
  EXPECT_EQ(fresh.count(command.always_force && !together ? "renameat" : "renameat2"), 1U);
  EXPECT_EQ(replaced.count(together ? "renameat2" : "renameat"), 1U);
}

// Errors of close are seen before the name changes; those of files that are only read do not
// matter.
TEST_P(IoFaults, OfCloseAreReported) {
  const int count = counts(true)["close"];
  int reported = 0;
  for (const int k : spread(1, count, 10)) {
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

INSTANTIATE_TEST_SUITE_P(Commands, IoFaults, ::testing::ValuesIn(small_commands()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
