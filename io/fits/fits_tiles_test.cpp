// SPDX-License-Identifier: Apache-2.0
// Tables of tiles with false values: everything is refused before cfitsio sees it.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/fits/fits_tiles.hpp"
#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

/// A tiled image of 8 x 3 bytes in one row each, to be changed.
std::string tiled(Compression compression = Compression::rice) {
  const TemporaryFolder folder;
  const Image image = random_image({8, 3}, Type::u8, 1);
  write_image(folder.path("a.fits"), image.view(), {.compression = compression});
  return read_bytes(folder.path("a.fits"));
}

/// The file with one card's value changed.
std::string changed(const std::string& keyword, const std::string& value,
                    std::string bytes = tiled()) {
  const size_t place = bytes.find(fmt::format("{:<8}= ", keyword), 2880);
  EXPECT_NE(place, std::string::npos) << keyword;
  return bytes.replace(place, 80, card(keyword, value));
}

constexpr size_t kTable = 2 * 2880;  // where the descriptors begin

TEST(FitsTiles, RefusesTablesThatLie) {
  struct Case {
    std::string bytes, part;
  };
  std::string far = tiled(), negative = tiled(), many = tiled();
  far.replace(kTable + 4, 4, std::string("\0\0\x7f\xff", 4));
  negative.replace(kTable + 8, 4, std::string("\xff\xff\xff\xff", 4));
  many.replace(kTable, 4, std::string("\x7f\xff\xff\xff", 4));
  const Case cases[] = {
      {changed("ZCMPTYPE", "'BZIP2_1 '"), "its compression is 'BZIP2_1'; it can be RICE_1"},
      {changed("ZBITPIX", "12"), "its card ZBITPIX is 12"},
      {changed("ZNAXIS", "9"), "it has no card ZNAXIS3"},
      {changed("ZNAXIS1", "0"), "its width is 0"},
      {changed("ZNAXIS1", "-8"), "its card ZNAXIS1 is -8"},
      {changed("ZNAXIS1", "2000000"), "its width is 2000000"},
      {changed("ZNAXIS2", "4"), "in tiles of 8 x 1 has 4 tiles, its table 3 rows"},
      {changed("ZTILE1", "0"), "its card ZTILE1 is 0"},
      {changed("ZTILE1", "3"), "has 9 tiles, its table 3 rows"},
      {changed("NAXIS1", "9"), "its columns take 8 bytes per row and its NAXIS1 is 9"},
      {changed("NAXIS2", "4"), "has 3 tiles, its table 4 rows"},
      {changed("NAXIS2", "99999999999"), "its card NAXIS2 is 99999999999"},
      {changed("PCOUNT", "99999"), "its tiles need 100023 bytes after byte 5760"},
      {changed("PCOUNT", "9223372036854775807"), "its axes claim more than 2^63 bytes"},
      {changed("TFIELDS", "0"), "its card TFIELDS is 0"},
      {changed("TFIELDS", "2"), "its card TFORM2 is ''"},
      {changed("TFORM1", "'1QB     '"), "its columns take 16 bytes per row"},
      {changed("TFORM1", "'1PI     '"), "its column COMPRESSED_DATA is 1PI; RICE_1 needs 1PB"},
      {changed("TFORM1", "'8A      '"), "its column COMPRESSED_DATA is 8A"},
      {changed("TFORM1", "'9PB     '"), "its card TFORM1 is '9PB'"},
      {changed("TFORM1", "'1P?     '"), "its card TFORM1 is '1P?'"},
      {changed("TTYPE1", "'OTHER   '"), "it has no column COMPRESSED_DATA"},
      {changed("ZVAL1", "0"), "its card ZVAL1 is 0; it must be between 1 and 1024"},
      {changed("ZVAL2", "3"), "its ZVAL2 is 3 bytes per pixel; it can be 1, 2 or 4"},
      {far, "HDU 1: tile 0 has "},
      {negative, "HDU 1: tile 1 has -1 items"},
      {many, "HDU 1: tile 0 has 2147483647 items"},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    write_bytes(folder.path("a.fits"), c.bytes);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, c.part);
  }
}

TEST(FitsTiles, RefusesTilesThatTakeTooMuch) {
  const TemporaryFolder folder;
  std::string bytes = tiled(Compression::deflate);
  for (const auto& [keyword, value] : std::vector<std::pair<std::string, std::string>>{
           {"ZNAXIS1", "100000"}, {"ZNAXIS2", "100000"}, {"ZTILE1", "100000"}})
    bytes = changed(keyword, value, bytes);
  write_bytes(folder.path("a.fits"), changed("ZTILE2", "33334", bytes));
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
               "its tiles of 100000 x 33334 pixels are 3333400000 pixels side by side");
  write_bytes(folder.path("a.fits"), changed("ZTILE2", "1", changed("NAXIS2", "100000", bytes)));
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
               "see the option max-expansion");
}

TEST(FitsTiles, ChecksWhatDecodersBelieve) {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& method, const std::string& bytes, long long pixels) {
    write_bytes(folder.path("tile"), bytes);
    const File file = File::open_to_read(folder.path("tile"));
    long long needed = std::ssize(bytes);
    return check_tile(method, pixels, {file, 0, std::ssize(bytes)}, needed);
  };
  const std::string start("\xdd\x99\0\0\0\4\0\0\0\3", 10), rest(30, '\0');
  EXPECT_EQ(check("HCOMPRESS_1", start + rest, 12), "");
  EXPECT_EQ(check("HCOMPRESS_1", start + rest, 13), "claims 4 x 3 pixels; it has 13");
  EXPECT_EQ(check("HCOMPRESS_1", start, 12), "does not begin like HCOMPRESS");
  EXPECT_EQ(check("HCOMPRESS_1", start + std::string(12, '\0') + "\x7f" + rest, 12),
            "has 127 bit planes; it can have at most 63");
  EXPECT_EQ(check("PLIO_1", std::string("\0\0\0\7\xff\x9c\0\x08\0\0", 10) + rest, 9), "");
  EXPECT_EQ(check("PLIO_1", std::string("\0\0\0\7\xff\x9c\x7f\xff\0\0", 10) + rest, 9),
            "claims 32767 words; it has 20");
  EXPECT_EQ(check("PLIO_1", "short", 9), "has 5 bytes; PLIO needs at least 10");
}

// cfitsio would allocate memory without end for both.
TEST(FitsTiles, RefusesGzipTilesThatDoNotEndOrAreTooLong) {
  const TemporaryFolder folder;
  const std::string whole = tiled(Compression::deflate);
  const size_t heap = kTable + 24;
  std::string cut = whole, bomb = whole;
  cut[kTable + 3] = static_cast<char>(cut[kTable + 3] - 9);
  write_bytes(folder.path("a.fits"), cut);
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
               "tile 0 cannot be decoded: has damaged gzip data");
  const std::string zeros = gzip_bytes(std::string(1000, '\0'));
  bomb.replace(heap, zeros.size(), zeros);
  bomb.replace(kTable, 8,
               std::string("\0\0\0", 3) + static_cast<char>(zeros.size()) + std::string(4, '\0'));
  write_bytes(folder.path("a.fits"), bomb);
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
               "inflates to more than 32 bytes; 8 pixels of ZBITPIX 8 need 8 or 32");
}

// cfitsio would read past the decoded tile, or give back whatever its memory held.
TEST(FitsTiles, ComparesDecodedBytesWithZbitpix) {
  struct Case {
    std::string bytes, part;
  };
  const std::string gzip = tiled(Compression::deflate), rice = tiled();
  std::string empty = rice;
  empty.replace(kTable, 4, std::string(4, '\0'));  // its offset stays
  const Case cases[] = {
      {changed("ZBITPIX", "-32", gzip), "inflates to 8 bytes; 8 pixels of ZBITPIX -32 need 32"},
      {changed("ZBITPIX", "-64", gzip), "inflates to 8 bytes; 8 pixels of ZBITPIX -64 need 64"},
      {changed("ZBITPIX", "16", gzip), "inflates to 8 bytes; 8 pixels of ZBITPIX 16 need 16 or 32"},
      {changed("ZBITPIX", "32", gzip), "inflates to 8 bytes; 8 pixels of ZBITPIX 32 need 32"},
      {changed("ZBITPIX", "-32", rice),
       "holds integers of RICE_1 for ZBITPIX -32; this needs a column ZSCALE or ZZERO"},
      {changed("ZBITPIX", "16", rice), "its ZVAL2 is 1 byte per pixel; ZBITPIX 16 needs 2"},
      {empty, "tile 0 cannot be decoded: holds no data"},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    write_bytes(folder.path("a.fits"), c.bytes);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, c.part);
  }
}

// A tile that is not in COMPRESSED_DATA is in the first of two other columns that the table has.
TEST(FitsTiles, ComparesOtherColumnsWithZbitpix) {
  const TemporaryFolder folder;
  const auto table_of = [](int bitpix, const std::string& column, const std::string& form,
                           const std::string& tile, char count) {
    std::string rows(8, '\0');  // COMPRESSED_DATA is empty
    rows += std::string(3, '\0') + count + std::string(4, '\0');
    return fits_bytes(8, {}, {card("EXTEND", "T")}, "") +
           header_bytes({card("XTENSION", "'BINTABLE'"), card("BITPIX", "8"), card("NAXIS", "2"),
                         card("NAXIS1", "16"), card("NAXIS2", "1"),
                         card("PCOUNT", std::to_string(tile.size())), card("GCOUNT", "1"),
                         card("TFIELDS", "2"), card("TTYPE1", "'COMPRESSED_DATA'"),
                         card("TFORM1", "'1PB     '"), card("TTYPE2", column), card("TFORM2", form),
                         card("ZIMAGE", "T"), card("ZCMPTYPE", "'GZIP_1  '"),
                         card("ZBITPIX", std::to_string(bitpix)), card("ZNAXIS", "1"),
                         card("ZNAXIS1", "4"), card("ZTILE1", "4")}) +
           to_block(rows + tile, '\0');
  };
  const auto gzip_table = [&](int bitpix, std::size_t bytes) {
    const std::string tile = gzip_bytes(std::string(bytes, '\0'));
    return table_of(bitpix, "'GZIP_COMPRESSED_DATA'", "'1PB     '", tile,
                    static_cast<char>(tile.size()));
  };
  const auto plain_table = [&](char count) {
    return table_of(-32, "'UNCOMPRESSED_DATA'", "'1PE     '", std::string(16, '\0'), count);
  };
  const std::string path = folder.path("a.fits");
  for (const std::string& whole : {gzip_table(-32, 16), gzip_table(-64, 32), plain_table(4)}) {
    write_bytes(path, whole);
    const Image image = read_image(path);
    EXPECT_EQ(image.info().size, (Size{4, 1}));
  }
  const std::pair<std::string, std::string> wrong[] = {
      {gzip_table(-64, 16), "inflates to 16 bytes; 4 pixels of ZBITPIX -64 need 32"},
      {gzip_table(-32, 4), "inflates to 4 bytes; 4 pixels of ZBITPIX -32 need 16"},
      {plain_table(3), "holds 3 numbers; it has 4 pixels"},
      {plain_table(0), "holds 0 numbers; it has 4 pixels"}};
  for (const auto& [bytes, part] : wrong) {
    write_bytes(path, bytes);
    expect_error([&] { read_image(path); }, ErrorKind::input, part);
  }
}

TEST(FitsTiles, FillsOnlyTilesThatAreDamaged) {
  const TemporaryFolder folder;
  const Image image = random_image({50, 6}, Type::f32, 1);
  write_image(folder.path("a.fits"), image.view(), {.compression = Compression::deflate});
  std::string bytes = read_bytes(folder.path("a.fits"));
  const size_t table = bytes.find("END  ", 2880) / 2880 * 2880 + 2880;
  bytes.replace(table + 2 * 8, 4, std::string("\x7f\xff\xff\xff", 4));
  write_bytes(folder.path("a.fits"), bytes);
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, "HDU 1: tile 2 has");
  const auto source = open_image(folder.path("a.fits"), {.allow_truncated = true});
  Image read(image.info());
  source->read({0, 6}, read.view());
  EXPECT_EQ(source->warnings().size(), 1u);
  Image missing(ImageInfo{{50, 1}, Type::f32});
  fill_missing(missing.view());
  for (int y = 0; y < 6; ++y)
    EXPECT_TRUE(same_samples(read.view().rows(y, 1),
                             y == 2 ? AnyView(missing.view()) : AnyView(image.view().rows(y, 1))));
}

// Tiles whose data is noise give an image or an error message.
TEST(FitsTiles, SurvivesNoiseInTheHeap) {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  for (const Compression compression : {Compression::rice, Compression::deflate}) {
    const std::string whole = tiled(compression);
    for (int i = 0; i < (run_all() ? 2000 : 50); ++i) {
      std::string damaged = whole;
      for (int k = 0; k < 4; ++k)
        damaged[kTable + 24 + random() % 40] = static_cast<char>(random());
      write_bytes(folder.path("a.fits"), damaged);
      try {
        read_image(folder.path("a.fits"), {.allow_truncated = i % 2 == 0});
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      }
    }
  }
}

// Data whose end a tile's decoder would run past is noticed, not decoded into something.
TEST(FitsTiles, NoticesTilesThatAreCut) {
  const TemporaryFolder folder;
  for (const char* name : {"rice_1", "hcompress_1", "gzip_1", "gzip_2"}) {
    std::string bytes =
        read_bytes(TESSERA_SOURCE_DIR "/tests/seeds/fits/" + std::string(name) + ".fits");
    write_bytes(folder.path("a.fits"), bytes);
    EXPECT_NO_THROW(read_image(folder.path("a.fits"))) << name;
    const std::size_t header = bytes.find("END     ", 2880);
    const std::size_t table = (header / 2880 + 1) * 2880;
    ASSERT_LT(table + 4, bytes.size());
    bytes[table + 3] = static_cast<char>(bytes[table + 3] - 3);  // of the first tile's count
    write_bytes(folder.path("a.fits"), bytes);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
                 "tile 0 cannot be decoded");
  }
}

}  // namespace
}  // namespace tessera
