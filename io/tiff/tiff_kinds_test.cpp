// SPDX-License-Identifier: Apache-2.0
// TIFF files of other programs: depths, palettes, byte orders, tiles, separate channels, many
// pages.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "io/tiff/tiff.hpp"
#include "tests/support/format_checks.hpp"
#include "tests/support/tiff_bytes.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class TiffKinds : public FormatTest {
 protected:
  TiffKinds() : FormatTest("TIFF") {}
  std::string path(const std::string& bytes) const {
    write_bytes(folder_.path("a.tif"), bytes);
    return folder_.path("a.tif");
  }
  Image read(const TiffTestPage& page, bool little = true) const {
    return read_image(path(tiff_bytes({page}, little)));
  }
};

std::vector<double> values(const Image& image) {
  std::vector<double> all;
  const AnyView view = image.view();
  const auto take = [&]<class T>(const T* data) {
    all.assign(data, data + image.info().size.samples());
  };
  if (view.type == Type::u8) take(static_cast<const unsigned char*>(view.data));
  if (view.type == Type::u16) take(static_cast<const unsigned short*>(view.data));
  if (view.type == Type::f32) take(static_cast<const float*>(view.data));
  if (view.type == Type::f64) take(static_cast<const double*>(view.data));
  return all;
}

struct Depth {
  int bits, format, photometric, width;
  std::string little, big;  ///< the row in the two byte orders
  Type type;
  std::vector<double> values;
};

TEST_F(TiffKinds, ReadsEveryDepth) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::string f24_big("\x3f\x00\x00\xbf\x80\x00\x7f\x00\x00\x00\x00\x01", 12);
  const std::string f24_little("\x00\x00\x3f\x00\x80\xbf\x00\x00\x7f\x01\x00\x00", 12);
  const Depth depths[] = {
      {1, 1, 1, 10, "\xa0\x40", "\xa0\x40", Type::u8, {255, 0, 255, 0, 0, 0, 0, 0, 0, 255}},
      {1, 1, 0, 3, "\xa0", "\xa0", Type::u8, {255, 0, 255}},
      {2, 1, 1, 4, "\x1b", "\x1b", Type::u8, {0, 85, 170, 255}},
      {4, 1, 1, 3, "\x0f\x10", "\x0f\x10", Type::u8, {0, 255, 17}},
      {4, 1, 0, 3, "\x0f\x10", "\x0f\x10", Type::u8, {0, 255, 17}},
      {6, 1, 1, 2, "\x07\xf0", "\x07\xf0", Type::u16, {1, 63}},
      {12, 1, 1, 2, "\xab\xc1\x23", "\xab\xc1\x23", Type::u16, {0xabc, 0x123}},
      {8, 1, 0, 2, "\x01\xff", "\x01\xff", Type::u8, {1, 255}},
      {16, 1, 1, 1, "\x34\x12", "\x12\x34", Type::u16, {0x1234}},
      {16, 1, 0, 1, "\x34\x12", "\x12\x34", Type::u16, {0x1234}},
      {32, 1, 1, 1, "\x01\xff\xff\xff", "\xff\xff\xff\x01", Type::f64, {4294967041.0}},
      {8, 2, 1, 2, "\x80\x7f", "\x80\x7f", Type::f32, {-128, 127}},
      {16, 2, 1, 1, "\xfe\xff", "\xff\xfe", Type::f32, {-2}},
      {32, 2, 1, 1, "\xfe\xff\xff\xff", "\xff\xff\xff\xfe", Type::f64, {-2}},
      {16,
       3,
       1,
       2,
       std::string("\x00\x3c\x00\xc0", 4),
       std::string("\x3c\x00\xc0\x00", 4),
       Type::f32,
       {1, -2}},
      {24, 3, 1, 4, f24_little, f24_big, Type::f32, {1, -1.5, inf, 0x1p-78}},
      {32,
       3,
       1,
       1,
       std::string("\x00\x00\xc0\x3f", 4),
       std::string("\x3f\xc0\x00\x00", 4),
       Type::f32,
       {1.5}},
      {64,
       3,
       1,
       1,
       std::string("\0\0\0\0\0\0\xf8\x3f", 8),
       std::string("\x3f\xf8\0\0\0\0\0\0", 8),
       Type::f64,
       {1.5}},
  };
  for (const Depth& depth : depths)
    for (const bool little : {true, false}) {
      TiffTestPage page = grey_page(depth.width, 1, depth.bits, little ? depth.little : depth.big);
      page.tags[339] = {depth.format};
      page.tags[262] = {depth.photometric};
      const Image image = read(page, little);
      EXPECT_EQ(image.info().type, depth.type) << depth.bits << " bits";
      EXPECT_EQ(values(image), depth.values) << depth.bits << " bits of format " << depth.format;
    }
}

TEST_F(TiffKinds, ReadsPalettes) {
  TiffTestPage page = grey_page(4, 1, 2, "\x1b");
  page.tags[262] = {3};
  const auto map = [&](long long factor, long long more) {
    page.tags[320] = {0, factor, 2 * factor, 3 * factor, 4 * factor,  5 * factor,
                      6, 0,      8 * factor, 9 * factor, 10 * factor, 255 * factor};
    page.tags[320][6] = 6 * factor + more;
  };
  const std::vector<double> colours = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 0, 255};
  for (const long long factor : {1, 256, 257}) {
    map(factor, 0);
    const Image image = read(page);
    EXPECT_EQ(image.info(), (ImageInfo{{4, 1, 3}, Type::u8}));
    EXPECT_EQ(values(image), colours) << factor;
  }
  map(256, 7);
  EXPECT_EQ(read(page).info().type, Type::u16);
  EXPECT_EQ(values(read(page))[7], 6 * 256 + 7);
  page.tags[320].pop_back();
  expect_error([&] { read(page); }, ErrorKind::input, "its palette has 11 values; 2 bits need 12");
}

TEST_F(TiffKinds, ReadsBothByteOrdersOfBigTiff) {
  for (const bool little : {true, false})
    for (const bool big : {true, false}) {
      const auto source = open_image(
          path(tiff_bytes({grey_page(2, 2, 8, "abcd"), grey_page(2, 2, 8, "efgh")}, little, big)));
      EXPECT_EQ(source->info().size, (Size{2, 2, 1, 2}));
      EXPECT_EQ(detail(*source, "byte order"), little ? "little" : "big");
      EXPECT_EQ(detail(*source, "BigTIFF"), big ? "yes" : "no");
      Image image(source->info());
      source->read({0, 2}, image.view());
      EXPECT_EQ(values(image)[5], 'f');
    }
}

// 20x3 pixels in tiles of 16x16 or strips of 2 rows: channel c of pixel x, y is 70c + 20y + x.
TEST_F(TiffKinds, ReadsTilesStripsAndChannelsApart) {
  for (const bool tiled : {true, false})
    for (const bool separate : {true, false}) {
      TiffTestPage page;
      page.tags = {{256, {20}}, {257, {3}}, {258, {8, 8, 8}},         {259, {1}},
                   {262, {2}},  {277, {3}}, {284, {separate ? 2 : 1}}};
      const int width = tiled ? 16 : 20, height = tiled ? 16 : 2;
      if (tiled)
        page.tags[323] = page.tags[322] = {16};
      else
        page.tags[278] = {2};
      const auto block = [&](int c0, int c1, int y0, int x0, int rows) {
        std::string bytes;
        for (int y = y0; y < y0 + rows; ++y)
          for (int x = x0; x < x0 + width; ++x)
            for (int c = c0; c < c1; ++c) bytes += static_cast<char>(70 * c + 20 * y + x);
        return bytes;
      };
      for (int c = 0; c < (separate ? 3 : 1); ++c)
        for (int y = 0; y < 3; y += height)
          for (int x = 0; x < 20; x += width)
            page.blocks.push_back(
                block(c, separate ? c + 1 : 3, y, x, tiled ? 16 : std::min(2, 3 - y)));
      const Image image = read(page);
      ASSERT_EQ(image.info(), (ImageInfo{{20, 3, 3}, Type::u8}));
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 20; ++x)
          for (int c = 0; c < 3; ++c)
            ASSERT_EQ(image.as<unsigned char>().at(x, y, c), (70 * c + 20 * y + x) % 256)
                << x << " " << y << " " << c << tiled << separate;
    }
}

TEST_F(TiffKinds, BitsMayBeStoredBackwards) {
  TiffTestPage page = grey_page(8, 1, 1, "\x01");
  page.tags[266] = {2};
  EXPECT_EQ(values(read(page)), (std::vector<double>{255, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(TiffKinds, RowsStayAsStoredWhateverTheOrientation) {
  TiffTestPage page = grey_page(1, 2, 8, "ab");
  page.tags[274] = {4};
  const auto source = open_image(path(tiff_bytes({page})));
  EXPECT_EQ(detail(*source, "orientation"), "bottom left; rows are read as stored");
  EXPECT_EQ(values(read(page)), (std::vector<double>{'a', 'b'}));
}

TEST_F(TiffKinds, PagesOfAnotherKindAreLeftOutAndNamed) {
  TiffTestPage wide = grey_page(2, 1, 16, "abcd"), inks = grey_page(1, 1, 8, "a");
  inks.tags[262] = {5};
  TiffTestPage reduced = grey_page(2, 1, 8, "ef");
  reduced.tags[254] = {1};
  const TiffTestPage page = grey_page(2, 1, 8, "ab");
  const std::string file =
      path(tiff_bytes({page, grey_page(2, 1, 8, "cd"), wide, inks, reduced, page}));
  const auto source = open_image(file);
  EXPECT_EQ(source->info().size, (Size{2, 1, 1, 2}));
  EXPECT_EQ(detail(*source, "pages"), "6");
  EXPECT_EQ(detail(*source, "left out"),
            "page 2 (2x1 u16), page 3 (its colours are CMYK; grey, RGB, palettes and YCbCr in JPEG "
            "can be read), page 4 (2x1 u8, another version of a page), page 5 (after a page of "
            "another kind)");
  EXPECT_EQ(source->warnings().size(), 1u);
  EXPECT_EQ(values(read_image(file, {.page = 2})), (std::vector<double>{0x6261, 0x6463}));
  expect_error([&] { read_image(file, {.page = 3}); }, ErrorKind::input, "page 3: its colours");
}

TEST_F(TiffKinds, RefusesOtherKindsWithASentence) {
  struct Case {
    std::map<int, std::vector<long long>> tags;
    const char* part;
  };
  const Case cases[] = {
      {{{262, {5}}}, "its colours are CMYK"},
      {{{262, {8}}}, "its colours are CIE Lab"},
      {{{262, {32845}}}, "its colours are LogLuv"},
      {{{262, {6}}}, "its colours are YCbCr, which can be read only from 8-bit JPEG"},
      {{{339, {6}}}, "its samples are complex numbers"},
      {{{339, {9}}}, "its sample format is 9"},
      {{{277, {5}}}, "it has 5 samples per pixel; it can have 1 to 4"},
      {{{258, {17}}}, "whole numbers of 17 bits"},
      {{{258, {0}}}, "whole numbers of 0 bits"},
      {{{258, {8, 16}}, {277, {2}}}, "its samples differ in bits (8 and 16)"},
      {{{259, {34887}}}, "its compression is LERC"},
      {{{259, {6}}}, "its compression is old-style JPEG"},
      {{{259, {77}}}, "its compression is number 77, which cannot be read; none, LZW"},
  };
  for (const Case& c : cases) {
    TiffTestPage page = grey_page(4, 4, 8, std::string(64, 'a'));
    for (const auto& [tag, list] : c.tags) page.tags[tag] = list;
    expect_error([&] { read(page); }, ErrorKind::input, c.part);
  }
}

// Sums from Pillow or tifffile.
TEST_F(TiffKinds, ReadsWhatOthersWrote) {
  struct Case {
    const char* name;
    ImageInfo info;
    double sum;
  };
  const Case cases[] = {
      {"16bit.MM.deflate.tif", {{64, 64}, Type::u16}, 1573327},
      {"16bit.s.tif", {{10, 10}, Type::f32}, 327670},
      {"deflate_i2_big.tif", {{50, 40}, Type::f32}, 2043000},
      {"group3.tif", {{50, 40}, Type::u8}, 255000},
      {"group4.tif", {{50, 40}, Type::u8}, 255000},
      {"jpeg_ycbcr.tif", {{48, 32, 3}, Type::u8}, 611328},
      {"multipage.tiff", {{10, 10, 3, 2}, Type::u8}, 38300},
      {"strips_lzma_f8.tif", {{50, 40}, Type::f64}, 7250},
      {"strips_packbits_bigtiff.tif", {{50, 40, 1, 2}, Type::u8}, 430000},
      {"strips_zstd_f4_big.tif", {{50, 40}, Type::f32}, 7250},
      {"tiles_deflate_rgb.tif", {{50, 40, 3}, Type::u8}, 755000},
      {"tiles_lzw_planes.tif", {{50, 40, 3}, Type::u16}, 36135000},
  };
  for (const Case& c : cases) {
    const Image image = read_image(kTiffData + c.name);
    EXPECT_EQ(image.info(), c.info) << c.name;
    double sum = 0;
    for (const double value : values(image)) sum += value;
    EXPECT_EQ(sum, c.sum) << c.name;
  }
}

}  // namespace
}  // namespace tessera
