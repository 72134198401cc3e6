// SPDX-License-Identifier: Apache-2.0
// Tables of beams behind a cube, HDUs by their names, and damaged versions of both.
#include "io/fits/fits_beams.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "io/formats.hpp"
#include "io/hdu_name.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

std::string big_bytes(std::uint64_t bits, int count) {
  std::string bytes;
  for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(bits >> (8 * i) & 0xff);
  return bytes;
}
std::string float_bytes(float value) { return big_bytes(std::bit_cast<std::uint32_t>(value), 4); }
std::string double_bytes(double value) { return big_bytes(std::bit_cast<std::uint64_t>(value), 8); }

/// An image of two planes, then a table of two rows: BMAJ in arcsec, BMIN in arcmin, a text, BPA in
/// degrees, CHAN.
std::string cube_bytes(const std::vector<std::string>& change = {}, int rows = 2) {
  std::string data;
  for (int i = 0; i < 8; ++i) data += float_bytes(static_cast<float>(i));
  std::string table;
  for (int n = 1; n >= 0; --n)  // not in the order of channels
    table += double_bytes(36.0 + 36 * n) + float_bytes(0.3F) + "abc" +
             float_bytes(10.0F * static_cast<float>(n)) +
             big_bytes(static_cast<std::uint64_t>(n), 4);
  std::vector<std::string> cards{card("XTENSION= 'BINTABLE'"),
                                 card("BITPIX", "8"),
                                 card("NAXIS", "2"),
                                 card("NAXIS1", "23"),
                                 card("NAXIS2", std::to_string(rows)),
                                 card("PCOUNT", "0"),
                                 card("GCOUNT", "1"),
                                 card("TFIELDS", "5"),
                                 card("TTYPE1  = 'BMAJ'"),
                                 card("TFORM1  = '1D'"),
                                 card("TUNIT1  = 'arcsec'"),
                                 card("TTYPE2  = 'BMIN'"),
                                 card("TFORM2  = 'E'"),
                                 card("TUNIT2  = 'arcmin'"),
                                 card("TTYPE3  = 'NAME'"),
                                 card("TFORM3  = '3A'"),
                                 card("TTYPE4  = 'BPA'"),
                                 card("TFORM4  = '1E'"),
                                 card("TUNIT4  = 'deg'"),
                                 card("TTYPE5  = 'CHAN'"),
                                 card("TFORM5  = '1J'"),
                                 card("EXTNAME = 'BEAMS'")};
  for (const std::string& each : change)
    for (std::string& old : cards)
      if (old.substr(0, 8) == each.substr(0, 8)) old = each;
  return fits_bytes(-32, {2, 2, 2}, {card("CASAMBM", "T")}, data) + header_bytes(cards) +
         to_block(table, '\0');
}

class FitsBeams : public ::testing::Test {
 protected:
  BeamTable beams(const std::string& bytes) {
    write_bytes(path_, bytes);
    return open_image(path_)->beams();
  }
  TemporaryFolder folder_;
  std::string path_ = folder_.path("cube.fits");
};

TEST_F(FitsBeams, AreReadInDegrees) {
  const BeamTable table = beams(cube_bytes());
  EXPECT_EQ(table.wrong, "");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].channel, 1);
  EXPECT_DOUBLE_EQ(table.rows[0].major, 0.02);
  EXPECT_DOUBLE_EQ(table.rows[1].major, 0.01);
  EXPECT_FLOAT_EQ(static_cast<float>(table.rows[1].minor), 0.005F);
  EXPECT_DOUBLE_EQ(table.rows[0].angle, 10);
  EXPECT_EQ(beams(gzip_bytes(cube_bytes())).rows.size(), 2U);
}

TEST_F(FitsBeams, ABadTableIsASentenceAndTheImageIsReadAllTheSame) {
  const std::string whole = cube_bytes();
  const std::string no_table = whole.substr(0, 2 * 2880);
  EXPECT_NE(beams(no_table).wrong.find("has no such table"), std::string::npos);
  EXPECT_EQ(read_image(path_).info().size.planes, 2);
  const std::pair<const char*, const char*> cases[] = {
      {"TTYPE1  = 'MAJOR'", "lacks one of the columns"},
      {"TUNIT1  = 'parsec'", "is in 'parsec'"},
      {"TFORM1  = '2D'", "must be one number"},
      {"TFORM1  = '8A'", "must be one number"},
      {"TFIELDS =                   -1", "TFIELDS"},
      {"NAXIS2  =                 9999", "its 9999 beams end after"}};
  for (const auto& [change, words] : cases) {
    const BeamTable table = beams(cube_bytes({card(change)}));
    EXPECT_NE(table.wrong.find(words), std::string::npos) << change << ": " << table.wrong;
    EXPECT_TRUE(table.rows.empty()) << change;
  }
  EXPECT_EQ(beams(cube_bytes({card("EXTNAME = 'OTHER'")})).rows.size(), 0U);
}

TEST_F(FitsBeams, AnyCutIsSurvived) {
  const std::string whole = cube_bytes();
  for (std::size_t bytes = 2 * 2880; bytes < whole.size(); bytes += 97)
    EXPECT_FALSE(beams(whole.substr(0, bytes)).rows.size() > 2) << bytes;
}

TEST_F(FitsBeams, AnHduIsFoundByItsName) {
  const auto hdu = [](const std::string& name, const std::string& version, float value) {
    std::vector<std::string> cards{card("XTENSION= 'IMAGE'"), card("BITPIX", "-32"),
                                   card("NAXIS", "2"),        card("NAXIS1", "1"),
                                   card("NAXIS2", "1"),       card("PCOUNT", "0"),
                                   card("GCOUNT", "1"),       card("EXTNAME = '" + name + "'"),
                                   card("EXTVER", version)};
    return header_bytes(cards) + to_block(float_bytes(value), '\0');
  };
  write_bytes(path_, fits_bytes(8, {}, {}, "") + hdu("SCI", "1", 1) + hdu("SCI", "2", 2) +
                         hdu("ERR", "1", 3));
  const auto value = [&](const std::string& name) {
    return testing::short_view(read_image(path_ + "[" + name + "]")).as<const float>().at(0, 0);
  };
  EXPECT_EQ(value("SCI"), 1);
  EXPECT_EQ(value("SCI,2"), 2);
  EXPECT_EQ(value("ERR"), 3);
  EXPECT_EQ(value("2"), 2);
  expect_error([&] { value("DQ"); }, ErrorKind::input, "there are SCI, SCI, ERR");
  expect_error([&] { value("0"); }, ErrorKind::input, "holds no image");
  expect_error([&] { read_image(path_ + "[SCI]", {.page = 1}); }, ErrorKind::usage,
               "give one of them");
  // A file of that very name comes first.
  write_bytes(path_ + "[SCI]", read_bytes(path_));
  EXPECT_EQ(split_hdu(path_ + "[SCI]").hdu, "");
  EXPECT_EQ(split_hdu(path_ + "[ERR]").hdu, "ERR");
  EXPECT_EQ(split_hdu(folder_.path("none.fits[ERR]")).hdu, "");
  EXPECT_EQ(split_hdu("[]").hdu, "");
}

}  // namespace
}  // namespace tessera::testing
