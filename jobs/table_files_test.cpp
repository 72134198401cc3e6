// SPDX-License-Identifier: Apache-2.0
// Tables as CSV, TSV, VOTable and FITS: what is written is read back, and bad files are refused.
#include "jobs/table_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Table example() {
  Table table;
  table.columns = {
      {"name", "", "meta.id", "who", TableKind::text, {}, {"a,b", "tab\there", "\"q\""}},
      {"ra", "deg", "pos.eq.ra", "", TableKind::f64, {1.0 / 3, -2e-300, kNaN}, {}},
      {"flux", "Jy", "", "", TableKind::f32, {0.1F, 3, kNaN}, {}},
      {"count", "", "", "", TableKind::i32, {7, -3, kNaN}, {}},
      {"empty", "", "", "", TableKind::text, {}, {"", "x<y & z", ""}}};
  return table;
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TableFiles, EveryFormatGivesBackItsTable) {
  const testing::TemporaryFolder folder;
  const Table table = example();
  for (const char* name : {"t.csv", "t.tsv", "t.vot", "t.xml", "t.fits"}) {
    const std::string path = folder.path(name);
    write_table(path, table, false, {"made by a test"});
    const Table back = read_table(path, {});
    ASSERT_EQ(back.columns.size(), table.columns.size()) << name;
    ASSERT_EQ(back.rows(), 3) << name;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      EXPECT_EQ(back.columns[c].name, table.columns[c].name) << name;
      if (table.columns[c].kind == TableKind::text) {
        EXPECT_EQ(back.columns[c].texts, table.columns[c].texts) << name;
        continue;
      }
      for (std::size_t row = 0; row < 3; ++row) {
        const double a = back.columns[c].numbers[row], b = table.columns[c].numbers[row];
        if (std::isnan(b))
          EXPECT_TRUE(std::isnan(a)) << name << " " << c;
        else if (table.columns[c].kind == TableKind::f32)
          EXPECT_EQ(static_cast<float>(a), static_cast<float>(b)) << name;
        else
          EXPECT_EQ(a, b) << name;
      }
    }
    EXPECT_NE(refusal([&] { write_table(path, table, false, {}); }), "") << "it exists";
  }
  const Table fits = read_table(folder.path("t.fits"), {}),
              vot = read_table(folder.path("t.vot"), {});
  EXPECT_EQ(fits.columns[1].unit, "deg");
  EXPECT_EQ(vot.columns[1].unit, "deg");
  EXPECT_EQ(vot.columns[1].ucd, "pos.eq.ra");
  EXPECT_EQ(read_table(folder.path("t.fits[1]"), {}).rows(), 3);
}

TEST(TableFiles, TextsMayHaveQuotesCommentsAndOddLineEnds) {
  const Table table = table_of_text("t",
                                    "\xEF\xBB\xBF# made by hand\n ra , dec,name\r\n+1.5,-2, plain "
                                    "\r\n\n3,x,\"two\nlines \"\"q\"\"\"\r\n",
                                    ',');
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(table.columns[0].name, "ra");
  EXPECT_EQ(table.columns[0].numbers[0], 1.5);
  EXPECT_TRUE(std::isnan(table.columns[1].numbers[1]));
  EXPECT_EQ(table.columns[1].texts[1], "x");
  EXPECT_EQ(table.columns[2].texts[0], " plain ");
  EXPECT_EQ(table.columns[2].texts[1], "two\nlines \"q\"");
}

TEST(TableFiles, BadTextsAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal([] { table_of_text("t", "a,b\n1,2\n\n3\n", ','); }),
            "t, line 4: it has 1 cell, and the first line names 2 columns");
  EXPECT_NE(refusal([] { table_of_text("t", "a\n\"b\n", ','); }).find("does not end"),
            std::string::npos);
  EXPECT_NE(refusal([] { table_of_text("t", "# only a comment\n", ','); }).find("it is empty"),
            std::string::npos);
}

TEST(TableFiles, VotablesOfOthersAreReadAndBadOnesRefused) {
  const Table table = table_of_votable(
      "t",
      "<?xml version='1.0'?><v:VOTABLE xmlns:v='x'><v:RESOURCE><v:RESOURCE><v:TABLE>"
      "<v:FIELD name='ra' unit='deg' datatype='double'><v:VALUES/></v:FIELD><v:FIELD name='id' "
      "datatype='char' arraysize='*'/><v:DATA><v:TABLEDATA><v:TR><v:TD> 12.5 </v:TD><v:TD>A &amp; "
      "B</v:TD></v:TR></v:TABLEDATA></v:DATA></v:TABLE></v:RESOURCE></v:RESOURCE></v:VOTABLE>");
  ASSERT_EQ(table.rows(), 1);
  EXPECT_EQ(table.columns[0].numbers[0], 12.5);
  EXPECT_EQ(table.columns[1].texts[0], "A & B");
  const std::pair<const char*, const char*> bad[] = {
      {"<a", "it is not XML"},
      {"<a/>", "a VOTable begins with <VOTABLE>"},
      {"<VOTABLE/>", "it has no TABLE"},
      {"<VOTABLE><RESOURCE><TABLE><FIELD "
       "name='a'/><DATA><BINARY2/></DATA></TABLE></RESOURCE></VOTABLE>",
       "its rows are BINARY2; they must be elements"},
      {"<VOTABLE><RESOURCE><TABLE><FIELD "
       "name='a'/><DATA><TABLEDATA><TR/></TABLEDATA></DATA></TABLE>"
       "</RESOURCE></VOTABLE>",
       "row 1 has 0 cells instead of 1"},
      {"<VOTABLE><RESOURCE><TABLE><DATA><TABLEDATA><TR><TD/></TR></TABLEDATA></DATA></TABLE></"
       "RESOURCE>"
       "</VOTABLE>",
       "row 1 has more than its 0 cells"}};
  for (const auto& [text, wanted] : bad)
    EXPECT_NE(refusal([&, text = text] { table_of_votable("t", text); }).find(wanted),
              std::string::npos)
        << text;
}

TEST(TableFiles, DamagedFitsTablesAreRefused) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("t.fits");
  write_table(path, example(), false, {});
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = bytes;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    other.replace(at, to.size(), to);
    std::ofstream(path, std::ios::binary) << other;
    return refusal([&] { read_table(path, {}); });
  };
  EXPECT_NE(changed("XTENSION= 'BINTABLE'", "XTENSION= 'IMAGE   '").find("is a binary table"),
            std::string::npos);
  EXPECT_NE(changed("TFORM2  = '1D", "TFORM2  = '1Z").find("which FITS does not define"),
            std::string::npos);
  EXPECT_NE(changed("TFORM2  = '1D", "TFORM2  = '9D").find("its columns take"), std::string::npos);
  EXPECT_NE(changed("NAXIS2  =                    3", "NAXIS2  =               900000")
                .find("rows end after"),
            std::string::npos);
  EXPECT_NE(
      changed("NAXIS2  =                    3", "NAXIS2  =         900000000000").find("2 GiB"),
      std::string::npos);
  std::ofstream(path, std::ios::binary) << bytes.substr(0, 100);
  EXPECT_NE(refusal([&] { read_table(path, {}); }), "");
}

}  // namespace
}  // namespace tessera
