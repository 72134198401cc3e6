// SPDX-License-Identifier: Apache-2.0
// FITS files with false headers, and files that end early or never.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

std::string with_cards(const std::vector<std::string>& cards) {
  return header_bytes(cards) + std::string(2880, '\1');
}

TEST(FitsBad, RefusesMalformedFilesWithASentence) {
  struct Case {
    std::string bytes, part;
  };
  const std::string simple = card("SIMPLE", "T"), byte = card("BITPIX", "8");
  const auto image = [](const std::vector<long long>& axes) {
    return fits_bytes(8, axes, {}, std::string(64, '\1'));
  };
  const Case cases[] = {
      {"", "it does not begin like a FITS file, with 'SIMPLE  ='"},
      {"SIMPLE  =", "HDU 0: its header ends at byte 9 without an END card"},
      {"not a FITS file at all", "does not begin like a FITS file"},
      {gzip_bytes("not a FITS file"), "the data in its gzip does not begin like a FITS file"},
      {std::string("\x1f\x8b\x08\x00garbage", 11), "its gzip data"},
      {std::string("\x1f\x8b", 2), "its gzip data ends early, at byte 2"},
      {simple + byte, "its header ends at byte 160 without an END card"},
      {with_cards({card("SIMPLE", "F"), byte, card("NAXIS", "0")}), "its card SIMPLE is 'F'"},
      {with_cards({simple, byte}), "HDU 0: it has no card NAXIS"},
      {with_cards({simple, byte, card("NAXIS", "1")}), "it has no card NAXIS1"},
      {with_cards({simple, card("NAXIS", "1"), card("NAXIS1", "1")}), "it has no card BITPIX"},
      {with_cards({simple, byte, card("NAXIS", "1000")}), "its card NAXIS is 1000"},
      {with_cards({simple, byte, card("NAXIS", "-1")}), "its card NAXIS is -1"},
      {with_cards({simple, byte, card("NAXIS", "two")}),
       "its card NAXIS is two; it must be a whole"},
      {with_cards({simple, byte, card("NAXIS", "1"), card("NAXIS1", "99999999999999999999")}),
       "its card NAXIS1 is 99999999999999999999"},
      {image({}), "none of its 1 HDUs has an image"},
      {image({0, 5}), "none of its 1 HDUs has an image"},
      {image({-5}), "its card NAXIS1 is -5; it must be between 0"},
      {image({5, -1}), "its card NAXIS2 is -1"},
      {image({1048577, 1}), "its width is 1048577; the limit is 1048576"},
      {image({1, 1048577}), "its height is 1048577"},
      {image({1, 1, 65537}), "it has 65537 pages"},
      {image({1, 1, 1LL << 40, 1LL << 40}), "more than 2^63 planes"},
      {image({9223372036854775807, 9223372036854775807}), "its width is 9223372036854775807"},
      {image({1, 1, 1, 1, 2}), "its axes are 1 x 1 x 1 x 1 x 2; only the first 4"},
      {image({5000, 5000}),
       "its 5000x5000 pixels in 1 plane need 25000000 bytes after byte 2880; "
       "there are 2880"},
      {fits_bytes(12, {2}, {}, "ab"),
       "its card BITPIX is 12; it must be 8, 16, 32, 64, -32 or -64"},
      {fits_bytes(8, {2}, {card("BSCALE", "'x'")}, "ab"), "its card BSCALE is 'x'; it must be a"},
      {fits_bytes(8, {2}, {card("BLANK", "1.5")}, "ab"), "its card BLANK is 1.5"},
      {fits_bytes(8, {2}, {card("PCOUNT", "3")}, "ab"), "its PCOUNT is 3 and its GCOUNT 1"},
      {fits_bytes(8, {0, 2}, {card("GROUPS", "T"), card("PCOUNT", "9223372036854775807")}, "ab"),
       "its axes claim more than 2^63 bytes"},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    write_bytes(folder.path("a.fits"), c.bytes);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, c.part);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, "a.fits: ");
  }
}

TEST(FitsBad, CountsCardsAndHdus) {
  const TemporaryFolder folder;
  std::string endless = card("SIMPLE", "T");
  while (endless.size() < (1 << 20)) endless += card("COMMENT and on it goes");
  for (const std::string& bytes : {endless, gzip_bytes(endless)}) {
    write_bytes(folder.path("a.fits"), bytes);
    expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
                 "tags; the limit is 4096, see the option max-tags");
  }
  std::string many = fits_bytes(8, {}, {}, "");
  for (int i = 0; i < 20; ++i)
    many += header_bytes({card("XTENSION", "'IMAGE   '"), card("BITPIX", "8"), card("NAXIS", "0")});
  write_bytes(folder.path("a.fits"), many);
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, "none of its 21 HDUs");
  expect_error([&] { read_image(folder.path("a.fits"), {.limits = {.pages = 10}}); },
               ErrorKind::input, "it has 11 pages; the limit is 10");
}

TEST(FitsBad, RefusesProductsThatNoNumberHolds) {
  const TemporaryFolder folder;
  const long long most = 0x7fffffff;
  write_bytes(folder.path("a.fits"), fits_bytes(-64, {most, most, most}, {}, ""));
  expect_error(
      [&] { read_image(folder.path("a.fits"), {.limits = {.side = most, .pages = most}}); },
      ErrorKind::input, "more than 2^63 bytes");
}

TEST(FitsBad, RefusesGzipBombsAtOnce) {
  const TemporaryFolder folder;
  const std::string zeros(32 << 20, '\0');
  // Claims 16 GiB but has 32 MiB of zeros in a few kB.
  write_bytes(folder.path("a.fits.gz"),
              gzip_bytes(fits_bytes(8, {1 << 17, 1 << 17}, {}, "") + zeros));
  const auto begin = std::chrono::steady_clock::now();
  expect_error([&] { read_image(folder.path("a.fits.gz")); }, ErrorKind::input,
               "see the option max-expansion");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  // The image is after a table of that size.
  write_bytes(folder.path("b.fits.gz"),
              gzip_bytes(fits_bytes(8, {0, 1 << 17, 1 << 17}, {card("GROUPS", "T")}, "") + zeros));
  expect_error([&] { read_image(folder.path("b.fits.gz")); }, ErrorKind::input,
               "see the option max-expansion");
  // Claims little: the rest is never inflated.
  write_bytes(folder.path("c.fits.gz"), gzip_bytes(fits_bytes(8, {3, 2}, {}, "abcdef") + zeros));
  EXPECT_EQ(read_image(folder.path("c.fits.gz")).info().size, (Size{3, 2}));
}

TEST(FitsBad, RefusesCardsThatContradictEachOther) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.fits"), fits_bytes(8, {3, 2}, {card("NAXIS1", "3")}, "abcdef"));
  EXPECT_EQ(read_image(folder.path("a.fits")).info().size, (Size{3, 2}));
  write_bytes(folder.path("a.fits"), fits_bytes(8, {3, 2}, {card("NAXIS1", "2")}, "abcdef"));
  expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input,
               "its card NAXIS1 is 3, and again 2");
}

TEST(FitsBad, WarnsOfHeadersThatFitsDoesNotAllow) {
  const TemporaryFolder folder;
  const std::string whole = fits_bytes(8, {3, 2}, {}, "abcdef");
  const auto warnings_of = [&](std::size_t place, char byte) {
    std::string bytes = whole;
    bytes[place] = byte;
    write_bytes(folder.path("a.fits"), bytes);
    EXPECT_EQ(read_image(folder.path("a.fits")).info().size, (Size{3, 2}));
    return open_image(folder.path("a.fits"))->warnings();
  };
  const std::size_t end = whole.find("END     ");
  EXPECT_TRUE(warnings_of(end + 100, ' ').empty());
  for (const char byte : {'\0', '\t', '\x7f', '\xee'}) {
    const auto warnings = warnings_of(end + 100, byte);
    ASSERT_EQ(warnings.size(), 1u);
    const std::string place = "byte " + std::to_string(end + 100) + " of the file is 0x";
    EXPECT_NE(warnings[0].find(place), std::string::npos) << warnings[0];
  }
  const auto warnings = warnings_of(end + 79, '=');
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("text follows its END"), std::string::npos) << warnings[0];
}

TEST(FitsBad, FillsWhatIsMissingWhenAllowed) {
  const TemporaryFolder folder;
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Compression compression : {Compression::none, Compression::deflate}) {
      const Image image = random_image({600, 20}, type, 1);
      write_image(folder.path("a.fits"), image.view(), {.force = true, .compression = compression});
      const auto bytes = std::filesystem::file_size(folder.path("a.fits"));
      std::filesystem::resize_file(folder.path("a.fits"), bytes * 3 / 4);
      expect_error([&] { read_image(folder.path("a.fits")); }, ErrorKind::input, "there are ");
      const auto source = open_image(folder.path("a.fits"), {.allow_truncated = true});
      Image read(image.info());
      source->read({0, 20}, read.view());
      ASSERT_EQ(source->warnings().size(), 1u);
      EXPECT_TRUE(same_samples(image.view().rows(0, 5), read.view().rows(0, 5)));
      Image missing(ImageInfo{{600, 1}, type});
      fill_missing(missing.view());
      EXPECT_TRUE(same_samples(missing.view(), read.view().rows(19, 1)));
    }
}

TEST(FitsBad, FillsWhatGzipLost) {
  const TemporaryFolder folder;
  const Image image = random_image({100, 100}, Type::f32, 1);
  write_image(folder.path("a.fits"), image.view());
  const std::string packed = gzip_bytes(read_bytes(folder.path("a.fits")));
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
  for (const std::string& bytes : {packed.substr(0, packed.size() / 2), damaged}) {
    write_bytes(folder.path("a.fits.gz"), bytes);
    try {
      const auto source = open_image(folder.path("a.fits.gz"), {.allow_truncated = true});
      Image read(image.info());
      source->read({0, 100}, read.view());
      EXPECT_TRUE(same_samples(image.view().rows(0, 10), read.view().rows(0, 10)));
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  write_bytes(folder.path("a.fits.gz"), packed.substr(0, packed.size() / 2));
  expect_error([&] { read_image(folder.path("a.fits.gz")); }, ErrorKind::input,
               "its gzip data ends early");
}

// Any damage to a file gives an image or an error message.
void read_damaged(const std::string& path, const std::string& bytes) {
  write_bytes(path, bytes);
  for (const bool allow : {false, true}) {
    try {
      read_image(path, {.allow_truncated = allow, .limits = {.pixels = 1 << 14}});
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::input || error.kind() == ErrorKind::resources)
          << error.what();
    }
  }
}

std::vector<std::string> small_files() {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  const Image bytes = random_image({40, 6, 1, 2}, Type::u16, 1);
  for (const Compression compression :
       {Compression::none, Compression::rice, Compression::deflate}) {
    write_image(folder.path("a.fits"), bytes.view(), {.force = true, .compression = compression});
    files.push_back(read_bytes(folder.path("a.fits")));
  }
  return files;
}

TEST(FitsBad, SurvivesEveryTruncation) {
  const TemporaryFolder folder;
  for (const std::string& whole : small_files()) {
    for (size_t length = 0; length < whole.size(); length += 97)
      read_damaged(folder.path("a.fits"), whole.substr(0, length));
    const std::string packed = gzip_bytes(whole);
    for (size_t length = 0; length < packed.size(); length += 97)
      read_damaged(folder.path("a.fits"), packed.substr(0, length));
  }
}

TEST(FitsBad, SurvivesEveryChangedByte) {
  const TemporaryFolder folder;
  const size_t step = run_all() ? 1 : 193;
  for (const std::string& whole : small_files())
    for (size_t i = 0; i < whole.size(); i += step)
      for (const char byte : {'\0', '9', '-', '\xff'}) {
        std::string changed = whole;
        changed[i] = byte;
        read_damaged(folder.path("a.fits"), changed);
      }
}

}  // namespace
}  // namespace tessera
