// SPDX-License-Identifier: Apache-2.0
#include "study/study_csv.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "tests/support/study_rows.hpp"

namespace tessera {
namespace {

using testing::expect_error;

TEST(StudyCsv, RowsComeBackAsTheyWerePrinted) {
  StudyResult result{.study = "noise"};
  result.rows = testing::timed_rows("64x64, \"so\"", {{"a.2", 9.5}, {"b", 1.0 / 3}});
  result.rows[0].threads = 2;
  result.rows[1].kernel_ms = 0.25;
  result.rows[1].title = "";
  result.rows.push_back({.case_name = "c", .rung = "d", .absent = "why, not"});
  const StudyResult read = parse_study_csv("noise", "a.csv", result.csv());
  EXPECT_EQ(read.csv(), result.csv());
  EXPECT_EQ(read.study, "noise");
  EXPECT_EQ(read.rows.at(0).case_name, "64x64, \"so\"");
  EXPECT_EQ(read.rows.at(0).threads, 2);
  EXPECT_FALSE(read.rows.at(0).kernel_ms);
  EXPECT_EQ(read.rows.at(2).absent, "why, not");
}

TEST(StudyCsv, OlderFilesHaveFewerColumns) {
  const StudyResult read = parse_study_csv("noise", "a.csv", "rung,ms\na,2\n\nb,\n");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].ms, 2);
  EXPECT_FALSE(read.rows[1].ms);
}

TEST(StudyCsv, OtherFilesAreRefusedWithTheLine) {
  const auto expect_refused = [](const char* text, const char* part) {
    expect_error([&] { parse_study_csv("noise", "a.csv", text); }, ErrorKind::input, part);
  };
  expect_refused("", "a.csv: it is empty");
  expect_refused("rung,ms,colour\n", "there is no column 'colour'");
  expect_refused("ms\n1\n", "its first line is not that of");
  expect_refused("rung,ms\na,1,2\n", "a.csv line 2: it has 3 cells; there are 2 columns");
  expect_refused("rung,ms\na,fast\n", "a.csv line 2, ms");
  expect_error([] { read_study_csv("noise", "/no/such/file.csv"); }, ErrorKind::input,
               "it cannot be read");
  expect_error([] { read_study_csv("noise", "/tmp"); }, ErrorKind::input, "it is a folder");
}

TEST(StudyCsv, SpreadsheetsMayHaveSavedIt) {
  const StudyResult read =
      parse_study_csv("noise", "a.csv", "\xEF\xBB\xBFrung,ms\r\na,1.5\r\n\r\nb,2\r\n");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].rung, "a");
  EXPECT_EQ(read.rows[0].ms, 1.5);
}

}  // namespace
}  // namespace tessera
