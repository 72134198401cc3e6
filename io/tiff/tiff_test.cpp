// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr Type kTypes[] = {Type::u8, Type::u16, Type::f32, Type::f64};
constexpr Compression kCompressions[] = {Compression::automatic, Compression::none,
                                         Compression::deflate,   Compression::lzw,
                                         Compression::packbits,  Compression::zstd};

class Tiff : public FormatTest {
 protected:
  Tiff() : FormatTest("TIFF") {}
};

TEST_F(Tiff, KeepsEveryTypeChannelPlaneAndCompression) {
  for (const Type type : kTypes)
    for (int channels = 1; channels <= 4; ++channels)
      for (const int planes : {1, 3})
        for (const Compression compression : kCompressions) {
          const Image image = random_image({33, 27, channels, planes}, type, 1);
          write_image(folder_.path("a.tif"), image.view(),
                      {.force = true, .compression = compression});
          EXPECT_TRUE(
              same_samples(image.view(), testing::short_view(read_image(folder_.path("a.tif")))))
              << name_of(type) << channels << planes << name_of(compression);
        }
}

// 700x300 f32 are 7 strips.
TEST_F(Tiff, KeepsManyStripsAndReadsTheirRowsInAnyOrder) {
  const Image image = random_image({700, 300, 1, 2}, Type::f32, 1);
  for (const Compression compression : kCompressions) {
    write_image(folder_.path("a.tif"), image.view(), {.force = true, .compression = compression});
    const auto source = open_image(folder_.path("a.tif"));
    EXPECT_EQ(detail(*source, "layout"), "strips of 46 rows");
    EXPECT_TRUE(source->planes_in_turn());
    for (const int count : {1, 7, 100})
      for (const int first : {200, 0, 45, 46, 13}) {
        Image rows(Size{700, count, 1, 2}, Type::f32);
        source->read({first, first + count}, rows.view());
        EXPECT_TRUE(same_samples(image.view().rows(first, count), rows.view())) << first;
      }
  }
}

TEST_F(Tiff, WritesAndReadsViewsWithSteps) {
  for (const Type type : kTypes)
    for (const Compression compression : {Compression::none, Compression::zstd}) {
      const Size size{9, 5, 3, 2};
      const Image large = random_image({18, 10, 3, 2}, type, 1);
      const AnyView part = every_second_upwards(large.view(), size);
      write_image(folder_.path("a.tif"), part, {.force = true, .compression = compression});
      Image target(large.info());
      const auto to = every_second_upwards(target.view(), size);
      open_image(folder_.path("a.tif"))->read({0, 5}, to);
      EXPECT_TRUE(same_samples(part, to));
    }
}

TEST_F(Tiff, CompressedSinkTakesPlanesAndRowsInOrder) {
  const Image image = random_image({6, 10, 1, 2}, Type::u8, 1);
  const auto sink =
      create_image(folder_.path("a.tif"), image.info(), {.compression = Compression::lzw});
  EXPECT_TRUE(sink->planes_in_turn());
  const auto write = [&](int plane, int first, int end) {
    sink->write_plane(plane, {first, end}, image.view().only_plane(plane).rows(first, end - first));
  };
  write(0, 0, 4);
  expect_error([&] { write(0, 5, 10); }, ErrorKind::failure, "row 5");
  expect_error([&] { write(1, 0, 10); }, ErrorKind::failure, "plane 1 is written but plane 0");
  expect_error([&] { sink->finish(); }, ErrorKind::failure, "row 4 of plane 0 comes next");
  write(0, 4, 10);
  expect_error([&] { sink->finish(); }, ErrorKind::failure, "row 0 of plane 1 comes next");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.tif")));
  write(1, 0, 10);
  sink->finish();
  EXPECT_TRUE(same_samples(image.view(), testing::short_view(read_image(folder_.path("a.tif")))));
}

TEST_F(Tiff, PlainSinkTakesPlanesInAnyOrder) {
  const Image image = random_image({6, 10, 1, 2}, Type::u8, 1);
  const auto sink = create_image(folder_.path("a.tif"), image.info());
  EXPECT_FALSE(sink->planes_in_turn());
  const auto write = [&](int plane, int first, int end) {
    sink->write_plane(plane, {first, end}, image.view().only_plane(plane).rows(first, end - first));
  };
  write(1, 0, 3);
  write(0, 0, 10);
  expect_error([&] { write(1, 4, 10); }, ErrorKind::failure, "row 4 is written but row 3 comes");
  expect_error([&] { sink->finish(); }, ErrorKind::failure, "row 3 comes next");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.tif")));
  write(1, 3, 10);
  sink->finish();
  EXPECT_TRUE(same_samples(image.view(), testing::short_view(read_image(folder_.path("a.tif")))));
}

TEST_F(Tiff, AnUnfinishedSinkLeavesNothing) {
  { create_image(folder_.path("a.tif"), {{4, 4}, Type::u8}); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Tiff, SaysWhatItWrote) {
  const Image image = random_image({20, 10, 4, 3}, Type::u16, 1);
  write_image(folder_.path("a.tif"), image.view(),
              {.compression = Compression::lzw, .history = {"tessera 1", "convert a b"}});
  const auto source = open_image(folder_.path("a.tif"));
  EXPECT_EQ(source->format(), "TIFF");
  EXPECT_EQ(detail(*source, "compression"), "LZW");
  EXPECT_EQ(detail(*source, "predictor"), "differences");
  EXPECT_EQ(detail(*source, "photometric"), "RGB");
  EXPECT_EQ(detail(*source, "bits per sample"), "16");
  EXPECT_EQ(detail(*source, "BigTIFF"), "no");
  EXPECT_EQ(detail(*source, "pages"), "3");
  const std::string bytes = read_bytes(folder_.path("a.tif"));
  EXPECT_NE(bytes.find("tessera 1\nconvert a b"), std::string::npos);
  EXPECT_NE(bytes.find(std::string("tessera ")), std::string::npos);
}

TEST_F(Tiff, ChoosesAPage) {
  const Image image = random_image({20, 10, 1, 3}, Type::u8, 1);
  write_image(folder_.path("a.tif"), image.view());
  for (int page = 0; page < 3; ++page)
    EXPECT_TRUE(
        same_samples(image.view().only_plane(page),
                     testing::short_view(read_image(folder_.path("a.tif"), {.page = page}))));
  for (const int page : {-1, 3})
    expect_error([&] { read_image(folder_.path("a.tif"), {.page = page}); }, ErrorKind::usage,
                 "it has 3, counted from 0");
  expect_error([&] { read_image(folder_.path("a.tif"), {.limits = {.pages = 2}}); },
               ErrorKind::input, "it has 3 pages; the limit is 2, see the option max-pages");
}

TEST_F(Tiff, RefusesWhatItCannotWrite) {
  expect_error(
      [&] {
        create_image(folder_.path("a.tif"), {{4, 4}, Type::u8}, {.compression = Compression::rice});
      },
      ErrorKind::usage, "rice is not a compression of TIFF; give none, deflate");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

// 3 GiB of floats twice are past 4 GiB: only the header is written here.
TEST_F(Tiff, LargeFilesAreBig) {
  const auto header = [&](Size size) {
    const auto sink =
        create_image(folder_.path("a.tif"), {size, Type::f32}, {.compression = Compression::zstd});
    std::string bytes;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      bytes = read_bytes(entry.path().string());
    return bytes.substr(0, 4);
  };
  EXPECT_EQ(header({28000, 28000, 1, 1}), std::string("II*\0", 4));
  EXPECT_EQ(header({28000, 28000, 1, 2}), std::string("II+\0", 4));
}

}  // namespace
}  // namespace tessera
