// SPDX-License-Identifier: Apache-2.0
// Damage of which libtiff only warns, and pages that are left out: never silent.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tiff_bytes.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

const std::string kTiffFound = TESSERA_SOURCE_DIR "/tests/found/tiff/";

/// All samples, and what the file's reader had to say.
struct Told {
  Image image;
  std::vector<std::string> warnings;
};

Told read_told(const std::string& path, const ReadOptions& options = {}) {
  const auto source = open_image(path, options);
  Told told{Image(source->info()), {}};
  source->read({0, source->info().size.height}, told.image.view());
  told.warnings = source->warnings();
  return told;
}

class TiffWarned : public FormatTest {
 protected:
  TiffWarned() : FormatTest("TIFF") {}
  std::string path(const TiffTestPage& page) const {
    write_bytes(folder_.path("a.tif"), tiff_bytes({page}));
    return folder_.path("a.tif");
  }
  TiffTestPage jpeg_page(const std::string& jpeg, int width, int height) const {
    TiffTestPage page = grey_page(width, height, 8, jpeg);
    page.tags[259] = {7};
    return page;
  }
};

void expect_damage(const std::string& path, const std::string& part) {
  expect_error([&] { read_told(path); }, ErrorKind::input, part);
  const std::vector<std::string> warnings = read_told(path, {.allow_truncated = true}).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(has(warnings[0], part)) << warnings[0];
}

TEST_F(TiffWarned, FilesThatWereFound) {
  expect_damage(kTiffFound + "warned_jt", "is damaged: Corrupt JPEG data");
  expect_damage(kTiffFound + "diff_1_3232_bit_g4", "strip 0 (rows 0 to 19) is damaged: ");
}

TEST_F(TiffWarned, RunsThatAreTooLong) {
  TiffTestPage page = grey_page(4, 4, 8,
                                "\xf1"
                                "a");
  page.tags[259] = {32773};
  EXPECT_EQ(sum_of(testing::short_view(read_told(path(page)).image)), 16 * 'a');
  page.blocks = {
      "\xed"
      "a"};
  expect_damage(path(page), "is damaged: Discarding ");
}

// Whatever the reader of JPEG files notices, a strip or tile of the same bytes is damaged by.
TEST_F(TiffWarned, JpegDataIsReadAsStrictlyAsFiles) {
  if (!can_write(".jpg")) GTEST_SKIP() << "this build has no library for JPEG";
  write_image(folder_.path("a.jpg"), testing::short_view(random_image({64, 48}, Type::u8, 5)));
  const std::string whole = read_bytes(folder_.path("a.jpg"));
  EXPECT_TRUE(read_told(path(jpeg_page(whole, 64, 48))).warnings.empty());
  const std::size_t first = whole.find("\xff\xda") + 12;
  int noticed = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    std::string changed = whole;
    changed[first + i * (whole.size() - first - 2) / 64] ^= 0x55;
    write_bytes(folder_.path("b.jpg"), changed);
    bool silent = true;
    try {
      silent = read_told(folder_.path("b.jpg")).warnings.empty();
    } catch (const Error&) {
      silent = false;
    }
    noticed += !silent;
    TiffTestPage page = jpeg_page(changed, 64, 48);
    for (const bool tiled : {false, true}) {
      if (tiled) page.tags[322] = {64}, page.tags[323] = {48}, page.tags.erase(278);
      if (!silent) expect_damage(path(page), "is damaged: ");
    }
  }
  EXPECT_GT(noticed, 48);
}

// The last strip may have been encoded with the height of the others, and early writers of LZW
// stored bits in reverse: nothing is lost. Tags of microscopes are unknown to libtiff.
TEST_F(TiffWarned, OddButRightFilesAreReadWithoutAWord) {
  if (can_write(".jpg")) {
    const Image image = random_image({16, 16}, Type::u8, 5);
    write_image(folder_.path("a.jpg"), image.view());
    const Told whole = read_told(folder_.path("a.jpg"));
    const Told upper = read_told(path(jpeg_page(read_bytes(folder_.path("a.jpg")), 16, 8)));
    EXPECT_TRUE(upper.warnings.empty());
    EXPECT_TRUE(same_samples(whole.image.view().rows(0, 8), upper.image.view()));
  }
  std::string codes;
  int bits = 0;
  const auto add = [&](int code) {
    for (int i = 0; i < 9; ++i, ++bits) {
      if (bits % 8 == 0) codes += '\0';
      codes.back() = static_cast<char>(codes.back() | (code >> i & 1) << bits % 8);
    }
  };
  add(256);
  for (int i = 0; i < 16; ++i) add('a' + i);
  add(257);
  TiffTestPage page = grey_page(4, 4, 8, codes);
  page.tags[259] = {5};
  for (const int tag : {33628, 34362, 50838, 65000}) page.tags[tag] = {1, 2, 3};
  const Told told = read_told(path(page));
  EXPECT_TRUE(told.warnings.empty());
  EXPECT_EQ(sum_of(told.image.view()), 16 * 'a' + 120);
}

TEST_F(TiffWarned, PagesLeftOutAreNamed) {
  const std::vector<std::string> warnings = open_image(kTiffFound + "diff_1_284_pages")->warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(has(warnings[0],
                  "diff_1_284_pages: 2 of its 5 pages are read; left out: page 2 (its colours "
                  "are number 32768"))
      << warnings[0];
  EXPECT_TRUE(open_image(kTiffFound + "diff_1_284_pages", {.page = 1})->warnings().empty());
}

// Smaller versions of the same image are not missed, unless a page comes after them.
TEST_F(TiffWarned, OtherVersionsAreNotMissed) {
  const TiffTestPage page = grey_page(4, 4, 8, std::string(16, 'a'));
  TiffTestPage smaller = grey_page(2, 2, 8, "aaaa");
  smaller.tags[254] = {1};
  std::vector<TiffTestPage> pages(12, smaller);
  pages[0] = page;
  write_bytes(folder_.path("a.tif"), tiff_bytes(pages));
  EXPECT_TRUE(open_image(folder_.path("a.tif"))->warnings().empty());
  pages.push_back(page);
  write_bytes(folder_.path("a.tif"), tiff_bytes(pages));
  EXPECT_EQ(open_image(folder_.path("a.tif"))->warnings().size(), 1u);
}

}  // namespace
}  // namespace tessera
