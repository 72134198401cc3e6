// SPDX-License-Identifier: Apache-2.0
// TIFF files with false headers, damaged or cut short.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/tiff/tiff.hpp"
#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/tiff_bytes.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class TiffBad : public FormatTest {
 protected:
  TiffBad() : FormatTest("TIFF") {}
  Image read(const std::string& bytes, const ReadOptions& options = {}) const {
    // Some file systems flush a file to disk at once if it is truncated and written again.
    std::filesystem::remove(folder_.path("a.tif"));
    write_bytes(folder_.path("a.tif"), bytes);
    return read_image(folder_.path("a.tif"), options);
  }
  void expect_refused(const std::string& bytes, const std::string& part) const {
    expect_error([&] { read(bytes); }, ErrorKind::input, "a.tif: ");
    expect_error([&] { read(bytes); }, ErrorKind::input, part);
  }
  /// Whatever the file holds, reading it succeeds or throws Error(input).
  void expect_survives(const std::string& bytes, const ReadOptions& options = {}) const {
    testing::expect_survives(folder_.path("a.tif"), bytes, options);
  }
};

TEST_F(TiffBad, RefusesHeadersThatAreNone) {
  expect_refused("", "it has 0 bytes; a TIFF header needs at least 8");
  expect_refused(std::string("II*\0\0\0\0", 7), "it has 7 bytes");
  expect_refused("not a TIFF", "does not begin like a TIFF");
  expect_refused(std::string("II+\0\x08\0\0\0\0\0", 10), "BigTIFF header is damaged");
  expect_refused(std::string("II*\0\0\0\0\0", 8), "it has no pages");
  expect_refused(std::string("II*\0\xff\0\0\0", 8), "header should be at byte 255");
}

TEST_F(TiffBad, RefusesTagsThatLie) {
  struct Case {
    std::map<int, std::vector<long long>> tags;
    const char* part;
  };
  const Case cases[] = {
      {{{256, {0}}}, "page 0: its width is 0"},
      {{{257, {1LL << 21}}}, "page 0: its height is 2097152; the limit is 1048576"},
      {{{278, {0}}}, "its strips are 4x0 pixels"},
      {{{278, {1}}}, "it has 1 offsets of its data; 4x4 pixels in strips of 4x1 need 4"},
      {{{279, {0}}}, "strip 0 (rows 0 to 3) has no data"},
      {{{273, {0}}}, "strip 0 (rows 0 to 3) has no data"},
      {{{279, {15}}}, "stores 15 bytes; its rows need 16"},
      {{{273, {4000000000}}}, "is cut short: it has 16 bytes from byte 4000000000"},
      {{{259, {5}}}, "strip 0 (rows 0 to 3) is damaged: "},
      {{{259, {8}}}, "strip 0 (rows 0 to 3) is damaged: "},
      {{{322, {16}}}, "it has no tile height"},
      {{{322, {1LL << 21}}, {323, {16}}}, "its tiles are 2097152x16 pixels"},
      {{{322, {1LL << 20}}, {323, {1LL << 20}}, {259, {8}}}, "which must be in memory at once"},
      {{{317, {7}}, {259, {5}}}, "is damaged: \"Predictor\" value 7 not supported"},
  };
  for (const Case& c : cases) {
    TiffTestPage page = grey_page(4, 4, 8, std::string(16, 'a'));
    for (const auto& [tag, values] : c.tags) page.tags[tag] = values;
    expect_refused(tiff_bytes({page}), c.part);
  }
}

TEST_F(TiffBad, RefusesChainsOfPagesThatNeverEnd) {
  TiffTestBytes circle;
  const TiffTestPage page = grey_page(1, 1, 8, "a");
  circle.add(page);
  const auto first = static_cast<long long>(circle.bytes()[4]);
  for (int i = 0; i < 4; ++i) circle.add(page);
  circle.link_to(first);
  expect_refused(circle.bytes(), "its pages form a circle: page 0 follows page 4");
  expect_refused(read_bytes(kTiffData + "multipage_single_frame_loop.tiff"),
                 "page 0 follows page 0");
  circle.link_to(1 << 20);
  expect_refused(circle.bytes(), "page 5: its header should be at byte 1048576");
  EXPECT_EQ(read(circle.bytes(), {.allow_truncated = true}).info().size.planes, 5);
}

TEST_F(TiffBad, RefusesTooManyPagesAndTags) {
  TiffTestBytes many(true, true);
  const TiffTestPage page = grey_page(1, 1, 8, "a");
  for (int i = 0; i < 5; ++i) many.add(page);
  write_bytes(folder_.path("a.tif"), many.bytes());
  expect_error([&] { read_image(folder_.path("a.tif"), {.limits = {.pages = 4}}); },
               ErrorKind::input, "it has 5 pages; the limit is 4");
  expect_error([&] { read_image(folder_.path("a.tif"), {.limits = {.tags = 8}}); },
               ErrorKind::input, "page 0: it has 9 tags; the limit is 8, see the option max-tags");
  // 5000 tags that are there, and 2^60 that are not.
  TiffTestPage tags = page;
  for (int tag = 40000; tag < 45000; ++tag) tags.tags[tag] = {0};
  expect_refused(tiff_bytes({tags}), "page 0: it has 5009 tags; the limit is 4096");
  std::string bomb = tiff_bytes({page}, true, true);
  bomb[static_cast<unsigned char>(bomb[8]) + 7] = 16;
  expect_refused(bomb, "page 0: its header at byte 18 has 1152921504606846985 tags");
}

TEST_F(TiffBad, RefusesBombs) {
  // 100 bytes that claim to be 256 GiB, compressed or not; and 2^31 strips.
  TiffTestPage page = grey_page(1 << 18, 1 << 20, 8, std::string(100, 'a'));
  expect_refused(tiff_bytes({page}), "stores 100 bytes; its rows need 274877906944");
  page.tags[259] = {8};
  expect_refused(tiff_bytes({page}), "the limit is 200, see the option max-expansion");
  page.tags[278] = {1};
  expect_refused(tiff_bytes({page}), "it has 1 offsets of its data");
  page.tags[277] = {4};
  page.tags[258] = {8, 8, 8, 8};
  page.tags[284] = {2};
  expect_refused(tiff_bytes({page}), "need 4194304");
  // Zeros shrink a thousandfold: a valid file of 272 MB in 300 kB.
  const auto sink = create_image(folder_.path("b.tif"), {{20000, 13600}, Type::u8},
                                 {.compression = Compression::zstd});
  const Image zeros(Size{20000, 100}, Type::u8);
  for (int row = 0; row < 13600; row += 100) sink->write({row, row + 100}, zeros.view());
  sink->finish();
  expect_error([&] { open_image(folder_.path("b.tif")); }, ErrorKind::input,
               "see the option max-expansion");
  EXPECT_NO_THROW(open_image(folder_.path("b.tif"), {.limits = {.expansion = 1 << 20}}));
}

// Pages that share their data: each is acceptable, but not all together.
TEST_F(TiffBad, RefusesPagesThatShareTheirData) {
  TiffTestBytes file;
  TiffTestPage page = grey_page(1024, 1024, 8, std::string(1 << 20, 'a'));
  file.add(page);
  page.tags[273] = {8};
  page.tags[279] = {1 << 20};
  page.blocks.clear();
  for (int i = 0; i < 300; ++i) file.add(page);
  expect_refused(file.bytes(), "see the option max-expansion");
}

TEST_F(TiffBad, RefusesFilesOthersFound) {
  struct Case {
    const char *name, *part;
  };
  const Case cases[] = {
      {"crash-0c7e0e8e11ce787078f00b5b0ca409a167f070e0.tif", "strip 0 (rows 0 to 15) is cut short"},
      {"crash-0da013a13571cc8eb457a39fee8db18f8a3c7127.tif",
       "is damaged: Bad code word at line 27"},
      {"crash-2020-10-test.tif", "page 3: its header should be at byte 2650800128"},
      {"crash-63b1dffefc8c075ddc606c0a2f5fdc15ece78863.tif", "page 1: its header"},
      {"crash-86214e58da443d2b80820cff9677a38a33dcbbca.tif", "tile 0 (rows 0 to 224) is cut short"},
      {"fuzz_format.tif", "page 1: its header should be at byte 1635082593"},
      {"fuzz_height_zero.tif", "page 0: its height is 0"},
      {"fuzz_lzw_stuck.tif", "tile 0 (rows 0 to 39) is cut short"},
      {"fuzz_palette.tif", "its tag 284 has 0 values at byte 3158"},
      {"fuzz_tag_count.tif", "has 4096 tags, which end past the file's 174 bytes"},
      {"fuzz_tag_type.tif", "its tag 259 holds values of type 0"},
      {"fuzz_value_count.tif", "its tag 256 has 4294901761 values"},
      {"multipage_multiple_frame_loop.tiff", "page 0 follows page 1"},
  };
  for (const Case& c : cases) {
    expect_error([&] { read_image(kTiffData + c.name); }, ErrorKind::input, c.part);
    expect_survives(read_bytes(kTiffData + c.name), {.allow_truncated = true});
  }
}

// Bytes that are cut off are reported, or were not needed.
TEST_F(TiffBad, EveryTruncationIsAnErrorOrRight) {
  for (const char* name : {"group4.tif", "multipage.tiff", "16bit.s.tif", "strips_lzma_f8.tif"}) {
    const std::string whole = read_bytes(kTiffData + name);
    const Image image = read_image(kTiffData + name);
    for (size_t length = 0; length < whole.size(); ++length) {
      try {
        const Image cut = read(whole.substr(0, length));
        EXPECT_TRUE(same_samples(image.view(), cut.view())) << name << " cut to " << length;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      }
      expect_survives(whole.substr(0, length), {.allow_truncated = true});
    }
  }
}

TEST_F(TiffBad, SurvivesEveryChangedByte) {
  for (const char* name : {"tiles_deflate_rgb.tif", "jpeg_ycbcr.tif", "group3.tif", "16bit.s.tif",
                           "strips_packbits_bigtiff.tif"}) {
    const std::string whole = read_bytes(kTiffData + name);
    const size_t step = run_all() ? 1 : run_small() ? 11 : 5;
    for (size_t i = 0; i < std::min<size_t>(whole.size(), 700); i += step)
      for (const char byte : {'\0', '\1', '\xff'}) {
        std::string changed = whole;
        changed[i] = byte;
        expect_survives(changed, {.allow_truncated = i % 2 == 0});
      }
  }
}

TEST_F(TiffBad, FillsWhatIsMissingWhereAllowed) {
  const Image image = random_image({700, 300}, Type::f32, 1);
  for (const Compression compression : {Compression::none, Compression::deflate}) {
    write_image(folder_.path("a.tif"), image.view(), {.force = true, .compression = compression});
    // The directory lies at the end, so the data is cut by changing the offset of strip 3.
    std::string bytes = read_bytes(folder_.path("a.tif"));
    const auto number = [&](size_t at) {
      unsigned value = 0;
      for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
      return value;
    };
    size_t entry = number(4) + 2;
    while (number(entry) % 65536 != 273) entry += 12;
    bytes.replace(number(entry + 8) + 3 * 4, 4, std::string("\xff\xff\xff\x7f", 4));
    expect_refused(bytes, "strip 3 (rows 138 to 183) is cut short");
    write_bytes(folder_.path("b.tif"), bytes);
    const auto source = open_image(folder_.path("b.tif"), {.allow_truncated = true});
    Image filled(image.info());
    source->read({0, 300}, filled.view());
    EXPECT_TRUE(same_samples(image.view().rows(0, 138), filled.view().rows(0, 138)));
    EXPECT_TRUE(same_samples(image.view().rows(184, 116), filled.view().rows(184, 116)));
    for (int x = 0; x < 700; ++x) ASSERT_TRUE(std::isnan(filled.as<float>().at(x, 150)));
    ASSERT_EQ(source->warnings().size(), 1u);
    EXPECT_NE(source->warnings()[0].find("strip 3 (rows 138 to 183) is cut short"),
              std::string::npos);
    EXPECT_NE(source->warnings()[0].find("of a strip or tile were filled in"), std::string::npos);
  }
}

// The first rows of a strip that is cut short can be read.
TEST_F(TiffBad, KeepsTheRowsBeforeACut) {
  for (const int compression : {1, 5, 8}) {
    const Image image = random_image({64, 64}, Type::u8, 3);
    write_image(folder_.path("a.tif"), image.view(),
                {.force = true,
                 .compression = compression == 1   ? Compression::none
                                : compression == 5 ? Compression::lzw
                                                   : Compression::deflate});
    std::string bytes = read_bytes(folder_.path("a.tif"));
    // A file of the sink ends with its directory; only one with the directory first can be cut
    // short.
    const auto data_bytes = static_cast<long long>(static_cast<unsigned char>(bytes[4])) |
                            static_cast<long long>(static_cast<unsigned char>(bytes[5])) << 8;
    TiffTestBytes file;
    TiffTestPage page = grey_page(64, 64, 8, "");
    page.tags[259] = {compression};
    page.tags[317] = {compression == 1 ? 1 : 2};
    page.tags[273] = {256};
    page.tags[279] = {data_bytes - 8};
    page.blocks.clear();
    file.add(page);
    std::string cut = file.bytes();
    cut.resize(256, '\0');
    cut += bytes.substr(8, static_cast<size_t>(data_bytes - 8) / 2);
    write_bytes(folder_.path("b.tif"), cut);
    const auto source = open_image(folder_.path("b.tif"), {.allow_truncated = true});
    Image filled(image.info());
    source->read({0, 64}, filled.view());
    EXPECT_TRUE(same_samples(image.view().rows(0, 20), filled.view().rows(0, 20))) << compression;
    for (int x = 0; x < 64; ++x) EXPECT_EQ(filled.as<unsigned char>().at(x, 60), 0) << compression;
    EXPECT_EQ(source->warnings().size(), 1u);
  }
}

TEST_F(TiffBad, NoticesAFileThatShrinks) {
  const Image image = random_image({64, 640}, Type::f32, 1);
  for (const Compression compression : {Compression::none, Compression::zstd}) {
    write_image(folder_.path("a.tif"), image.view(), {.force = true, .compression = compression});
    const auto source = open_image(folder_.path("a.tif"));
    std::filesystem::resize_file(folder_.path("a.tif"), 1000);
    Image target(image.info());
    expect_error([&] { source->read({0, 640}, target.view()); }, ErrorKind::input, "ends at byte");
  }
}

}  // namespace
}  // namespace tessera
