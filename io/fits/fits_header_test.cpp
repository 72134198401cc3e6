// SPDX-License-Identifier: Apache-2.0
// The cards of a FITS header: kept, moved, dropped and added.
#include <fmt/chrono.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_header.hpp"
#include "io/fits/fits_sum.hpp"
#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using namespace testing;

using Cards = std::vector<std::string>;

TEST(FitsHeader, FindsValuesOfEveryKind) {
  const FitsHeader header(
      "a.fits: HDU 0",
      {card("N       = +12 / 'a' note"), card("X       = -1.5d3"), card("T       =  T"),
       card("S       = 'it''s / here ' / a quote"), card("EMPTY   ="), card("S2      = ''"),
       card("COMMENT N = 9"), card("OPEN    = 'no end"), card("HUGE    = 1E999")});
  EXPECT_EQ(header.integer("N"), 12);
  EXPECT_EQ(header.real("X"), -1500);
  EXPECT_TRUE(header.is_true("T"));
  EXPECT_EQ(header.text("S"), "it's / here");
  EXPECT_EQ(header.integer("EMPTY"), std::nullopt);
  EXPECT_EQ(header.text("S2"), "");
  EXPECT_EQ(header.text("OPEN"), "no end");
  EXPECT_FALSE(header.has("COMMENT"));
  expect_error([&] { header.integer("X"); }, ErrorKind::input, "its card X is -1.5d3");
  expect_error([&] { header.real("HUGE"); }, ErrorKind::input, "it must be a number");
  expect_error([&] { header.needed_integer("N", 0, 9); }, ErrorKind::input,
               "a.fits: HDU 0: its card N is 12; it must be between 0 and 9");
  expect_error([&] { header.needed_integer("M", 0, 9); }, ErrorKind::input, "no card M");
}

TEST(FitsHeader, KeepsWhatIsStillTrue) {
  const Cards kept{card("OBJECT  = 'M 31    '           / a galaxy"),
                   card(""),
                   card("COMMENT about it"),
                   card("HIERARCH ESO TEL = 'VLT'"),
                   card("LONG    = 'begins &'"),
                   card("CONTINUE  'and ends'"),
                   card("HISTORY made before"),
                   card("ZENITH  =                  1.5"),
                   card("TDATE   = 'today'"),
                   card("EXTNAME = 'SCI     '"),
                   card("CRVAL1  =                 12.5")};
  Cards given{card("SIMPLE", "T"),
              card("BITPIX", "16"),
              card("NAXIS", "2"),
              card("NAXIS1", "7"),
              card("ZTILE12", "7"),
              card("TFORM1", "'1PB'"),
              card("BZERO", "1"),
              card("BLANK", "3"),
              card("CHECKSUM", "'abc'"),
              card("CONTINUE  'of a sum'"),
              card("EXTNAME = 'COMPRESSED_IMAGE'"),
              card("bad key = 5"),
              card("ODD     = '\xe9'")};
  given.insert(given.end(), kept.begin(), kept.end());
  given.push_back(card(""));
  EXPECT_EQ(kept_fits_cards(given, {0, 4}), kept);
}

TEST(FitsHeader, MovesReferencePixels) {
  const Cards given{card("CRPIX1  =  10.5 / across"),
                    card("CRPIX2  = 1.0D1"),
                    card("CRPIX1C = 3"),
                    card("CRPIX3  = 4"),
                    card("CRPIX2X7= 5"),
                    card("CRPIX2  = 'odd'")};
  const Cards moved{card("CRPIX1  =                  0.5 / across"),
                    card("CRPIX2  =                -10.0"),
                    card("CRPIX1C =                 -7.0"),
                    given[3],
                    given[4],
                    given[5]};
  EXPECT_EQ(kept_fits_cards(given, {10, 20}), moved);
  EXPECT_EQ(kept_fits_cards(given, {}), given);
}

// Without CRPIX the reference is pixel 0 of the whole axis.
TEST(FitsHeader, AddsReferencePixelsThatAreLeftOut) {
  const Cards given{card("CTYPE1  = 'RA---SIN'"), card("CRVAL1  = 12.5"), card("CRVAL2  = 3"),
                    card("CRPIX2  = 1.0"),        card("CDELT3  = 5"),    card("CRVAL1A = 7"),
                    card("NAXIS3  = 4")};
  const Cards moved{given[0],
                    given[1],
                    given[2],
                    card("CRPIX2  =                -19.0"),
                    given[4],
                    given[5],
                    card("CRPIX1  =                -10.0"),
                    card("CRPIX3  =                 -2.0"),
                    card("CRPIX1A =                -10.0")};
  EXPECT_EQ(kept_fits_cards(given, {10, 20}, 2), moved);
  EXPECT_EQ(kept_fits_cards(given, {}), Cards(given.begin(), given.end() - 1));
}

TEST(FitsHeader, FoldsHistory) {
  EXPECT_EQ(fits_history({"short", std::string(75, 'x'), "", "K\xc3\xb6ln\t"}),
            (Cards{card("HISTORY short"), card("HISTORY " + std::string(70, 'x')),
                   card("HISTORY xxxxx"), card("HISTORY"), card("HISTORY K?ln?")}));
}

TEST(FitsHeader, GoesThroughAFile) {
  const TemporaryFolder folder;
  const Image image = random_image({6, 10}, Type::f32, 1);
  Cards given{card("OBJECT  = 'M 31    '"), card("CRPIX1  = 5.0")};
  for (int i = 0; i < 100; ++i) given.push_back(card(fmt::format("COMMENT {}", i)));
  for (const Compression compression : {Compression::none, Compression::deflate}) {
    WriteOptions options{.force = true, .compression = compression};
    options.header = given;
    options.history = {"made by a test"};
    options.origin = {2, 0};
    write_image(folder.path("a.fits"), image.view(), options);
    const Cards cards = open_image(folder.path("a.fits"))->header();
    Cards expected = given;
    expected[1] = card("CRPIX1  =                  3.0");
    expected.push_back(card("HISTORY made by a test"));
    EXPECT_NE(std::ranges::search(cards, expected).begin(), cards.end());
    EXPECT_EQ(std::ranges::count_if(
                  cards, [](const std::string& c) { return fits_keyword(c) == "CHECKSUM"; }),
              1);
  }
}

// The sum of all words of a file with correct checksums is -0: all bits set.
TEST(FitsHeader, SumsAreRight) {
  const TemporaryFolder folder;
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const int width : {1, 2, 3, 1023}) {
      const Image image = random_image({width, 7, 3, 2}, type, 1);
      write_image(folder.path("a.fits"), image.view(), {.force = true});
      const std::string bytes = read_bytes(folder.path("a.fits"));
      ASSERT_EQ(bytes.size() % 2880, 0u);
      FitsSum all, odd;
      all.add(0, bytes.data(), std::ssize(bytes));
      EXPECT_EQ(all.value(), 0xffffffff);
      for (long long at = 0; at < std::ssize(bytes); at += 7)
        odd.add(at, bytes.data() + at, std::min<long long>(7, std::ssize(bytes) - at));
      EXPECT_EQ(odd.value(), 0xffffffff);
      const FitsHeader header("", open_image(folder.path("a.fits"))->header());
      FitsSum data;
      data.add(0, bytes.data() + 2880, std::ssize(bytes) - 2880);
      EXPECT_EQ(header.text("DATASUM"), std::to_string(data.value()));
    }
}

// The library writes a date into the comments of the sums; a later run must give the same bytes.
TEST(FitsHeader, HasADateOnlyIfAskedFor) {
  const TemporaryFolder folder;
  const Image image = random_image({60, 40}, Type::u16, 1);
  const std::string today = fmt::format("{:%Y-%m-}", fmt::gmtime(std::time(nullptr)));
  for (const Compression compression : {Compression::none, Compression::deflate, Compression::rice})
    for (const bool stamp : {false, true}) {
      WriteOptions options{.force = true, .compression = compression, .stamp = stamp};
      options.history = {"made by a test"};
      write_image(folder.path("a.fits"), image.view(), options);
      const std::string bytes = read_bytes(folder.path("a.fits"));
      EXPECT_EQ(bytes.find(today) != std::string::npos, stamp) << name_of(compression);
      EXPECT_EQ(bytes.find("HISTORY made: " + today) != std::string::npos, stamp);
      FitsSum all;
      all.add(0, bytes.data(), std::ssize(bytes));
      EXPECT_EQ(all.value(), 0xffffffff) << name_of(compression) << stamp;
    }
}

}  // namespace
}  // namespace tessera
