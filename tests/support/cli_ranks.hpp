// SPDX-License-Identifier: Apache-2.0
/// A folder with an image, for runs of several ranks on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/mpi_runs.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;

class CliRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (launchers_.empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
    write_image(in_, short_view(random_image({1200, 1700}, Type::f32, 3)));
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
  Words files() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  std::vector<Launcher> launchers_ = usable_launchers();
  TemporaryFolder folder_;
  std::string in_ = folder_.path("in.npy"), out_ = folder_.path("out.npy");
};

}  // namespace tessera::testing
