// SPDX-License-Identifier: Apache-2.0
// Signed integers in files: written as they are, read as the smallest type that holds them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/compare.hpp"
#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/test_files.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr Type kSigned[] = {Type::i16, Type::i32};

struct Case {
  const char* name;
  Compression compression = Compression::automatic;
};
const Case kCases[] = {{"a.npy"},
                       {"a.tif"},
                       {"a.tif", Compression::deflate},
                       {"a.tif", Compression::lzw},
                       {"a.fits"},
                       {"a.fits", Compression::rice},
                       {"a.fits", Compression::deflate}};

Type type_read(Type stored) { return stored == Type::i16 ? Type::f32 : Type::f64; }

TEST(SignedFiles, KeepEveryValue) {
  const TemporaryFolder folder;
  for (const Case& c : kCases)
    for (const Type type : kSigned) {
      const std::string path = folder.path(c.name);
      if (!can_write(std::string(c.name).substr(1))) continue;
      for (const Size size : {Size{1, 1}, Size{33, 7}, Size{300, 200}, Size{5, 4, 1, 3}}) {
        const Image image = random_image(size, type, 1);
        write_image(path, image.view(), {.force = true, .compression = c.compression});
        const Image read = read_image(path);
        EXPECT_EQ(read.info().type, type_read(type)) << c.name;
        const Image wanted = as_double(image.view()), found = as_double(read.view());
        EXPECT_TRUE(same_samples(wanted.view(), found.view()))
            << c.name << name_of(type) << name_of(c.compression) << size.width;
      }
    }
}

TEST(SignedFiles, AreWrittenFromViewsWithSteps) {
  const TemporaryFolder folder;
  const Size size{9, 5, 1, 2};
  for (const char* name : {"a.npy", "a.tif", "a.fits"})
    for (const Type type : kSigned) {
      if (!can_write(std::string(name).substr(1))) continue;
      const Image large = random_image({18, 10, 1, 2}, type, 1);
      const AnyView part = every_second_upwards(large.view(), size);
      write_image(folder.path(name), part, {.force = true});
      const Image back = read_image(folder.path(name));
      const Image wanted = as_double(part), found = as_double(back.view());
      EXPECT_TRUE(same_samples(wanted.view(), found.view())) << name;
    }
}

TEST(SignedFiles, RawBytesAreReadInBothOrders) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.raw"), std::string("\xFF\xFE\x00\x01", 4));
  const Image big = read_image(folder.path("a.raw"), {.raw = "2x1:i16:big"});
  EXPECT_EQ(big.info().type, Type::f32);
  EXPECT_EQ(big.as<float>().at(0, 0), -2);
  EXPECT_EQ(big.as<float>().at(1, 0), 1);
  const Image little = read_image(folder.path("a.raw"), {.raw = "1x1:i32"});
  EXPECT_EQ(little.info().type, Type::f64);
  EXPECT_EQ(little.as<double>().at(0, 0), 0x0100FEFF);
}

TEST(SignedFiles, OtherFormatsSayWhatTheyHold) {
  const TemporaryFolder folder;
  const Image image(Size{4, 4}, Type::i16);
  const auto write = [&](const char* name) {
    return [&folder, &image, name] { write_image(folder.path(name), image.view()); };
  };
  if (can_write(".png"))
    expect_error(write("a.png"), ErrorKind::usage, "PNG holds u8 or u16; this image is i16");
  if (can_write(".jpg"))
    expect_error(write("a.jpg"), ErrorKind::usage, "JPEG holds u8; this image is i16");
  if (can_write(".avi"))
    expect_error(write("a.avi"), ErrorKind::usage, "this image is i16: convert it to u8 first");
}

}  // namespace
}  // namespace tessera
