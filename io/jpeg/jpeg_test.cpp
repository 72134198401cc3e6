// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using namespace testing;

const std::string kData = TESSERA_SOURCE_DIR "/tests/data/jpeg/";

class Jpeg : public FormatTest {
 protected:
  Jpeg() : FormatTest("JPEG") {}
};

// Smooth, because JPEG preserves that.
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

TEST_F(Jpeg, ReadsWhatOthersRead) { expect_known_files(kData, ".jpg", kKnownFiles); }

TEST_F(Jpeg, TellsWhatTheFileSays) {
  const std::vector<KnownDetail> known = {
      {"grey", "coding", "sequential"},
      {"grey", "colours", "grey"},
      {"grey", "sampling", ""},
      {"grey", "orientation", ""},
      {"progressive", "coding", "progressive"},
      {"rgb420", "colours", "YCbCr"},
      {"rgb420", "sampling", "4:2:0"},
      {"rgb420", "resolution", "300 x 150 dots per inch"},
      {"rgb422_restarts", "sampling", "4:2:2"},
      {"stored_rgb", "colours", "RGB"},
      {"stored_rgb", "sampling", "4:4:4"},
      {"orientation6", "orientation", "6: to be turned by 90 degrees clockwise"},
  };
  expect_details(kData, ".jpg", known);
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
    expect_rows_in_any_order(kData + name, whole.view(), {26, 0, 12, 11});
    Image target(Size{74, 58, 3}, Type::u8);
    const auto to = every_second_upwards(target.view(), {37, 29, 3});
    open_image(kData + name)->read({0, 29}, to);
    EXPECT_TRUE(same_samples(whole.view(), to));
  }
}

TEST_F(Jpeg, StartsAgainWhereMoreWasReadThanIsKept) {
  const Image image = smooth_image({16000, 3000, 3});  // 137 MiB; 64 are kept
  write_image(folder_.path("a.jpg"), image.view());
  const Image whole = read_image(folder_.path("a.jpg"));
  expect_rows_in_any_order(folder_.path("a.jpg"), whole.view(), {2998, 2990, 5}, 2);
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
      {{{65501, 1}, Type::u8}, 95, "at most 65500 pixels per side; this image has 65501x1"},
      {{{2, 2}, Type::u8}, 0, "quality is 0; it can be 1 to 100"},
      {{{2, 2}, Type::u8}, 101, "quality is 101; it can be 1 to 100"},
  };
  for (const Case& c : cases)
    expect_error([&] { create_image(folder_.path("a.jpg"), c.info, {.quality = c.quality}); },
                 ErrorKind::usage, c.part);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Jpeg, LeavesNothingBehindUnfinished) {
  expect_nothing_unfinished(folder_, "a.jpg", testing::short_view(smooth_image({30, 20, 1})));
}

// A grey JPEG of 8x8 blocks of one value, made by hand: the table of Huffman codes has only the
// code 00 for "no difference". The same scan is repeated `scans` times.
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
  EXPECT_EQ(sum_of(testing::short_view(read_image(folder_.path("a.jpg")))), 128 * 24 * 16);
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
               "cmyk.jpg: its colours are CMYK, for printing; convert it to an RGB JPEG or PNG");
  expect_error([] { read_image(kData + "truncated_jpeg.jpg"); }, ErrorKind::input,
               "truncated_jpeg.jpg: the file ends after 6698 bytes, in scan 10 near row 96 of 100");
  struct Case {
    std::string bytes, part;
  };
  std::string twelve_bits = handmade(8, 8, 1);
  twelve_bits[twelve_bits.find("\xff\xc2") + 4] = 12;
  const Case cases[] = {
      {"", "a.jpg: the file ends after 0 bytes, in its header"},
      {"\xff\xd8\xff", "a.jpg: the file ends after 3 bytes, in its header"},
      {"this is only text", "its header is damaged: Not a JPEG file"},
      {"\xff\xd8 JFIF", "its header is damaged: no marker follows its start"},
      {twelve_bits, "Unsupported JPEG data precision 12"},
  };
  for (const Case& c : cases) {
    write_bytes(folder_.path("a.jpg"), c.bytes);
    expect_error([&] { read_image(folder_.path("a.jpg")); }, ErrorKind::input, c.part);
  }
}

TEST_F(Jpeg, RefusesEveryTruncation) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg", "rgb422_restarts.jpg"})
    expect_truncations_refused(kData + name, folder_.path("cut.jpg"), 4);
}

TEST_F(Jpeg, FillsTheRowsThatAreMissing) {
  write_image(folder_.path("a.jpg"), testing::short_view(smooth_image({300, 200, 3})));
  expect_missing_rows_filled(folder_.path("a.jpg"),
                             testing::short_view(read_image(folder_.path("a.jpg"))), 40, 160);
}

TEST_F(Jpeg, KeepsTheCoarseImageOfADamagedProgressiveFile) {
  const std::string bytes = read_bytes(kData + "progressive.jpg");
  const Image whole = read_image(kData + "progressive.jpg");
  write_bytes(folder_.path("a.jpg"), bytes.substr(0, bytes.size() - 40));
  expect_error([&] { read_image(folder_.path("a.jpg")); }, ErrorKind::input,
               "a.jpg: the file ends after ");
  const auto source = open_image(folder_.path("a.jpg"), {.allow_truncated = true});
  Image target(whole.info());
  source->read({0, 29}, target.view());
  EXPECT_GT(greatest_difference(whole.view(), target.view()), 0);
  EXPECT_LT(greatest_difference(whole.view(), target.view()), 64);
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("the image is coarser than the original"),
            std::string::npos);
}

TEST_F(Jpeg, WarnsOfMissingScans) {
  const std::string bytes = read_bytes(kData + "progressive.jpg");
  EXPECT_TRUE(open_image(kData + "progressive.jpg")->warnings().empty());
  write_bytes(folder_.path("a.jpg"), bytes.substr(0, bytes.rfind("\xff\xda")) + "\xff\xd9");
  const auto source = open_image(folder_.path("a.jpg"));
  Image target(source->info());
  source->read({0, source->info().size.height}, target.view());
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("its last scans are missing"), std::string::npos);
}

TEST_F(Jpeg, WarnsOfAMissingEnd) {
  expect_missing_end_warned(kData + "rgb420.jpg", folder_.path("a.jpg"), 2);
}

// Bytes after the data of a scan may be pixels that were decoded differently.
TEST_F(Jpeg, WarnsOfBytesAfterTheData) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg"}) {
    const std::string whole = read_bytes(kData + name);
    const Image image = read_image(kData + name);
    const auto read_with = [&](std::size_t at) {
      write_bytes(folder_.path("a.jpg"),
                  whole.substr(0, at) + std::string(40, '\0') + whole.substr(at));
      const auto source = open_image(folder_.path("a.jpg"));
      Image target(image.info());
      source->read({0, image.info().size.height}, target.view());
      EXPECT_TRUE(same_samples(image.view(), target.view())) << name;
      return source->warnings();
    };
    const std::vector<std::string> warnings = read_with(whole.size() - 2);
    ASSERT_EQ(warnings.size(), 1u) << name;
    EXPECT_NE(warnings[0].find("a.jpg: extra bytes follow the data of its pixels"),
              std::string::npos)
        << warnings[0];
    EXPECT_TRUE(read_with(whole.find("\xff\xdb")).empty()) << name;
  }
}

TEST_F(Jpeg, SurvivesEveryChangedByte) {
  for (const char* name : {"rgb420.jpg", "progressive.jpg", "orientation6.jpg"})
    expect_survives_flips(kData + name, folder_.path("changed.jpg"), run_all() ? 1 : 3);
}

TEST_F(Jpeg, NoticesAFileThatChanges) {
  write_image(folder_.path("a.jpg"), testing::short_view(random_image({400, 400, 3}, Type::u8, 1)));
  const auto source = open_image(folder_.path("a.jpg"));
  write_image(folder_.path("b.jpg"), testing::short_view(smooth_image({640, 64, 3})));
  const std::string part = read_bytes(folder_.path("a.jpg")).substr(0, 100000);
  write_bytes(folder_.path("a.jpg"), part);
  Image target(source->info());
  const auto read = [&] { source->read({0, 400}, target.view()); };
  EXPECT_THROW(read(), Error);
  write_bytes(folder_.path("a.jpg"), read_bytes(folder_.path("b.jpg")));
  expect_error(read, ErrorKind::input, "a.jpg: it changed while it was being read");
}

}  // namespace
}  // namespace tessera
