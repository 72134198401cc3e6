// SPDX-License-Identifier: Apache-2.0
#include "tune/table.hpp"

#include <gtest/gtest.h>

#include "tessera/error.hpp"
#include "tune/found_tables.hpp"
#include "tune/table_index.hpp"

namespace tessera {
namespace {

const char* kTable = R"(# a comment
h200 convolve.direct@1 in=f32 fw=7 fh=7 pixels=16777216 | block_x=64 rows=4 | gain=1.12 spread=.01
h200 convolve.direct@1 in=f32 fw=31 fh=31 pixels=16777216 | block_x=32 rows=8 | gain=1.3

h200 convolve.direct@2 in=f32 fw=7 fh=7 pixels=16777216 | block_x=1 rows=1 | gain=1
)";

ProblemKey key(double side, double pixels, const char* type = "f32") {
  return {{{"in", type}}, {{"fw", side}, {"fh", side}, {"pixels", pixels}}};
}

TEST(Table, ExactThenNearestThenNothing) {
  const auto lines = parse_table(kTable, "test");
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

TEST(Table, BadLinesAreNamed) {
  for (const char* bad : {"h200 convolve.direct@1 in=f32", "h200 convolve in=f32 | a=1 | x=1",
                          "h200 c@1 in=f32 fw | a=1 | x", "h200 c@1 in=f32 | a=1.5 | x",
                          "h200 c@1 in=f32 | a=big | x"}) {
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

TEST(Table, ShippedTablesCanBeRead) {
  for (const FoundTable& table : found_tables()) EXPECT_EQ(table.problem, "") << table.name;
}

}  // namespace
}  // namespace tessera
