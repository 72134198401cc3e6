// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/sample_lists.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

const std::string kData = TESSERA_SOURCE_DIR "/tests/data/jpeg/";

class Jpeg : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const Format& format : formats())
      if (format.name == std::string("JPEG") && !format.built_in())
        GTEST_SKIP() << "this build has no libjpeg";
  }
  TemporaryFolder folder_;
};

// Smooth, because that is what JPEG keeps.
Image smooth_image(Size size) {
  Image image(size, Type::u8);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < size.channels; ++c)
        image.as<unsigned char>().at(x, y, c) =
            static_cast<unsigned char>((x * 3 + y * 2 + 40 * c) / 2 % 256);
  return image;
}

int greatest_difference(AnyView a, AnyView b) {
  int greatest = 0;
  for (int y = 0; y < a.size.height; ++y)
    for (int x = 0; x < a.size.width; ++x)
      for (int c = 0; c < a.size.channels; ++c)
        greatest = std::max(
            greatest, static_cast<int>(std::abs(sample_at(a, x, y, c) - sample_at(b, x, y, c))));
  return greatest;
}

struct KnownFile {
  const char* name;
  Size size;
  long long sum;
  std::vector<long long> pixel;  ///< at column 7, row 5
};

// Sums and pixels were found with Pillow 13 (libjpeg-turbo 3.2) and OpenCV 5, which agree.
const KnownFile kKnownFiles[] = {
    {"grey", {37, 29, 1}, 146362, {169}},
    {"orientation6", {37, 29, 1}, 146206, {166}},
    {"rgb420", {37, 29, 3}, 429136, {232, 161, 79}},
    {"rgb422_restarts", {37, 29, 3}, 429180, {233, 161, 77}},
    {"progressive", {37, 29, 3}, 429215, {224, 159, 75}},
    {"progressive_grey", {37, 29, 1}, 146376, {169}},
    {"stored_rgb", {37, 29, 3}, 428976, {221, 159, 83}},
    {"photoshop-200dpi-broken", {200, 200, 3}, 11051121, {194, 194, 194}},
    {"truncated_exif_dpi", {480, 640, 3}, 235008000, {255, 255, 255}},
};

TEST_F(Jpeg, ReadsWhatOthersRead) {
  for (const KnownFile& file : kKnownFiles) {
    const Image image = read_image(kData + file.name + ".jpg");
    ASSERT_EQ(image.info().size, file.size) << file.name;
    EXPECT_EQ(image.info().type, Type::u8);
    EXPECT_EQ(sum_of(image.view()), file.sum) << file.name;
    for (size_t c = 0; c < file.pixel.size(); ++c)
      EXPECT_EQ(sample_at(image.view(), 7, 5, static_cast<int>(c)), file.pixel[c]) << file.name;
  }
}

TEST_F(Jpeg, TellsWhatTheFileSays) {
  struct Case {
    const char *file, *name, *value;
  };
  const Case cases[] = {
      {"grey", "coding", "sequential"},
      {"grey", "colours", "grey"},
      {"grey", "sampling", ""},
      {"grey", "orientation", ""},
      {"progressive", "coding", "progressive"},
      {"rgb420", "colours", "YCbCr"},
      {"rgb420", "sampling", "4:2:0"},
      {"rgb420", "resolution", "300 x 150 dots an inch"},
      {"rgb422_restarts", "sampling", "4:2:2"},
      {"stored_rgb", "colours", "RGB"},
      {"stored_rgb", "sampling", "4:4:4"},
      {"orientation6", "orientation", "6: to be turned a quarter clockwise"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(detail(*open_image(kData + c.file + ".jpg"), c.name), c.value) << c.file << c.name;
}

TEST_F(Jpeg, WritesNearlyWhatItIsGiven) {
  for (const int channels : {1, 3})
    for (const Size side : {Size{1, 1}, Size{33, 1}, Size{1, 17}, Size{40, 23}}) {
      const Image image = smooth_image({side.width, side.height, channels});
      write_image(folder_.path("a.jpg"), image.view(), {.force = true, .quality = 100});
      const Image back = read_image(folder_.path("a.jpg"));
      ASSERT_EQ(back.info(), image.info());
      EXPECT_LE(greatest_difference(image.view(), back.view()), 3);
    }
}

TEST_F(Jpeg, QualityDecidesSizeAndSampling) {
  const Image image = smooth_image({64, 64, 3});
  write_image(folder_.path("90.jpeg"), image.view(), {.quality = 90});
  write_image(folder_.path("89.jpeg"), image.view(), {.quality = 89});
  EXPECT_EQ(detail(*open_image(folder_.path("90.jpeg")), "sampling"), "4:4:4");
  EXPECT_EQ(detail(*open_image(folder_.path("89.jpeg")), "sampling"), "4:2:0");
  EXPECT_GT(std::filesystem::file_size(folder_.path("90.jpeg")),
            std::filesystem::file_size(folder_.path("89.jpeg")));
}

TEST_F(Jpeg, ReadsRowsAndStepsInAnyOrder) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg"}) {
    const Image whole = read_image(kData + name);
    const auto source = open_image(kData + name);
    Image rows(Size{37, 3, 3}, Type::u8);
    for (const int first : {26, 0, 12, 11}) {
      source->read({first, first + 3}, rows.view());
      EXPECT_TRUE(same_samples(whole.view().rows(first, 3), rows.view())) << first;
    }
    Image target(Size{74, 58, 3}, Type::u8);
    const auto to = every_second_upwards(target.view(), {37, 29, 3});
    source->read({0, 29}, to);
    EXPECT_TRUE(same_samples(whole.view(), to));
  }
}

TEST_F(Jpeg, StartsAgainWhereMoreWasReadThanIsKept) {
  const Image image = smooth_image({16000, 3000, 3});  // 137 MiB; 64 are kept
  write_image(folder_.path("a.jpg"), image.view());
  const Image whole = read_image(folder_.path("a.jpg"));
  const auto source = open_image(folder_.path("a.jpg"));
  Image rows(Size{16000, 2, 3}, Type::u8);
  for (const int first : {2998, 2990, 5}) {
    source->read({first, first + 2}, rows.view());
    EXPECT_TRUE(same_samples(whole.view().rows(first, 2), rows.view())) << first;
  }
}

TEST_F(Jpeg, WritesOnlyWhatItCanHold) {
  struct Case {
    ImageInfo info;
    int quality;
    const char* part;
  };
  const Case cases[] = {
      {{{2, 2}, Type::f32}, 95, "a.jpg: JPEG holds u8; this image is f32: give a .png"},
      {{{2, 2}, Type::u16}, 95, "convert it to u8 first"},
      {{{2, 2, 4}, Type::u8}, 95, "JPEG holds 1 or 3 channels; this image has 4"},
      {{{2, 2, 2}, Type::u8}, 95, "this image has 2"},
      {{{2, 2, 1, 5}, Type::u8}, 95, "this one has 5 planes"},
      {{{65501, 1}, Type::u8}, 95, "at most 65500 pixels a side; this image has 65501x1"},
      {{{2, 2}, Type::u8}, 0, "quality is 0; it can be 1 to 100"},
      {{{2, 2}, Type::u8}, 101, "quality is 101; it can be 1 to 100"},
  };
  for (const Case& c : cases)
    expect_error([&] { create_image(folder_.path("a.jpg"), c.info, {.quality = c.quality}); },
                 ErrorKind::usage, c.part);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Jpeg, LeavesNothingBehindUnfinished) {
  const Image image = smooth_image({30, 20, 1});
  create_image(folder_.path("a.jpg"), image.info())->write({0, 10}, image.view().rows(0, 10));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

// A grey JPEG of 8x8 blocks of one value, made by hand: the table of Huffman codes has the one
// code 00 for "no difference". `scans` times the same scan.
std::string handmade(int width, int height, int scans, bool progressive = true) {
  const auto number = [](int value) {
    return std::string{static_cast<char>(value >> 8), static_cast<char>(value & 255)};
  };
  std::string bytes("\xff\xd8\xff\xdb\x00\x43\x00", 7);
  bytes += std::string(64, '\1');
  bytes += std::string("\xff", 1) + (progressive ? "\xc2" : "\xc0");
  bytes += std::string("\x00\x0b\x08", 3) + number(height) + number(width);
  bytes += std::string("\x01\x01\x11\x00", 4);
  bytes += std::string("\xff\xc4\x00\x14\x00\x00\x01", 7) + std::string(14, '\0') + '\0';
  const int blocks = (width + 7) / 8 * ((height + 7) / 8);
  for (int i = 0; i < scans; ++i) {
    bytes += std::string("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00", 10);
    bytes += std::string(static_cast<size_t>((blocks - 1) / 4), '\0');
    bytes += static_cast<char>(0xff >> 2 * ((blocks - 1) % 4 + 1) & 0xff);
  }
  return bytes + "\xff\xd9";
}

TEST_F(Jpeg, RefusesMoreScansThanAnyoneNeeds) {
  write_bytes(folder_.path("a.jpg"), handmade(24, 16, 500));
  EXPECT_EQ(sum_of(read_image(folder_.path("a.jpg")).view()), 128 * 24 * 16);
  write_bytes(folder_.path("a.jpg"), handmade(24, 16, 5000));
  for (const bool allow : {false, true})
    expect_error([&] { read_image(folder_.path("a.jpg"), {.allow_truncated = allow}); },
                 ErrorKind::input, "a.jpg: it has more than 500 scans");
}

TEST_F(Jpeg, ObeysTheLimits) {
  const std::string progressive = kData + "progressive.jpg";
  expect_error([&] { open_image(progressive, {.limits = {.side = 36}}); }, ErrorKind::input,
               "its width is 37; the limit is 36, see the option max-side");
  Image row(Size{37, 1, 3}, Type::u8);
  expect_error(
      [&] {
        open_image(progressive, {.limits = {.bytes = 6000}})->read({0, 1}, row.view());
      },
      ErrorKind::resources, "see the option max-bytes");
  expect_error(
      [&] {
        open_image(progressive, {.limits = {.pixels = 1000}})->read({0, 1}, row.view());
      },
      ErrorKind::input, "see the option max-pixels");
  std::string huge = handmade(8, 8, 1);
  const size_t frame = huge.find("\xff\xc2");
  huge.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  write_bytes(folder_.path("a.jpg"), huge);
  expect_error([&] { open_image(folder_.path("a.jpg")); }, ErrorKind::input,
               "see the option max-expansion");
}

TEST_F(Jpeg, RefusesWhatItCannotReadWithASentence) {
  expect_error([] { open_image(kData + "cmyk.jpg"); }, ErrorKind::input,
               "cmyk.jpg: its colours are CMYK, for printing; make an RGB JPEG or PNG");
  expect_error(
      [] { read_image(kData + "truncated_jpeg.jpg"); }, ErrorKind::input,
      "truncated_jpeg.jpg: the file ends, after 6698 bytes, in scan 10 near row 96 of 100");
  struct Case {
    std::string bytes, part;
  };
  std::string twelve_bits = handmade(8, 8, 1);
  twelve_bits[twelve_bits.find("\xff\xc2") + 4] = 12;
  const Case cases[] = {
      {"", "a.jpg: the file ends, after 0 bytes, in its header"},
      {"\xff\xd8\xff", "a.jpg: the file ends, after 3 bytes, in its header"},
      {"this is only text", "its header is damaged: Not a JPEG file"},
      {twelve_bits, "Unsupported JPEG data precision 12"},
  };
  for (const Case& c : cases) {
    write_bytes(folder_.path("a.jpg"), c.bytes);
    expect_error([&] { read_image(folder_.path("a.jpg")); }, ErrorKind::input, c.part);
  }
}

TEST_F(Jpeg, RefusesEveryTruncation) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg", "rgb422_restarts.jpg"}) {
    const std::string whole = read_bytes(kData + name);
    ASSERT_GT(whole.size(), 900u);
    for (size_t length = 0; length < whole.size(); length += length + 60 < whole.size() ? 4 : 1) {
      write_bytes(folder_.path("cut.jpg"), whole.substr(0, length));
      expect_error([&] { read_image(folder_.path("cut.jpg")); }, ErrorKind::input, "cut.jpg: ");
    }
  }
}

TEST_F(Jpeg, FillsTheRowsThatAreMissing) {
  const Image image = smooth_image({300, 200, 3});
  write_image(folder_.path("a.jpg"), image.view());
  const Image whole = read_image(folder_.path("a.jpg"));
  const std::string bytes = read_bytes(folder_.path("a.jpg"));
  write_bytes(folder_.path("a.jpg"), bytes.substr(0, bytes.size() / 2));
  const auto source = open_image(folder_.path("a.jpg"), {.allow_truncated = true});
  Image target = copy(whole.view());
  source->read({0, 200}, target.view());
  int held = 0;
  while (held < 200 && same_samples(whole.view().rows(held, 1), target.view().rows(held, 1)))
    ++held;
  EXPECT_GT(held, 40);
  EXPECT_LT(held, 160);
  EXPECT_EQ(sum_of(target.view().rows(held, 200 - held)), 0);
  ASSERT_EQ(source->warnings().size(), 1u);
  const std::string row = std::to_string(held);
  EXPECT_NE(source->warnings()[0].find("in row " + row + " of 200; rows " + row +
                                       " to 199 of 200 are missing"),
            std::string::npos)
      << source->warnings()[0];
  Image again(Size{300, 2, 3}, Type::u8);
  source->read({3, 5}, again.view());
  EXPECT_TRUE(same_samples(whole.view().rows(3, 2), again.view()));
}

TEST_F(Jpeg, KeepsTheCoarseImageOfADamagedProgressiveFile) {
  const std::string bytes = read_bytes(kData + "progressive.jpg");
  const Image whole = read_image(kData + "progressive.jpg");
  write_bytes(folder_.path("a.jpg"), bytes.substr(0, bytes.size() - 40));
  expect_error([&] { read_image(folder_.path("a.jpg")); }, ErrorKind::input,
               "a.jpg: the file ends, after ");
  const auto source = open_image(folder_.path("a.jpg"), {.allow_truncated = true});
  Image target(whole.info());
  source->read({0, 29}, target.view());
  EXPECT_GT(greatest_difference(whole.view(), target.view()), 0);
  EXPECT_LT(greatest_difference(whole.view(), target.view()), 64);
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("its image is coarser than it was"), std::string::npos);
}

TEST_F(Jpeg, WarnsOfAMissingEnd) {
  const std::string bytes = read_bytes(kData + "rgb420.jpg");
  write_bytes(folder_.path("a.jpg"), bytes.substr(0, bytes.size() - 2));
  const auto source = open_image(folder_.path("a.jpg"), {.allow_truncated = true});
  Image target(source->info());
  source->read({0, 29}, target.view());
  EXPECT_TRUE(same_samples(read_image(kData + "rgb420.jpg").view(), target.view()));
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("no row is missing"), std::string::npos);
}

TEST_F(Jpeg, SurvivesEveryChangedByte) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg", "orientation6.jpg"}) {
    const std::string whole = read_bytes(kData + name);
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ 0x55);
      write_bytes(folder_.path("changed.jpg"), changed);
      try {
        read_image(folder_.path("changed.jpg"), {.allow_truncated = i % 2 == 0});
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      }
    }
  }
}

TEST_F(Jpeg, NoticesAFileThatChanges) {
  write_image(folder_.path("a.jpg"), random_image({400, 400, 3}, Type::u8, 1).view());
  const auto source = open_image(folder_.path("a.jpg"));
  write_image(folder_.path("b.jpg"), smooth_image({640, 64, 3}).view());
  const std::string part = read_bytes(folder_.path("a.jpg")).substr(0, 100000);
  write_bytes(folder_.path("a.jpg"), part);
  Image target(source->info());
  const auto read = [&] { source->read({0, 400}, target.view()); };
  EXPECT_THROW(read(), Error);
  write_bytes(folder_.path("a.jpg"), read_bytes(folder_.path("b.jpg")));
  expect_error(read, ErrorKind::input, "a.jpg: it changed while it was read");
}

}  // namespace
}  // namespace tessera
