// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "core/machine.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/temporary_folder.hpp"
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
                                             {"--search", "109"},
                                             {"--shared", "48M"},
                                             {"--shared", "0"},
                                             {"--registers", "0"},
                                             {"--blocks", "33"},
                                             {"--journal", "times.tsv"},
                                             {"--compile", "sm_90"},
                                             {"--sizes", "square"},
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
  const auto expect_refused = [](const std::vector<std::string>& more, const std::string& part) {
    std::vector<std::string> words{"study", "convolve"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  };
  expect_refused({"--rungs", "1"}, "its rungs need a GPU, and there is none");
  expect_refused({"--search", "110", "--sizes", "43", "--rungs", "8"},
                 "the search has 111 candidates");
}

TEST(CliStudy, ThreadsAreRungsAndBoundOnRequest) {
  const Outcome outcome = run_tool({"study", "noise", "--backend", "cpu", "--side", "48", "--rungs",
                                    "cpu.threads", "--threads", "1,3", "--pin"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"threads bound to one core each", "cpu.threads.1 ", "cpu.threads.3 "})
    EXPECT_TRUE(has(outcome.out, part)) << part << outcome.out;
  for (const char* wrong : {"0", "1,x", ""})
    EXPECT_EQ(run_tool({"study", "noise", "--threads", wrong}).code, 2) << wrong;
}

TEST(CliStudy, ImagesAreRefusedBeforeAnythingRuns) {
  const TemporaryFolder folder;
  const std::string text = folder.path("a.png");
  write_bytes(text, "no picture");
  expect_failure({"study", "enhance", "--image", text}, 3, "a.png");
  expect_failure({"study", "enhance", "--image", folder.path("none.png")}, 3, "none.png");
  expect_failure({"study", "noise", "--image", text}, 2, "--image");
}

TEST(CliStudy, PicturesAreDrawnFromRowsThatWereRecorded) {
  const TemporaryFolder folder;
  const std::string rows = folder.path("rows.csv"), picture = folder.path("a.svg");
  write_bytes(rows,
              "case,rung,ms\n500x500,scalar,20000\n500x500,simd.1,9000\n500x500,simd.2,4000\n"
              "500x500,shared.co.250x2,10\n500x500,row.co.texture.250x2,13\n"
              "500x500,row.co.texture.125x4,15\n");
  const Outcome drawn = run_tool({"study", "correlate", "--from", rows, "--picture", picture});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  const std::string figures = read_bytes(folder.path("a.tsv"));
  for (const char* line :
       {"Table 2: src and mask rows in shared memory\tshared.co.250x2\t\t10\t465.74\tFermi\n",
        "\ttexture\t125x4\t15\t\t\n", "\ttexture, Fermi\t250x2\t\t799.06\t\n",
        "\tsimd\t2\t4000\t\t\n", "\tsimd, Power7\t64\t\t650\t\n",
        "\tscalar\t\t20000\t37262\tX5680\n"})
    EXPECT_TRUE(has(figures, line)) << line << figures;
  EXPECT_TRUE(has(drawn.out, "a.tsv")) << drawn.out;
  expect_failure({"study", "correlate", "--from", rows, "--picture", picture}, 2, "a.");
  expect_failure({"study", "correlate", "--from", rows, "--picture", folder.path("a.gif")}, 2,
                 ".svg or .png");
  write_bytes(folder.path("empty.csv"), "case,rung,ms\n");
  expect_failure(
      {"study", "correlate", "--from", folder.path("empty.csv"), "--picture", folder.path("b.svg")},
      2, "nothing to draw");
  expect_failure({"study", "correlate", "--from", folder.path("none.csv")}, 3, "none.csv");
  expect_failure({"study", "correlate", "--from", rows, "--threads", "1,2"}, 2,
                 "nothing runs with --from");
  expect_failure({"study", "enhance", "--from", rows}, 3, "those of study correlate");
  // Names that no study has: left out of the pictures.
  write_bytes(folder.path("odd.csv"),
              "case,rung,ms,gflops\naxb,1,1,2\n99999999999x3,1,1,2\n3x3,cpu.loop.,1,2\n"
              "3x3,cpu.loop.99999999999,1,2\n3x3,1,1,2\n5x5,1,2,3\n7x7,1,3,4\n");
  EXPECT_EQ(run_tool({"study", "convolve", "--from", folder.path("odd.csv"), "--picture",
                      folder.path("odd.svg")})
                .code,
            0);
}

TEST(CliStudy, TheSearchIsDrawnAsSurfaces) {
  const TemporaryFolder folder;
  std::string journal = "# convolve search@1\tNVIDIA H200\t4096x4096\n";
  for (const char* line :
       {"8\t3x3\t16x8\t2\t0.1\t0.01\tverified\n", "8\t7x3\t16x8\t4\t0.2\t0.01\tverified\n"})
    journal += line;
  write_bytes(folder.path("journal.tsv"), journal);
  const Outcome drawn =
      run_tool({"study", "convolve", "--search", "110", "--rungs", "8", "--backend", "cpu",
                "--journal", folder.path("journal.tsv"), "--picture", folder.path("a.svg")});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  const std::string speeds = read_bytes(folder.path("a.tsv"));
  EXPECT_TRUE(has(speeds, "\n5\t3\t")) << "between two that were measured" << speeds;
  EXPECT_EQ(std::ranges::count(speeds, '\n'), 4) << speeds;
  EXPECT_TRUE(has(speeds, "\tno\n")) << speeds;
  EXPECT_EQ(read_bytes(folder.path("a-tiles.tsv")),
            "filter_width\tfilter_height\ttiles\tmeasured\n3\t3\t2\tyes\n7\t3\t4\tyes\n");
}

TEST(CliStudy, TheScoreCardIsMadeOfRecordedRuns) {
  const TemporaryFolder folder;
  write_bytes(folder.path("study-xengine.csv"),
              "case,rung,ms\nc,cpu.threads,12\nc,gpu.shared,2\nc,gpu.stream,3\n");
  const Outcome card = run_tool({"study", "--score-card", "--from", folder.path("")});
  EXPECT_EQ(card.code, 0) << card.err;
  for (const char* part : {"X-engine (talk, 2)", "resident GPU, with copies GPU", "nothing ran"})
    EXPECT_TRUE(has(card.out, part)) << card.out;
  expect_failure({"study", "--from", folder.path("")}, 2, "--score-card");
  expect_failure({"study", "--backend", "cpu"}, 2, "--score-card");
  expect_failure({"study", "--score-card", "--from", folder.path("none")}, 3, "study-NAME.csv");
}

/// A study at a small side on the CPU: as text, a rung of it as CSV, and the words it refuses.
struct SmallStudy {
  std::string name, side;
  std::vector<std::string> rungs;  ///< with their option; all if empty
  std::vector<std::string> parts;  ///< of the text
  std::string csv_rungs, csv_part;
  std::vector<std::vector<std::string>> refused;
};

class CliStudyOnCpu : public ::testing::TestWithParam<SmallStudy> {};

TEST_P(CliStudyOnCpu, RunsAndRefuses) {
  const SmallStudy& study = GetParam();
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"study", study.name, "--backend", "cpu", "--side", study.side});
    return run_tool(more);
  };
  const Outcome text = run(study.rungs);
  EXPECT_EQ(text.code, 0) << text.err;
  for (const std::string& part : study.parts) EXPECT_TRUE(has(text.out, part)) << text.out;
  const Outcome rows = run({"--rungs", study.csv_rungs, "--csv"});
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(has(rows.out, study.csv_part)) << rows.out;
  for (std::vector<std::string> words : study.refused) {
    words.insert(words.begin(), {"study", study.name});
    EXPECT_EQ(run_tool(words).code, 2) << words[2] << " " << words[3];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Studies, CliStudyOnCpu,
    ::testing::Values(SmallStudy{"correlate",
                                 "48",
                                 {},
                                 {"Tables 4 and 5", "there is nothing to match"},
                                 "scalar,simd.1",
                                 "\n48x48,scalar,",
                                 {{"--sizes", "3"}, {"--rungs", "rows"}, {"--search", "2"}}},
                      SmallStudy{"convolve",
                                 "40",
                                 {"--sizes", "3,17x5"},
                                 {"cpu.loop.1", "ours: separable", "the loop of figure 1a"},
                                 "cpu.loop.1,cpu.fft",
                                 "\n3x3,cpu.loop.1,",
                                 {{"--sizes", "3-"}, {"--rungs", "cpu.lop"}, {"--side", "0"}}},
                      SmallStudy{"cells",
                                 "160",
                                 {"--rungs", "detect.plain,detect.openmp"},
                                 {"Detection, one frame", "3.1 X9770 §4"},
                                 "detect.plain",
                                 ",detect.plain,",
                                 {{"--sizes", "3"}, {"--rungs", "detection"}, {"--side", "100"}}},
                      SmallStudy{"faraday",
                                 "8",
                                 {"--rungs", "cpu.naive,cpu.ours"},
                                 {"300 channels, 8x8, 401 depths", "cpu.ours.direct.single"},
                                 "cpu.naive",
                                 ",cpu.naive.double,",
                                 {{"--sizes", "3"}, {"--rungs", "tpu"}, {"--side", "2000"}}},
                      SmallStudy{"xengine",
                                 "8",
                                 {"--rungs", "cpu.it,cpu.ours"},
                                 {"8 inputs, 64 channels, 1000 samples", "cpu.ours.fma"},
                                 "cpu.it",
                                 ",cpu.it,",
                                 {{"--sizes", "3"}, {"--rungs", "tpu"}, {"--side", "2000"}}}),
    [](const auto& test) { return test.param.name; });

TEST(CliStudy, RunsOnCuda) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const Outcome csv = run_tool(
      {"study", "convolve", "--sizes", "3,5", "--rungs", "1,3,10", "--side", "300", "--csv"});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_TRUE(has(csv.out, "\n3x3,1,")) << csv.out;
  const Outcome text =
      run_tool({"study", "convolve", "--sizes", "3", "--rungs", "1,3,10,fft", "--side", "300"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "Ours are at most")) << text.out;
}

}  // namespace
}  // namespace tessera::testing
