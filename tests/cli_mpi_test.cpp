// SPDX-License-Identifier: Apache-2.0
// Under mpirun every command makes the bytes of one process.
#include <gtest/gtest.h>

#include "tests/support/file_scene.hpp"
#include "tests/support/mpi_runs.hpp"
#include "tests/support/shared_commands.hpp"

namespace tessera::testing {
namespace {

class CliMpi : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (launchers_.empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  std::vector<Launcher> launchers_ = usable_launchers();
  FileScene scene_{GetParam()};
};

TEST_P(CliMpi, GivesTheBytesOfOneProcess) {
  ASSERT_FALSE(scene_.expected().empty());
  for (const Launcher& launcher : launchers_)
    for (const int ranks : run_all() ? std::vector{1, 2, 3, 4, 7} : std::vector{3}) {
      scene_.reset(false);
      const Outcome outcome = run_ranks(launcher, ranks, scene_.arguments(false));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(outcome.err.find("one process does this alone"), std::string::npos) << outcome.err;
      EXPECT_EQ(scene_.output_state(), "new") << launcher.mpi << ", " << ranks << " ranks";
      EXPECT_EQ(scene_.hidden(), Words{});
    }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliMpi, ::testing::ValuesIn(shared_commands()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
