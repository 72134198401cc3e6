// SPDX-License-Identifier: Apache-2.0
// Samples without a header: layouts as users type them, byte orders, short files.
#include "io/raw/raw.hpp"

#include <gtest/gtest.h>

#include "tests/support/bad_calls.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

TEST(Raw, GivesBackEveryTypeAndShape) {
  const TemporaryFolder folder;
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const Size size : {Size{1, 1}, Size{7, 5, 3}, Size{6, 4, 1, 3}, Size{5, 3, 2, 2}}) {
      const Image image = random_image(size, type, 3);
      write_image(folder.path("a.raw"), image.view(), {.force = true});
      EXPECT_EQ(read_bytes(folder.path("a.raw")).size(), bytes_of(image.info()));
      const ReadOptions options{.raw = raw_layout_text(image.info())};
      EXPECT_TRUE(same_samples(image.view(),
                               testing::short_view(read_image(folder.path("a.raw"), options))));
    }
}

TEST(Raw, ReadsTheOtherByteOrderAfterAHeader) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.raw"), std::string("head\x01\x02\x03\x04", 8));
  const Image big = read_image(folder.path("a.raw"), {.raw = "2x1:u16:big:skip=4"});
  EXPECT_EQ(big.as<unsigned short>().at(0, 0), 0x0102);
  EXPECT_EQ(big.as<unsigned short>().at(1, 0), 0x0304);
  const Image little = read_image(folder.path("a.raw"), {.raw = "2x1:u16:little:skip=4"});
  EXPECT_EQ(little.as<unsigned short>().at(0, 0), 0x0201);
}

TEST(Raw, GoesByItsNameWhateverItsBytes) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.raw"), "BM89");
  EXPECT_EQ(read_image(folder.path("a.raw"), {.raw = "4x1:u8"}).info().size, (Size{4, 1}));
}

TEST(Raw, RefusesLayoutsItDoesNotUnderstand) {
  const auto parse = [](const char* text) { return [text] { parse_raw_layout(text); }; };
  constexpr const char* kEnd =
      "; write WIDTHxHEIGHT[xCHANNELS[xPLANES]]:TYPE[:big][:skip=BYTES], such as 640x480:u16";
  const auto not_understood = [&](const char* part) {
    return "raw: '" + std::string(part) + "' is not understood" + kEnd;
  };
  expect_refused(
      {{parse("5:u8"), not_understood("5").c_str()},
       {parse("5x:u8"), not_understood("5x").c_str()},
       {parse("1x2x3x4x5:u8"), not_understood("1x2x3x4x5").c_str()},
       {parse("-1x2:u8"), not_understood("-1").c_str()},
       {parse("2x2:u8:huge"), not_understood("huge").c_str()},
       {parse("2x2:u8:skip=x"), not_understood("x").c_str()},
       {parse("2x2:u9"),
        "raw: 'u9' is not known (did you mean u8?); it can be u8, u16, f32, f64, i16 or i32"}});
}

TEST(Raw, NeedsALayoutAndEnoughBytes) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.raw");
  write_bytes(path, std::string(10, '\1'));
  expect_error([&] { read_image(path); }, ErrorKind::usage, "give the option raw");
  expect_error([&] { read_image(path, {.raw = "2x3:u16"}); }, ErrorKind::input,
               "need 12 bytes after byte 0; there are 10");
  expect_error([&] { read_image(path, {.raw = "0x3:u16"}); }, ErrorKind::input, "its width is 0");
}

TEST(Raw, FillsWhatIsMissingWhereThatIsAllowed) {
  const TemporaryFolder folder;
  const Image image = random_image({4, 3}, Type::f32, 3);
  write_image(folder.path("a.raw"), image.view());
  std::filesystem::resize_file(folder.path("a.raw"), 4 * 9 + 2);
  std::vector<std::string> warnings;
  const Image filled =
      read_image(folder.path("a.raw"), {.allow_truncated = true, .raw = "4x3:f32"}, &warnings);
  for (int i = 0; i < 12; ++i) {
    const float value = filled.as<float>().at(i % 4, i / 4);
    if (i < 9)
      EXPECT_EQ(value, image.as<float>().at(i % 4, i / 4));
    else
      EXPECT_NE(value, value) << i;
  }
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("there are 38"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace tessera::testing
