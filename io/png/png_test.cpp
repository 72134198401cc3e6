// SPDX-License-Identifier: Apache-2.0
#include "io/png/png.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using namespace testing;

const std::string kSuite = TESSERA_SOURCE_DIR "/tests/data/pngsuite/";

class Png : public FormatTest {
 protected:
  Png() : FormatTest("PNG") {}
};

TEST_F(Png, KeepsEveryTypeAndChannel) {
  for (const Type type : {Type::u8, Type::u16})
    for (int channels = 1; channels <= 4; ++channels)
      for (const Size side : {Size{1, 1}, Size{33, 1}, Size{1, 17}, Size{40, 23}}) {
        const Image image = random_image({side.width, side.height, channels}, type, 1);
        write_image(folder_.path("a.png"), image.view(), {.force = true});
        EXPECT_TRUE(
            same_samples(image.view(), testing::short_view(read_image(folder_.path("a.png")))));
      }
}

TEST_F(Png, WritesAndReadsViewsWithSteps) {
  const Size size{9, 5, 3};
  const Image large = random_image({18, 10, 3}, Type::u16, 1);
  const AnyView part = every_second_upwards(large.view(), size);
  write_image(folder_.path("a.png"), part);
  Image target(large.info());
  const auto to = every_second_upwards(target.view(), size);
  open_image(folder_.path("a.png"))->read({0, 5}, to);
  EXPECT_TRUE(same_samples(part, to));
}

TEST_F(Png, ReadsRowsInAnyOrder) {
  // 6000 rows of 16 KiB are more than the source keeps, so going back starts the file again.
  Image image(Size{4096, 6000, 4}, Type::u8);
  for (int row = 0; row < 6000; ++row)
    image.as<unsigned char>().at(row % 4096, row) = static_cast<unsigned char>(1 + row % 255);
  const auto sink = create_image(folder_.path("a.png"), image.info());
  for (int row = 0; row < 6000; row += 1500)
    sink->write({row, row + 1500}, image.view().rows(row, 1500));
  sink->finish();
  expect_rows_in_any_order(folder_.path("a.png"), image.view(), {5997, 5990, 5, 0, 1024});
}

// Sums and pixels from a short decoder in Python, independent of libpng.
const KnownFile kSuiteFiles[] = {
    {"basn0g01", {32, 32, 1}, 127500, {255}},
    {"basn0g02", {32, 32, 1}, 130560, {170}},
    {"basn0g04", {32, 32, 1}, 121856, {34}},
    {"basn0g08", {32, 32, 1}, 130056, {167}},
    {"basn0g16", {32, 32, 1}, 37857070, {18688}, Type::u16},
    {"basn2c08", {32, 32, 3}, 587520, {255, 255, 88}},
    {"basn2c16", {32, 32, 3}, 78641960, {50737, 54965, 0}, Type::u16},
    {"basn3p01", {32, 32, 3}, 470016, {238, 255, 34}},
    {"basn3p02", {32, 32, 3}, 326400, {0, 0, 255}},
    {"basn3p04", {32, 32, 3}, 394944, {255, 187, 0}},
    {"basn4a08", {32, 32, 2}, 260160, {213, 57}},
    {"basn4a16", {32, 32, 2}, 54214708, {12482, 21141}, Type::u16},
    {"basn6a08", {32, 32, 4}, 525984, {255, 159, 7, 57}},
    {"tbbn0g04", {32, 32, 2}, 318631, {153, 255}},
    {"tm3n3p02", {32, 32, 4}, 391680, {0, 0, 255, 0}},
};

TEST_F(Png, ReadsTheSuite) { expect_known_files(kSuite, ".png", kSuiteFiles); }

TEST_F(Png, ReadsInterlacedFilesLikeTheirTwins) {
  for (const std::string name : {"0g01", "2c16", "3p02"}) {
    const Image plain = read_image(kSuite + "basn" + name + ".png");
    EXPECT_TRUE(same_samples(plain.view(),
                             testing::short_view(read_image(kSuite + "basi" + name + ".png"))));
    Image rows(Size{32, 2, plain.info().size.channels}, plain.info().type);
    open_image(kSuite + "basi" + name + ".png")->read({9, 11}, rows.view());
    EXPECT_TRUE(same_samples(plain.view().rows(9, 2), rows.view()));
  }
}

TEST_F(Png, RefusesDamagedFilesWithASentence) {
  struct Case {
    const char* name;
    const char* part;
  };
  const Case cases[] = {{"xd0n2c08", "xd0n2c08.png: its header is damaged: "},
                        {"xcsn0g01", "xcsn0g01.png: "},
                        {"xdtn0g01", "xdtn0g01.png: its header is damaged: "}};
  for (const Case& c : cases)
    expect_error([&] { read_image(kSuite + c.name + ".png"); }, ErrorKind::input, c.part);
}

TEST_F(Png, RefusesOtherFilesWithASentence) {
  struct Case {
    std::string bytes, part;
  };
  std::string huge = read_bytes(kSuite + "basn0g01.png");
  huge.replace(16, 8, std::string("\x00\x10\x00\x00\x00\x10\x00\x00", 8));  // 2^20 per side
  huge.replace(29, 4, "\x63\x53\x9d\x68");                                  // and its checksum
  const Case cases[] = {
      {"", "it has 0 bytes; a PNG signature needs 8"},
      {"\x89P", "it has 2 bytes; a PNG signature needs 8"},
      {"this is only text", "its header is damaged"},
      {huge, "its header claims 1048576x1048576 pixels, which a file of 164 bytes cannot hold"},
  };
  for (const Case& c : cases) {
    write_bytes(folder_.path("a.png"), c.bytes);
    expect_error([&] { read_image(folder_.path("a.png")); }, ErrorKind::input, c.part);
  }
}

TEST_F(Png, ObeysTheSideLimit) {
  expect_error([] { open_image(kSuite + "basn0g01.png", {.limits = {.side = 31}}); },
               ErrorKind::input, "its width is 32; the limit is 31, see the option max-side");
}

TEST_F(Png, RefusesEveryTruncation) {
  for (const char* name : {"basn2c08.png", "basi3p02.png", "tm3n3p02.png"})
    expect_truncations_refused(kSuite + name, folder_.path("cut.png"));
}

TEST_F(Png, NamesTheRowWhereAFileEnds) {
  const Image image = random_image({300, 200, 3}, Type::u8, 1);
  write_image(folder_.path("a.png"), image.view());
  const std::string whole = read_bytes(folder_.path("a.png"));
  write_bytes(folder_.path("a.png"), whole.substr(0, whole.size() / 2));
  const auto source = open_image(folder_.path("a.png"));
  Image rows(Size{300, 10, 3}, Type::u8);
  source->read({0, 10}, rows.view());
  EXPECT_TRUE(same_samples(image.view().rows(0, 10), rows.view()));
  Image target(image.info());
  expect_error(
      [&] {
        source->read({0, 200}, target.view());
      },
      ErrorKind::input,
      "the file ends after " + std::to_string(whole.size() / 2) + " bytes, in row ");
  source->read({0, 10}, rows.view());
  EXPECT_TRUE(same_samples(image.view().rows(0, 10), rows.view())) << "after an error";
}

TEST_F(Png, FillsTheRowsThatAreMissing) {
  const Image image = random_image({300, 200, 3}, Type::u16, 1);
  write_image(folder_.path("a.png"), image.view());
  expect_missing_rows_filled(folder_.path("a.png"), image.view(), 60, 140);
}

TEST_F(Png, KeepsThePassesBeforeTheDamage) {
  const std::string whole = read_bytes(kSuite + "basi2c16.png");
  const Image image = read_image(kSuite + "basi2c16.png");
  write_bytes(folder_.path("a.png"), whole.substr(0, whole.size() * 2 / 3));
  const auto source = open_image(folder_.path("a.png"), {.allow_truncated = true});
  Image target(image.info());
  source->read({0, 32}, target.view());
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      for (int c = 0; c < 3; ++c)
        if (const long long sample = sample_at(target.view(), x, y, c); sample != 0) {
          EXPECT_EQ(sample, sample_at(image.view(), x, y, c));
        }
  EXPECT_EQ(sample_at(target.view(), 8, 8, 0), sample_at(image.view(), 8, 8, 0));
  ASSERT_EQ(source->warnings().size(), 1u);
  EXPECT_NE(source->warnings()[0].find("the pixels of pass "), std::string::npos);
}

TEST_F(Png, WarnsOfAMissingEnd) {
  expect_missing_end_warned(kSuite + "basn2c08.png", folder_.path("a.png"), 12);
}

// A damaged part may be the one by which pixels become transparent.
TEST_F(Png, WarnsOfDamagedParts) {
  const std::string whole = read_bytes(kSuite + "tbbn0g04.png");
  const auto warnings_of = [&](const std::string& bytes) {
    write_bytes(folder_.path("a.png"), bytes);
    const auto source = open_image(folder_.path("a.png"));
    Image target(source->info());
    source->read({0, source->info().size.height}, target.view());
    return source->warnings();
  };
  EXPECT_TRUE(warnings_of(whole).empty());
  for (const char* part : {"gAMA", "tRNS"}) {
    std::string damaged = whole;
    damaged[whole.find(part) + 5] ^= 1;
    const std::vector<std::string> warnings = warnings_of(damaged);
    ASSERT_EQ(warnings.size(), 1u) << part;
    EXPECT_NE(warnings[0].find(std::string(part) + ": CRC error"), std::string::npos);
  }
  std::string odd = whole;
  const std::size_t at = whole.find("tRNS");
  odd[at + 4] = 1;
  const auto* start = reinterpret_cast<const unsigned char*>(odd.data() + at);
  const unsigned long sum = ::crc32(0, start, 6);
  for (int i = 0; i < 4; ++i)
    odd[at + 6 + static_cast<std::size_t>(i)] = static_cast<char>(sum >> (24 - 8 * i));
  const std::vector<std::string> warnings = warnings_of(odd);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("tRNS chunk has out-of-range samples"), std::string::npos);
}

TEST_F(Png, TellsWhatTheFileSays) {
  const std::vector<KnownDetail> known = {
      {"basn0g01", "colours", "grey"},
      {"basn0g01", "bits", "1"},
      {"basn0g01", "interlaced", "no"},
      {"basn0g01", "gamma", "1"},
      {"basi2c16", "interlaced", "yes"},
      {"basi2c16", "bits", "16"},
      {"basn4a16", "colours", "grey and alpha"},
      {"basn6a08", "colours", "RGB and alpha"},
      {"tm3n3p02", "colours", "palette with transparency"},
  };
  expect_details(kSuite, ".png", known);
}

TEST_F(Png, LimitsTheChunksOfAHeader) {
  const std::string name = kSuite + "tm3n3p02.png";  // IHDR, PLTE and tRNS before the pixels
  EXPECT_NO_THROW(read_image(name, {.limits = {.tags = 3}}));
  expect_error([&] { read_image(name, {.limits = {.tags = 2}}); }, ErrorKind::input,
               "it has 3 tags; the limit is 2, see the option max-tags");
}

TEST_F(Png, SurvivesEveryChangedByte) {
  for (const char* name : {"basn3p02.png", "basi0g01.png"})
    expect_survives_flips(kSuite + name, folder_.path("changed.png"));
}

TEST_F(Png, WritesOnlyWhatItCanHold) {
  expect_error(
      [&] {
        write_image(folder_.path("a.png"), testing::short_view(Image(Size{2, 2}, Type::f32)));
      },
      ErrorKind::usage,
      "a.png: PNG holds u8 or u16; this image is f32: give an .npy name or convert it to u8 "
      "first");
  expect_error(
      [&] {
        write_image(folder_.path("a.png"), testing::short_view(Image(Size{2, 2, 1, 5}, Type::u8)));
      },
      ErrorKind::usage, "this one has 5 planes");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Png, LeavesNothingBehindUnfinished) {
  expect_nothing_unfinished(folder_, "a.png",
                            testing::short_view(random_image({30, 20}, Type::u8, 1)));
}

}  // namespace
}  // namespace tessera
