// SPDX-License-Identifier: Apache-2.0
// Disks that fail while casacore writes: one sentence, and the old Measurement Set stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/support/faults.hpp"
#include "tests/support/sweep.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

class MsFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(TESSERA_CLI).parent_path() / "libtessera_casacore.so"))
      GTEST_SKIP() << "casacore is missing";
    ASSERT_EQ(run_tool({"sample", "voltages", inputs_.path("in.raw"), "--antennas", "5",
                        "--channels", "4", "--samples", "300", "--quiet"})
                  .code,
              0);
    make_old();
  }
  std::string out() const { return folder_.path("v.ms"); }
  void make_old() const {
    fs::remove_all(out());
    ASSERT_EQ(run("none:0:EIO").code, 0);
    write_bytes(out() + "/table.mark", "old");
  }
  Outcome run(const std::string& fault, const Words& more = {}) const {
    Words settings{"TESSERA_FAULT_FOLDER=" + folder_.path(), "TESSERA_FAULT_IO=" + fault};
    settings.insert(settings.end(), more.begin(), more.end());
    return run_with_faults("io_fault", settings,
                           {TESSERA_CLI, "xengine", inputs_.path("in.raw"), "-o", out(), "--array",
                            inputs_.path("in_antennas.txt"), "--phase-centre", "zenith",
                            "--integrate", "100", "--quiet", "--force"});
  }
  /// How often each call is made.
  std::map<std::string, int> counts() const {
    const std::string report = inputs_.path("calls");
    EXPECT_EQ(run("none:0:EIO", {"TESSERA_FAULT_REPORT=" + report}).code, 0);
    std::map<std::string, int> found;
    std::istringstream text(read_bytes(report));
    for (std::string call, number; text >> call >> number;) ++found[call];
    return found;
  }
  void expect_sound(const std::string& fault) const {
    const Outcome outcome = run(fault);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1 || outcome.code == 2 || outcome.code == 5)
        << fault << ": " << outcome.code << outcome.err;
    const bool whole = fs::exists(out() + "/table.dat") && fs::exists(out() + "/STATE/table.dat");
    EXPECT_TRUE(whole) << fault;
    if (outcome.code != 0) {
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << fault << ": " << outcome.err;
      EXPECT_EQ(outcome.err.find("terminate"), std::string::npos) << fault;
    }
    EXPECT_EQ(std::ranges::distance(fs::directory_iterator(folder_.path())), 1) << fault;
    if (!fs::exists(out() + "/table.mark")) make_old();
  }
  TemporaryFolder inputs_, folder_;
};

TEST_F(MsFaults, AreOneSentenceAndLeaveTheOldSet) {
  const std::map<std::string, int> met = counts();
  int failed = 0;
  for (const auto& [call, error] : {std::pair<const char*, const char*>{"write", "ENOSPC"},
                                    {"write", "EIO"},
                                    {"pwrite", "EDQUOT"},
                                    {"create", "EMFILE"},
                                    {"fsync", "EIO"},
                                    {"fallocate", "ENOSPC"},
                                    {"renameat2", "EIO"}}) {
    const int count = met.contains(call) ? met.at(call) : 0;
    ASSERT_GT(count, 0) << call;
    for (const int k : spread(1, count, run_all() ? count : 3))
      expect_sound(std::string(call) + ":" + std::to_string(k) + "+:" + error);
    failed += run(std::string(call) + ":1+:" + error).code != 0;
  }
  EXPECT_EQ(failed, 7) << "every call matters";
}

TEST_F(MsFaults, OfFullDisksHaveTheirCode) {
  const int last = counts().at("write");
  for (const int k : {1, last / 2, last - 1}) {
    const Outcome outcome = run("write:" + std::to_string(k) + "+:ENOSPC");
    EXPECT_EQ(outcome.code, 5) << k << outcome.err;
    EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace tessera::testing
