// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

TEST(CliStudy, WithoutANameListsStudies) {
  const Outcome outcome = run_tool({"study"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* study :
       {"cells ", "convolve ", "correlate ", "enhance ", "faraday ", "xengine "})
    EXPECT_TRUE(has("\n" + outcome.out, std::string("\n") + study)) << study << outcome.out;
}

TEST(CliStudy, UnknownWordsAreRefused) {
  EXPECT_TRUE(has(run_tool({"study", "convovle"}).err, "did you mean convolve?"));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--rungs", "11"},
                                             {"--sizes", "44"},
                                             {"--sizes", "a"},
                                             {"--side", "0"},
                                             {"--search", "9"},
                                             {"--csv", "--json"}}) {
    std::vector<std::string> arguments{"study", "convolve"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Outcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.code, 2) << words[0] << outcome.err;
    EXPECT_TRUE(has(outcome.err, words[0])) << outcome.err;
  }
}

TEST(CliStudy, WithoutADeviceIsOneSentenceAndExitCode5) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const Outcome outcome = run_tool({"study", "convolve"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(has(outcome.err, "its rungs need a GPU, and there is none")) << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
  const Outcome cpu = run_tool({"study", "convolve", "--backend", "cpu"});
  EXPECT_EQ(cpu.code, 0) << cpu.err;
  EXPECT_TRUE(has(cpu.out, "nothing to run")) << cpu.out;
}

TEST(CliStudy, CorrelateRunsOnTheCpu) {
  const std::vector<std::string> small{"study", "correlate", "--backend", "cpu", "--side", "48"};
  const Outcome text = run_tool(small);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "Tables 4 and 5")) << text.out;
  EXPECT_TRUE(has(text.out, "there is nothing to match")) << text.out;
  std::vector<std::string> csv = small;
  csv.insert(csv.end(), {"--rungs", "scalar,simd.1", "--csv"});
  const Outcome rows = run_tool(csv);
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(has(rows.out, "\n48x48,scalar,")) << rows.out;
  EXPECT_EQ(run_tool({"study", "correlate", "--sizes", "3"}).code, 2);
  EXPECT_EQ(run_tool({"study", "correlate", "--rungs", "rows"}).code, 2);
  EXPECT_EQ(run_tool({"study", "correlate", "--search", "2"}).code, 2);
}

TEST(CliStudy, CellsRunsOnTheCpu) {
  const std::vector<std::string> small{
      "study",  "cells", "--backend", "cpu",
      "--side", "160",   "--rungs",   "detect.plain,detect.openmp"};
  const Outcome text = run_tool(small);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "Detection, one frame")) << text.out;
  EXPECT_TRUE(has(text.out, "3.1x")) << text.out;
  std::vector<std::string> csv = small;
  csv.push_back("--csv");
  const Outcome rows = run_tool(csv);
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(has(rows.out, ",detect.plain,")) << rows.out;
  EXPECT_EQ(run_tool({"study", "cells", "--sizes", "3"}).code, 2);
  EXPECT_EQ(run_tool({"study", "cells", "--rungs", "detection"}).code, 2);
  EXPECT_EQ(run_tool({"study", "cells", "--side", "100"}).code, 2);
}

TEST(CliStudy, FaradayRunsOnTheCpu) {
  const std::vector<std::string> small{"study",  "faraday", "--backend", "cpu",
                                       "--side", "8",       "--rungs",   "cpu.naive,cpu.ours"};
  const Outcome text = run_tool(small);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "300 channels, 8x8, 401 depths")) << text.out;
  EXPECT_TRUE(has(text.out, "cpu.ours.direct.single")) << text.out;
  std::vector<std::string> csv = small;
  csv.push_back("--csv");
  const Outcome rows = run_tool(csv);
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(has(rows.out, ",cpu.naive.double,")) << rows.out;
  EXPECT_EQ(run_tool({"study", "faraday", "--sizes", "3"}).code, 2);
  EXPECT_EQ(run_tool({"study", "faraday", "--rungs", "tpu"}).code, 2);
  EXPECT_EQ(run_tool({"study", "faraday", "--side", "2000"}).code, 2);
}

TEST(CliStudy, XEngineRunsOnTheCpu) {
  const std::vector<std::string> small{"study",  "xengine", "--backend", "cpu",
                                       "--side", "8",       "--rungs",   "cpu.it,cpu.ours"};
  const Outcome text = run_tool(small);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "8 inputs, 64 channels, 1000 samples")) << text.out;
  EXPECT_TRUE(has(text.out, "cpu.ours.fma")) << text.out;
  std::vector<std::string> csv = small;
  csv.push_back("--csv");
  const Outcome rows = run_tool(csv);
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(has(rows.out, ",cpu.it,")) << rows.out;
  EXPECT_EQ(run_tool({"study", "xengine", "--sizes", "3"}).code, 2);
  EXPECT_EQ(run_tool({"study", "xengine", "--rungs", "tpu"}).code, 2);
  EXPECT_EQ(run_tool({"study", "xengine", "--side", "2000"}).code, 2);
}

TEST(CliStudy, RunsOnCuda) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const Outcome csv = run_tool(
      {"study", "convolve", "--sizes", "3,5", "--rungs", "1,3,10", "--side", "300", "--csv"});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_TRUE(has(csv.out, "\n3x3,1,")) << csv.out;
  const Outcome text =
      run_tool({"study", "convolve", "--sizes", "3", "--rungs", "1,3,4,fft", "--side", "300"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "The best rung is at most")) << text.out;
}

}  // namespace
}  // namespace tessera::testing
