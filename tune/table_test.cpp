// SPDX-License-Identifier: Apache-2.0
#include "tune/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "core/embedded.hpp"
#include "core/folder.hpp"
#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tune/found_tables.hpp"
#include "tune/sites.hpp"
#include "tune/table_file.hpp"
#include "tune/table_index.hpp"

namespace tessera {
namespace {

const char* kTableText = R"(# a comment
h200 convolve.direct@1 in=f32 fw=7 fh=7 pixels=16777216 | block_x=64 rows=4 | gain=1.12 spread=.01
h200 convolve.direct@1 in=f32 fw=31 fh=31 pixels=16777216 | block_x=32 rows=8 | gain=1.3

h200 convolve.direct@2 in=f32 fw=7 fh=7 pixels=16777216 | block_x=1 rows=1 | gain=1
)";

ProblemKey key(double side, double pixels, const char* type = "f32") {
  return {{{"in", type}}, {{"fw", side}, {"fh", side}, {"pixels", pixels}}};
}

TEST(Table, ExactThenNearestThenNothing) {
  const auto lines = parse_table(kTableText, "test");
  ASSERT_EQ(lines.size(), 3U);
  const TableIndex index(lines);
  const Knobs exact = index.nearest("h200", "convolve.direct@1", key(7, 16777216));
  EXPECT_EQ(exact.get("block_x", 0), 64);
  EXPECT_TRUE(exact.exact);
  const Knobs near = index.nearest("h200", "convolve.direct@1", key(21, 1000000));
  EXPECT_EQ(near.get("rows", 0), 8);
  EXPECT_FALSE(near.exact);
  EXPECT_TRUE(index.nearest("h100", "convolve.direct@1", key(7, 16777216)).empty());
  EXPECT_TRUE(index.nearest("h200", "convolve.direct@1", key(7, 16777216, "u8")).empty());
  EXPECT_EQ(index.nearest("h200", "convolve.direct@3", key(7, 1)).get("block_x", 32), 32);
}

// Knobs of neighbours do not make small work wait for a compiler.
TEST(Table, KnobsAreWorthCompilingForLargeOrExactProblems) {
  const TableIndex index(parse_table(kTableText, "test"));
  const Knobs exact = index.nearest("h200", "convolve.direct@1", key(7, 16777216)),
              near = index.nearest("h200", "convolve.direct@1", key(7, 1000));
  EXPECT_EQ(worth_compiling(exact, 10).get("block_x", 0), 64);
  EXPECT_TRUE(worth_compiling(near, 1000).empty());
  EXPECT_EQ(worth_compiling(near, 1 << 20).get("block_x", 0), 64);
}

TEST(Table, BadLinesAreNamed) {
  for (const char* bad : {"h200 convolve.direct@1 in=f32", "h200 convolve in=f32 | a=1 | x=1",
                          "h200 c@1 in=f32 fw | a=1 | x", "h200 c@1 in=f32 | a=1.5 | x",
                          "h200 c@1 in=f32 | a=big | x", "h200 c@1 in=f32 | a=99999999999 | x",
                          "h200 c@1 in=f32 | | x", "\x01\x02\x03"}) {
    try {
      parse_table(std::string("# fine\n") + bad + "\n", "mine.tsv");
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_EQ(std::string(error.what()).rfind("mine.tsv: line 2: ", 0), 0U) << error.what();
    }
  }
}

TEST(Table, MachineNames) {
  EXPECT_EQ(table_name("NVIDIA H200"), "h200");
  EXPECT_EQ(table_name("Neoverse-N1"), "neoverse-n1");
  EXPECT_EQ(table_name("Intel(R) Xeon(R) Platinum 8480C"), "intel-r-xeon-r-platinum-8480c");
}

TEST(Table, LaterLinesCount) {
  const TableIndex index(parse_table("m s@1 fw=3 | a=1 | x\nm s@1 fw=3 | a=2 | x\n", "test"));
  EXPECT_EQ(index.nearest("m", "s@1", {{}, {{"fw", 3}}}).get("a", 0), 2);
}

TEST(Table, LinesSurviveWritingAndReading) {
  const auto lines = parse_table(kTableText, "test");
  std::string text;
  for (const TuningLine& line : lines) text += line_text(line) + "\n";
  const auto again = parse_table(text, "again");
  ASSERT_EQ(again.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(line_text(again[i]), line_text(lines[i]));
    EXPECT_EQ(again[i].problem.numbers, lines[i].problem.numbers);
    EXPECT_EQ(again[i].knobs.values, lines[i].knobs.values);
  }
  EXPECT_EQ(again[0].measured, "gain=1.12 spread=.01");
}

TEST(Table, MergingReplacesTheSameProblemAndKeepsWhatWasMeasured) {
  const auto old = parse_table("m s@1 fw=3 | a=1 | ms=1\nm s@1 fw=5 | a=1 | measured=no\n", "old");
  const auto more = parse_table(
      "m s@1 fw=3 | a=2 | measured=no\nm s@1 fw=5 | a=2 | ms=1\nm s@2 fw=3 | a=3 | ms=1\n", "new");
  const auto all = merged(old, more);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].knobs.get("a", 0), 1);
  EXPECT_EQ(all[1].knobs.get("a", 0), 2);
  EXPECT_EQ(all[2].site, "s@2");
}

TEST(Table, FilesAreOldOrWhole) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("deep/er/m.tsv");
  EXPECT_TRUE(read_table(path).empty());
  const auto lines = parse_table(kTableText, "test");
  write_table(path, "NVIDIA H200, driver 13.0", lines);
  EXPECT_EQ(read_table(path).size(), lines.size());
  EXPECT_EQ(machine_text_of(path), "NVIDIA H200, driver 13.0");
  EXPECT_NE(testing::read_bytes(path).find("# convolve.direct@1 convolve.direct@2\n"),
            std::string::npos);
  EXPECT_EQ(names_in(folder.path("deep/er")).size(), 1U) << "a temporary file was left";
  EXPECT_THROW(write_table(folder.path("deep/er/m.tsv/x"), "", lines), Error);
}

TEST(Table, ForeignAndStaleLinesAreDropped) {
  add_sites({{"fit.site@2", {{"a", 1, 8}}}});
  const auto dropped = [](const char* text, std::size_t kept) {
    std::string problem;
    EXPECT_EQ(fitting_lines(parse_table(text, "t"), "t", {"here", "gpu"}, problem).size(), kept);
    return problem;
  };
  EXPECT_EQ(dropped("here fit.site@2 x=1 | a=1 | \ngpu fit.site@2 x=1 | a=8 | \n", 2), "");
  EXPECT_EQ(dropped("there fit.site@2 x=1 | a=1 | \n", 0),
            "1 of its 1 lines are made for there; this machine is here and gpu");
  EXPECT_EQ(dropped("here fit.site@2 x=1 | a=1 |\nhere fit.site@1 x=1 | b=1 |\n", 1),
            "1 of its 2 lines are made for fit.site@1; this version has fit.site@2");
  EXPECT_EQ(dropped("here gone@1 x=1 | b=1 |\n", 0),
            "1 of its 1 lines are made for gone@1; this version has no gone");
  std::string problem;
  for (const char* bad : {"here fit.site@2 x=1 | a=9 |", "here fit.site@2 x=1 | c=1 |"})
    EXPECT_THROW(fitting_lines(parse_table(bad, "t"), "t", {"here"}, problem), Error) << bad;
}

TEST(Table, ForcedKnobsComeFirst) {
  const ProblemKey problem{{}, {{"fw", 3}}};
  EXPECT_TRUE(find_knobs("fake.site@1", problem, "nowhere").empty());
  const ScopedKnobs outer("fake.site@1", {{{"a", 1}}});
  {
    const ScopedKnobs other("fake.other@1", {{{"a", 7}}});
    const ScopedKnobs inner("fake.site@1", {{{"a", 2}}});
    EXPECT_EQ(find_knobs("fake.site@1", problem, "nowhere").get("a", 0), 2);
    std::thread([&] { EXPECT_TRUE(find_knobs("fake.site@1", problem, "nowhere").empty()); }).join();
  }
  EXPECT_EQ(find_knobs("fake.site@1", problem, "nowhere").get("a", 0), 1);
  EXPECT_TRUE(find_knobs("fake.other@1", problem, "nowhere").empty());
}

// 441 sizes by eight methods.
TEST(Table, InterpolatesInThousandsOfLines) {
  std::string text;
  for (int method = 0; method < 8; ++method)
    for (int fw = 3; fw <= 43; fw += 2)
      for (int fh = 3; fh <= 43; fh += 2)
        text += fmt::format(
            "neoverse-n1 convolve.time@1 backend=cpu in=f32 method=m{} fh={} fw={} | fs={} | "
            "spread=0.01 ms=1.234 date=2026-01-31 version=0.1.0\n",
            method, fh, fw, 1000 * fw * fh);
  TableIndex index;
  each_line(text, "test", [&](TuningLine&& line) { index.add(line); });
  const ProblemKey at{{{"backend", "cpu"}, {"in", "f32"}, {"method", "m3"}},
                      {{"fw", 6}, {"fh", 8}}};
  EXPECT_NEAR(*index.interpolated("neoverse-n1", "convolve.time@1", at, "fs"), 48000, 480);
}

TEST(Table, ShippedTablesCanBeRead) {
  for (const EmbeddedText& table : embedded_tuning_tables())
    for (const TuningLine& line : parse_table(table.text, std::string(table.name)))
      EXPECT_EQ(line.machine, table.name) << line_text(line);
}

}  // namespace
}  // namespace tessera
