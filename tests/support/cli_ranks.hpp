// SPDX-License-Identifier: Apache-2.0
/// A folder with an image, for runs of several ranks on it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/cli_folder.hpp"
#include "tests/support/mpi_runs.hpp"

namespace tessera::testing {

class CliRanks : public CliFolder {
 protected:
  void SetUp() override {
    if (launchers_.empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
    CliFolder::SetUp();
  }
  Words convolve(const Words& more = {}) const {
    Words words{TESSERA_CLI, "convolve", in_, "gauss:2", out_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// One sentence, whoever says it.
  void expect_refused(const Outcome& outcome, int code, const std::string& part) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    const auto said = sentences_of_tool(outcome.err);
    ASSERT_EQ(said.size(), 1U) << outcome.err;
    EXPECT_NE(said[0].find(part), std::string::npos) << said[0];
  }

  std::vector<Launcher> launchers_ = usable_launchers();
};

}  // namespace tessera::testing
