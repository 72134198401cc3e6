// SPDX-License-Identifier: Apache-2.0
// Time and memory are bounded by the input, whatever it claims: every command ends soon, with its
// sentence. The time-outs only catch what would run on and on.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

/// `command` is given to a shell, with the tool as $0.
Outcome run_shell(const std::string& command) {
  return Process({"timeout", "60", "bash", "-c", command, TESSERA_CLI}).wait();
}

/// Sanitizers reserve terabytes.
bool runs_in_two_gigabytes() {
  return run_shell("ulimit -v 2000000; exec \"$0\" --version").code == 0;
}

class CliLimits : public ::testing::Test {
 protected:
  /// A small file for every command.
  std::string image() const {
    const std::string path = folder_.path("in.npy");
    write_image(path, testing::short_view(random_image({64, 48, 3}, Type::u8, 1)), {.force = true});
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(CliLimits, AnEndlessPipeIsRefusedByItsFirstBytes) {
  for (const char* words : {"info -", "convert - out.npy"}) {
    const Outcome outcome = run_shell("cd " + folder_.path() + "; yes | \"$0\" " + words);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "standard input: neither its first bytes")) << outcome.err;
  }
}

TEST_F(CliLimits, ShortPipesAreReadAsBefore) {
  const std::string file = image();
  // In parts that are shorter than a header.
  const Outcome outcome =
      run_shell("(head -c 10 " + file + "; sleep 0.1; tail -c +11 " + file + ") | \"$0\" info -");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(run_shell("printf x | \"$0\" info -").code, 3);
  EXPECT_EQ(run_shell("\"$0\" info - < /dev/null").code, 3);
}

// Libraries and threads must not wait at the end for what they could not start.
TEST_F(CliLimits, LittleAddressSpaceEndsTheTool) {
  if (!runs_in_two_gigabytes()) GTEST_SKIP() << "this build needs more address space";
  const std::string file = image();
  bool ended_well = false;
  for (int megabytes = 40; megabytes <= 600; megabytes += 20) {
    const Outcome outcome =
        run_shell("ulimit -v " + std::to_string(1000 * megabytes) + "; exec \"$0\" convert " +
                  file + " " + folder_.path("out.npy") + " --force");
    // 127: the loader found no room for the libraries. 139: the kernel found none for the tool
    // itself, which a sanitizer makes six times as large.
    const bool fits =
        1e6 * megabytes > static_cast<double>(std::filesystem::file_size(TESSERA_CLI));
    const bool known = outcome.code == 0 || outcome.code == 5 || outcome.code == 127 ||
                       (outcome.code == 139 && !fits);
    EXPECT_TRUE(known) << megabytes << " MB: " << outcome.code << " " << outcome.err;
    ended_well = outcome.code == 0;
  }
  EXPECT_TRUE(ended_well);
}

// Only methods that multiply matrices with it need OpenBLAS.
TEST_F(CliLimits, NoCommandBeginsWithOpenBlas) {
  const Outcome outcome = Process({"ldd", TESSERA_CLI}).wait();
  EXPECT_FALSE(has(outcome.out, "blas")) << outcome.out;
}

TEST_F(CliLimits, SeparationsThatAreAlmostNothing) {
  const Outcome outcome =
      Process({"timeout", "60", TESSERA_CLI, "sample", "points", folder_.path("a.npy"), "--size",
               "64x64", "--separation", "1e-320"})
          .wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Outcome flux = Process({"timeout", "60", TESSERA_CLI, "sample", "points",
                                folder_.path("b.npy"), "--size", "64x64", "--flux-low", "1e-320"})
                           .wait();
  EXPECT_EQ(flux.code, 2) << flux.err;
}

// The weights of such a filter took 2 GB for an image of any size.
TEST_F(CliLimits, LargeScalesOfSmallImages) {
  if (!runs_in_two_gigabytes()) GTEST_SKIP() << "this build needs more address space";
  const Outcome outcome =
      run_shell("ulimit -v 1500000; exec \"$0\" correlate " + image() + " -o " +
                folder_.path("maps.npy") + " --max-shift 8 --gradient-scale 1e3 --threads 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace tessera::testing
