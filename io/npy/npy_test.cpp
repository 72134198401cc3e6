// SPDX-License-Identifier: Apache-2.0
#include "io/npy/npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

const std::string kData = TESSERA_SOURCE_DIR "/tests/data/npy/";
constexpr Type kTypes[] = {Type::u8, Type::u16, Type::f32, Type::f64};

template <class T>
std::vector<T> samples(const Image& image) {
  const T* data = static_cast<const T*>(image.view().data);
  return {data, data + image.info().size.samples()};
}

TEST(Npy, KeepsEverySampleTypeChannelAndPlane) {
  const TemporaryFolder folder;
  for (const Type type : kTypes)
    for (int channels = 1; channels <= 4; ++channels)
      for (const int planes : {1, 3})
        for (const int width : {1, 2, 4, 5, 33}) {
          const Image image = random_image({width, 7, channels, planes}, type, 1);
          write_image(folder.path("a.npy"), image.view(), {.force = true});
          EXPECT_TRUE(
              same_samples(image.view(), testing::short_view(read_image(folder.path("a.npy")))));
        }
}

TEST(Npy, WritesAndReadsViewsWithSteps) {
  const TemporaryFolder folder;
  for (const Type type : kTypes) {
    const Size size{9, 5, 3, 2};
    const Image large = random_image({18, 10, 3, 2}, type, 1);
    const AnyView part = every_second_upwards(large.view(), size);
    write_image(folder.path("a.npy"), part, {.force = true});
    Image target(ImageInfo{{18, 10, 3, 2}, type});
    const auto to = every_second_upwards(target.view(), size);
    open_image(folder.path("a.npy"))->read({0, 5}, to);
    EXPECT_TRUE(same_samples(part, to));
  }
}

TEST(Npy, ReadsRowsInAnyOrder) {
  const TemporaryFolder folder;
  const Image image = random_image({6, 10, 2, 2}, Type::u16, 1);
  write_image(folder.path("a.npy"), image.view());
  expect_rows_in_any_order(folder.path("a.npy"), image.view(), {7, 0, 4});
}

TEST(Npy, SinkTakesRowsInOrderAndAllOfThem) {
  const TemporaryFolder folder;
  const Image image = random_image({6, 10}, Type::u8, 1);
  const auto sink = create_image(folder.path("a.npy"), image.info());
  sink->write({0, 4}, image.view().rows(0, 4));
  expect_error([&] { sink->write({5, 10}, image.view().rows(5, 5)); }, ErrorKind::failure, "row 5");
  expect_error([&] { sink->finish(); }, ErrorKind::failure, "row 4 comes next");
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.npy")));
  sink->write({4, 10}, image.view().rows(4, 6));
  sink->finish();
  EXPECT_TRUE(same_samples(image.view(), testing::short_view(read_image(folder.path("a.npy")))));
}

TEST(Npy, WritesWhatTheFormatSays) {
  const TemporaryFolder folder;
  Image image(Size{2, 1}, Type::u8);
  image.as<unsigned char>().at(1, 0) = 9;
  write_image(folder.path("a.npy"), image.view());
  const std::string dictionary = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }";
  const std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary +
                               std::string(0x76 - 1 - dictionary.size(), ' ') + "\n" +
                               std::string("\x00\x09", 2);
  EXPECT_EQ(read_bytes(folder.path("a.npy")), expected);
}

TEST(Npy, ReadsWhatNumpyWrote) {
  EXPECT_EQ(samples<float>(read_image(kData + "c_f4.npy")),
            (std::vector<float>{0, 0.5, 1, 1.5, 2, 2.5}));
  const Image big = read_image(kData + "fortran_big_u2.npy");
  EXPECT_EQ(big.info().size, (Size{3, 2}));
  EXPECT_EQ(samples<unsigned short>(big),
            (std::vector<unsigned short>{1, 1001, 2001, 3001, 4001, 5001}));
  const Image rgb = read_image(kData + "v2_u1_rgb.npy");
  EXPECT_EQ(rgb.info().size, (Size{2, 2, 3}));
  EXPECT_EQ(samples<unsigned char>(rgb)[11], 11);
  const Image row = read_image(kData + "v3_f8_row.npy");
  EXPECT_EQ(row.info().size, (Size{3, 1}));
  EXPECT_EQ(samples<double>(row), (std::vector<double>{1.5, -2, 1e300}));
  EXPECT_EQ(samples<double>(read_image(kData + "big_f8.npy")), (std::vector<double>{1.5, -0.25}));
  EXPECT_EQ(samples<double>(read_image(kData + "i4.npy")), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(samples<unsigned char>(read_image(kData + "bool.npy")),
            (std::vector<unsigned char>{1, 0, 1}));
  const Image planes = read_image(kData + "planes.npy");
  EXPECT_EQ(planes.info().size, (Size{5, 1, 1, 2}));
  EXPECT_EQ(planes.as<unsigned char>().at(2, 0, 0, 1), 7);
}

TEST(Npy, ReadsFortranOrderWithPlanesAndChannels) {
  const Image image = read_image(kData + "fortran_planes.npy");
  ASSERT_EQ(image.info().size, (Size{3, 2, 2, 2}));
  const std::vector<unsigned char> all = samples<unsigned char>(image);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(all[static_cast<size_t>(i)], i);
  Image second_row(Size{3, 1, 2, 2}, Type::u8);
  open_image(kData + "fortran_planes.npy")->read({1, 2}, second_row.view());
  EXPECT_TRUE(same_samples(image.view().rows(1, 1), second_row.view()));
}

TEST(Npy, ReadsHalvesExactly) {
  EXPECT_EQ(samples<float>(read_image(kData + "f2.npy")),
            (std::vector<float>{1, -2, 0x1.998p-4f, 65504, 0x1p-24f,
                                std::numeric_limits<float>::infinity()}));
}

std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(dictionary.size() & 255);
  bytes += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + dictionary + data;
}
std::string dictionary(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

TEST(Npy, ReadsUnusualButRightHeaders) {
  const TemporaryFolder folder;
  const std::string headers[] = {
      "{'shape': (1L, 2L), \"descr\": '=u1' , 'fortran_order' : True}",
      "  {'descr':'|u1','fortran_order':False,'shape':(2,),}  \n",
      "{'descr': 'u1', 'fortran_order': False, 'shape': (1, 2,)}",
  };
  for (const std::string& header : headers) {
    write_bytes(folder.path("a.npy"), npy(header, "\x07\x08 more bytes do not matter"));
    const Image image = read_image(folder.path("a.npy"));
    EXPECT_EQ(image.info().size, (Size{2, 1}));
    EXPECT_EQ(samples<unsigned char>(image), (std::vector<unsigned char>{7, 8}));
  }
}

TEST(Npy, RefusesMalformedFilesWithASentence) {
  struct Case {
    std::string bytes, part;
  };
  const std::string data(64, '\1');
  const Case cases[] = {
      {"", "it has 0 bytes; an NPY header needs at least 10"},
      {"\x93N", "it has 2 bytes; an NPY header needs at least 10"},
      {std::string("\x93NUMPY\x02\x00\x00\x00\x00", 11), "version 2 header needs at least 12"},
      {"not an array at all", "does not begin like an NPY file"},
      {npy(dictionary("|u1", "(2, 3)"), data, 4), "NPY version 4"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "header claims 65535 bytes"},
      {npy("", data), "no '{' at byte 0"},
      {npy("{'descr': '<f4'", data), "no '}' at byte 15"},
      {npy("{'descr: 4}", data), "no closing quote"},
      {npy("{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}", data), "no True or False"},
      {npy("{'colour': 'red'}", data), "no known key"},
      {npy("{'descr': '<f4', 'shape': (2,)}", data), "must have descr, fortran_order and shape"},
      {npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", data), "once"},
      {npy(dictionary("|u1", "(2, 3)") + "x", data), "no end"},
      {npy(dictionary("|u1", "(-2, 3)"), data), "no axis length"},
      {npy(dictionary("|u1", "(99999999999999999999,)"), data), "no axis length"},
      {npy(dictionary("|u1", "(2 3)"), data), "no ')'"},
      {npy(dictionary("|u1", "(2)"), data), "no comma after the only axis"},
      {npy(dictionary("|u1", "(02, 3)"), data), "no axis length"},
      {npy(dictionary("|u1", "(2,\v3)"), data), "no axis length"},
      {npy(dictionary("|u1", "()"), data), "its shape has 0 axes; an image has 1 to 4"},
      {npy(dictionary("|u1", "(1, 1, 1, 1, 1)"), data), "its shape has 5 axes"},
      {npy(dictionary("|u1", "(0, 3)"), data), "its height is 0; it must be at least 1"},
      {npy(dictionary("|u1", "(1048577, 1)"), data), "its height is 1048577"},
      {npy(dictionary("|u1", "(1, 2000000)"), data), "its width is 2000000"},
      {npy(dictionary("|u1", "(1, 2, 3, 5)"), data), "it has 5 channels; it can have 1 to 4"},
      {npy(dictionary("|u1", "(65537, 1, 5)"), data), "it has 65537 pages; the limit is 65536"},
      {npy(dictionary("<f8", "(3, 3)"), data),
       "its 3x3 pixels, 1 channel and 1 plane need 72 bytes after byte 69; there are 64"},
      {npy(dictionary("<i8", "(2, 2)"), data), "its items are '<i8'; they can be uint8, uint16"},
      {npy(dictionary("", "(2, 2)"), data), "its items are ''"},
      {npy(dictionary("|O", "(2, 2)"), data), "its items are '|O'"},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    write_bytes(folder.path("a.npy"), c.bytes);
    expect_error([&] { read_image(folder.path("a.npy")); }, ErrorKind::input, c.part);
    expect_error([&] { read_image(folder.path("a.npy")); }, ErrorKind::input, "a.npy: ");
  }
}

TEST(Npy, RefusesShapesThatNoNumberHolds) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.npy"),
              npy(dictionary("<f8", "(2147483647, 1048576, 1048576, 4)"), ""));
  expect_error([&] { read_image(folder.path("a.npy"), {.limits = {.pages = 1LL << 31}}); },
               ErrorKind::input, "more than 2^63 bytes");
}

TEST(Npy, RefusesTypesItHasNoPlaceFor) {
  expect_error([] { read_image(kData + "complex.npy"); }, ErrorKind::input, "'<c8'");
  expect_error([] { read_image(kData + "records.npy"); }, ErrorKind::input, "records");
}

TEST(Npy, RefusesEveryTruncation) {
  const TemporaryFolder folder;
  for (const char* name : {"c_f4.npy", "fortran_big_u2.npy", "v2_u1_rgb.npy", "v3_f8_row.npy"})
    expect_truncations_refused(kData + name, folder.path("cut.npy"));
}

TEST(Npy, SurvivesEveryChangedHeaderByte) {
  const TemporaryFolder folder;
  const std::string whole = read_bytes(kData + "c_f4.npy");
  for (size_t i = 0; i < 128; ++i)
    for (const char byte : {'\0', '9', '\'', ')', '\xff'}) {
      std::string changed = whole;
      changed[i] = byte;
      expect_survives(folder.path("changed.npy"), changed);
    }
}

TEST(Npy, NoticesAFileThatShrinks) {
  const TemporaryFolder folder;
  const Image image = random_image({64, 64}, Type::f32, 1);
  write_image(folder.path("a.npy"), image.view());
  const auto source = open_image(folder.path("a.npy"));
  std::filesystem::resize_file(folder.path("a.npy"), 1000);
  Image target(image.info());
  expect_error(
      [&] {
        source->read({0, 64}, target.view());
      },
      ErrorKind::input, "ends at byte 1000");
}

TEST(Npy, ObeysTheByteLimit) {
  expect_error([] { read_image(kData + "c_f4.npy", {.limits = {.bytes = 23}}); },
               ErrorKind::resources, "see the option max-bytes");
  EXPECT_NO_THROW(read_image(kData + "c_f4.npy", {.limits = {.bytes = 24}}));
  expect_error([] { read_image(kData + "c_f4.npy", {.limits = {.pixels = 5}}); }, ErrorKind::input,
               "it has 6 pixels, which must be in memory at once; the limit is 5");
}

// As numpy.save writes them one after the other: only the first array is an image.
TEST(Npy, SaysThatBytesFollow) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.npy");
  write_image(path, testing::short_view(random_image({4, 3}, Type::u16, 1)));
  write_bytes(path, read_bytes(path) + read_bytes(path));
  std::vector<std::string> warnings;
  read_image(path, {}, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], path + ": 152 bytes after its array are not read");
}

TEST(Npy, RefusesImagesThatNoFileCanHold) {
  const TemporaryFolder folder;
  constexpr int kSide = 2000000000;
  expect_error(
      [&] {
        create_image(folder.path("a.npy"), {{kSide, kSide}, Type::f32});
      },
      ErrorKind::usage, "a file can have at most");
}

}  // namespace
}  // namespace tessera
