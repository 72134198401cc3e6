// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/fits_file.hpp"
#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr Type kTypes[] = {Type::u8, Type::u16, Type::f32, Type::f64};

std::vector<Compression> compressions_of(Type type) {
  std::vector<Compression> list{Compression::none, Compression::deflate};
  if (is_integer(type)) list.push_back(Compression::rice);
  return list;
}

// The order in a FITS file: one plane per channel.
Image channels_as_planes(const Image& image) {
  const Size& size = image.info().size;
  Image planes({size.width, size.height, 1, size.planes * size.channels}, image.info().type);
  const auto bytes = static_cast<size_t>(bytes_of(image.info().type));
  for (int p = 0; p < size.planes; ++p)
    for (int c = 0; c < size.channels; ++c)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          std::memcpy(planes.view().address(x, y, p * size.channels + c),
                      image.view().address(x, y, p) + static_cast<size_t>(c) * bytes, bytes);
  return planes;
}

template <class T>
std::vector<T> samples(const Image& image) {
  const T* data = static_cast<const T*>(image.view().data);
  return {data, data + image.info().size.samples()};
}

template <class T>
std::string big_endian(const std::vector<T>& numbers) {
  std::string bytes;
  for (const T number : numbers) {
    const auto* at = reinterpret_cast<const char*>(&number);
    bytes.append(at, sizeof number);
    std::reverse(bytes.end() - sizeof number, bytes.end());
  }
  return bytes;
}

Image read_made(const std::string& bytes, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.fits"), bytes);
  return read_image(folder.path("a.fits"), options);
}

TEST(Fits, KeepsEveryTypeChannelPlaneAndCompression) {
  const TemporaryFolder folder;
  for (const Type type : kTypes)
    for (const Compression compression : compressions_of(type))
      for (int channels = 1; channels <= 4; ++channels)
        for (const int planes : {1, 3})
          for (const int width : {1, 2, 5, 33}) {
            const Image image = random_image({width, 7, channels, planes}, type, 1);
            write_image(folder.path("a.fits"), image.view(),
                        {.force = true, .compression = compression});
            EXPECT_TRUE(same_samples(testing::short_view(channels_as_planes(image)),
                                     testing::short_view(read_image(folder.path("a.fits")))))
                << name_of(type) << name_of(compression) << width << channels << planes;
          }
}

TEST(Fits, WritesAndReadsViewsWithSteps) {
  const TemporaryFolder folder;
  for (const Type type : kTypes)
    for (const Compression compression : compressions_of(type)) {
      const Size size{9, 5, 1, 2};
      const Image large = random_image({18, 10, 1, 2}, type, 1);
      const AnyView part = every_second_upwards(large.view(), size);
      write_image(folder.path("a.fits"), part, {.force = true, .compression = compression});
      Image target(ImageInfo{{18, 10, 1, 2}, type});
      const auto to = every_second_upwards(target.view(), size);
      open_image(folder.path("a.fits"))->read({0, 5}, to);
      EXPECT_TRUE(same_samples(part, to));
    }
}

TEST(Fits, ReadsRowsInAnyOrder) {
  const TemporaryFolder folder;
  const Image image = random_image({6, 10, 1, 2}, Type::u16, 1);
  for (const Compression compression : compressions_of(Type::u16)) {
    write_image(folder.path("a.fits"), image.view(), {.force = true, .compression = compression});
    expect_rows_in_any_order(folder.path("a.fits"), image.view(), {7, 0, 4});
  }
}

TEST(Fits, TakesPlanesInAnyOrderToTheSameBytes) {
  const TemporaryFolder folder;
  for (const Compression compression : {Compression::none, Compression::rice}) {
    const Image image = random_image({5, 6, 3, 2}, Type::u8, 1);  // rows of 5: no word is aligned
    write_image(folder.path("a.fits"), image.view(), {.force = true, .compression = compression});
    const auto sink = create_image(folder.path("b.fits"), image.info(),
                                   {.force = true, .compression = compression});
    for (const int plane : {1, 0})
      for (const int first : {0, 1, 4})
        sink->write_plane(plane,
                          {first, first == 0   ? 1
                                  : first == 1 ? 4
                                               : 6},
                          AnyView(image.view().only_plane(plane))
                              .rows(first, first == 1   ? 3
                                           : first == 0 ? 1
                                                        : 2));
    sink->finish();
    EXPECT_TRUE(same_samples(testing::short_view(read_image(folder.path("a.fits"))),
                             testing::short_view(read_image(folder.path("b.fits")))));
    const bool same = read_bytes(folder.path("a.fits")) == read_bytes(folder.path("b.fits"));
    EXPECT_TRUE(same || compression != Compression::none);
  }
}

TEST(Fits, SinkTakesRowsInOrderAndAllOfThem) {
  const TemporaryFolder folder;
  const Image image = random_image({6, 10}, Type::u8, 1);
  for (const Compression compression : {Compression::none, Compression::rice}) {
    const auto sink = create_image(folder.path("a.fits"), image.info(),
                                   {.force = true, .compression = compression});
    sink->write({0, 4}, image.view().rows(0, 4));
    expect_error(
        [&] {
          sink->write({5, 10}, image.view().rows(5, 5));
        },
        ErrorKind::failure, "row 5");
    expect_error([&] { sink->finish(); }, ErrorKind::failure, "row 4 comes next");
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.fits")));
}

TEST(Fits, ReadsIntegersAsTheSmallestTypeThatHoldsThem) {
  EXPECT_EQ(samples<float>(
                read_made(fits_bytes(16, {3}, {}, big_endian<std::int16_t>({-32768, 0, 32767})))),
            (std::vector<float>{-32768, 0, 32767}));
  EXPECT_EQ(samples<unsigned short>(
                read_made(fits_bytes(16, {3}, {card("BZERO", "32768"), card("BSCALE", "1.0")},
                                     big_endian<std::int16_t>({-32768, 0, 32767})))),
            (std::vector<unsigned short>{0, 32768, 65535}));
  EXPECT_EQ(samples<double>(read_made(
                fits_bytes(32, {2}, {}, big_endian<std::int32_t>({-2147483647, 2147483647})))),
            (std::vector<double>{-2147483647, 2147483647}));
  EXPECT_EQ(samples<double>(read_made(fits_bytes(32, {2}, {card("BZERO", "2147483648")},
                                                 big_endian<std::int32_t>({-2147483647, 5})))),
            (std::vector<double>{1, 2147483653}));
  EXPECT_EQ(samples<double>(read_made(fits_bytes(64, {2}, {}, big_endian<std::int64_t>({-5, 1})))),
            (std::vector<double>{-5, 1}));
  EXPECT_EQ(
      samples<double>(read_made(fits_bytes(64, {2}, {card("BZERO", "9223372036854775808")},
                                           big_endian<std::int64_t>({INT64_MIN + 3, INT64_MAX})))),
      (std::vector<double>{3, 18446744073709551615.0}));
  EXPECT_EQ(samples<float>(read_made(fits_bytes(8, {2}, {card("BZERO", "-128")}, "\xff\x01"))),
            (std::vector<float>{127, -127}));
}

TEST(Fits, ScalesAndBlanks) {
  EXPECT_EQ(samples<float>(
                read_made(fits_bytes(16, {2, 1}, {card("BSCALE", "1.0D-1"), card("BZERO", "3.5")},
                                     big_endian<std::int16_t>({7, -20000})))),
            (std::vector<float>{7 * 0.1f + 3.5f, -20000 * 0.1f + 3.5f}));
  EXPECT_EQ(samples<float>(
                read_made(fits_bytes(-32, {1}, {card("BSCALE", "2")}, big_endian<float>({1.25f})))),
            (std::vector<float>{2.5f}));
  for (const int bitpix : {8, 16}) {
    const std::string zero = bitpix == 8 ? "0" : "32768";
    const std::string data =
        bitpix == 8 ? std::string("\x00\x09", 2) : big_endian<std::int16_t>({0, 9});
    const Image image =
        read_made(fits_bytes(bitpix, {2}, {card("BZERO", zero), card("BLANK", "0")}, data));
    ASSERT_EQ(image.info().type, Type::f32);
    EXPECT_TRUE(std::isnan(samples<float>(image)[0]));
    EXPECT_EQ(samples<float>(image)[1], bitpix == 8 ? 9 : 32777);
  }
  const Image wide =
      read_made(fits_bytes(32, {2}, {card("BLANK", "-1")}, big_endian<std::int32_t>({-1, 4})));
  EXPECT_TRUE(std::isnan(samples<double>(wide)[0]));
  EXPECT_EQ(samples<double>(wide)[1], 4);
}

TEST(Fits, KeepsTheBitsOfEveryNan) {
  const std::vector<std::uint32_t> bits{0x7fc01234, 0xff800001, 0x7f800000, 0x00000001};
  const Image image = read_made(fits_bytes(-32, {4}, {}, big_endian(bits)));
  EXPECT_EQ(std::memcmp(image.view().data, bits.data(), 16), 0);
  const TemporaryFolder folder;
  for (const Compression compression : compressions_of(Type::f32)) {
    write_image(folder.path("a.fits"), image.view(), {.force = true, .compression = compression});
    EXPECT_TRUE(same_samples(testing::short_view(read_image(folder.path("a.fits"))), image.view()))
        << name_of(compression);
  }
}

TEST(Fits, TakesAxesAsWidthHeightAndPlanes) {
  const std::string data(24, '\1');
  EXPECT_EQ(read_made(fits_bytes(8, {24}, {}, data)).info().size, (Size{24, 1}));
  EXPECT_EQ(read_made(fits_bytes(8, {2, 3, 4}, {}, data)).info().size, (Size{2, 3, 1, 4}));
  EXPECT_EQ(read_made(fits_bytes(8, {2, 3, 2, 2, 1, 1}, {}, data)).info().size, (Size{2, 3, 1, 4}));
}

TEST(Fits, PicksHdus) {
  const auto extension = [](const std::string& kind, int width, const std::string& data) {
    return header_bytes({card("XTENSION", fmt::format("'{:<8}'", kind)), card("BITPIX", "8"),
                         card("NAXIS", "1"), card("NAXIS1", std::to_string(width)),
                         card("PCOUNT", "0"), card("GCOUNT", "1")}) +
           to_block(data, '\0');
  };
  const std::string bytes = fits_bytes(8, {}, {}, "") +
                            extension("TABLE", 3000, std::string(3000, 'x')) +
                            extension("IMAGE", 3, "\1\2\3") + extension("IMAGE", 1, "\7");
  EXPECT_EQ(samples<unsigned char>(read_made(bytes)), (std::vector<unsigned char>{1, 2, 3}));
  EXPECT_EQ(samples<unsigned char>(read_made(bytes, {.page = 3})), (std::vector<unsigned char>{7}));
  EXPECT_EQ(samples<unsigned char>(read_made(gzip_bytes(bytes), {.page = 3})),
            (std::vector<unsigned char>{7}));
  expect_error([&] { read_made(bytes, {.page = 4}); }, ErrorKind::input,
               "it has 4 HDUs; there is no HDU 4");
  expect_error([&] { read_made(bytes, {.page = 1}); }, ErrorKind::input,
               "HDU 1: it is TABLE with 1 axes and holds no image; give another page");
}

TEST(Fits, SaysWhatItHas) {
  const TemporaryFolder folder;
  write_bytes(folder.path("a.fits"),
              fits_bytes(16, {2, 1, 1},
                         {card("BZERO", "3"), card("BLANK", "-1"), card("CTYPE1", "'RA---SIN'"),
                          card("OBJECT", "'M 31    '"), card("BUNIT", "'JY/BEAM'")},
                         "abcd"));
  std::string text;
  for (const FileDetail& detail : open_image(folder.path("a.fits"))->details())
    text += detail.name + "=" + detail.value + ";";
  EXPECT_EQ(text,
            "HDU=0 PRIMARY;BITPIX=16;axes=2 RA---SIN x 1 x 1;scaling=BSCALE 1 BZERO 3;BLANK=-1;"
            "compression=none;cards=11;OBJECT=M 31;BUNIT=JY/BEAM;");
}

TEST(Fits, ReachesTheEndOfAFileOfMoreThanFourGigabytes) {
  const TemporaryFolder folder;
  const long long width = 1 << 16, height = 70000;
  write_bytes(folder.path("a.fits"), fits_bytes(8, {width, height}, {}, ""));
  std::filesystem::resize_file(folder.path("a.fits"), 2880 + width * height);
  std::fstream file(folder.path("a.fits"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2880 + width * height - 1);
  file.put('\x2a');
  file.close();
  Image row(Size{static_cast<int>(width), 1}, Type::u8);
  open_image(folder.path("a.fits"))->read({70000 - 1, 70000}, row.view());
  EXPECT_EQ(samples<unsigned char>(row).back(), 0x2a);
}

TEST(Fits, RefusesCompressionsItDoesNotHave) {
  const TemporaryFolder folder;
  const Image bytes = random_image({6, 10}, Type::u8, 1),
              reals = random_image({6, 10}, Type::f32, 1);
  const auto write = [&](const Image& image, Compression compression, const char* name) {
    write_image(folder.path(name), image.view(), {.compression = compression});
  };
  expect_error([&] { write(bytes, Compression::lzw, "a.fits"); }, ErrorKind::usage,
               "FITS has no compression lzw; it can be none, rice or deflate");
  expect_error([&] { write(reals, Compression::rice, "a.fits"); }, ErrorKind::usage,
               "rice would round the values of f32; give compression deflate");
  expect_error([&] { write(bytes, Compression::none, "a.fits.gz"); }, ErrorKind::usage, "'.gz'");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tessera
