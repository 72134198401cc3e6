// SPDX-License-Identifier: Apache-2.0
// Blocks in deflate, Zstandard and LZMA end where their pixels end, with a right checksum.
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tiff_bytes.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

struct Codec {
  const char* name;
  int compression;
  std::string (*compress)(const std::string&);
};

std::string deflated(const std::string& bytes) {
  uLongf count = ::compressBound(bytes.size());
  std::string made(count, '\0');
  ::compress(reinterpret_cast<Bytef*>(made.data()), &count,
             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return made.substr(0, count);
}
std::string by_zstandard(const std::string& bytes) {
  std::string made(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const std::size_t count =
      ZSTD_compress2(context, made.data(), made.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(context);
  return made.substr(0, count);
}
std::string by_lzma(const std::string& bytes) {
  std::string made(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t count = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                          reinterpret_cast<unsigned char*>(made.data()), &count, made.size());
  return made.substr(0, count);
}

constexpr Codec kCodecs[] = {{"deflate", 8, deflated},
                             {"old deflate", 32946, deflated},
                             {"Zstandard", 50000, by_zstandard},
                             {"LZMA", 34925, by_lzma}};

// They repeat, so that large strips are compressed quickly.
std::string some_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i % 20011;
    bytes[i] = static_cast<char>(k * k / 7 + k / 251);
  }
  return bytes;
}

class TiffChecked : public FormatTest {
 protected:
  TiffChecked() : FormatTest("TIFF") {}
  std::string path(const TiffTestPage& page, bool little = true) const {
    write_bytes(folder_.path("a.tif"), tiff_bytes({page}, little));
    return folder_.path("a.tif");
  }
  std::string samples(const TiffTestPage& page, bool little = true) const {
    const Image image = read_image(path(page, little));
    return {static_cast<const char*>(image.view().data),
            static_cast<std::size_t>(bytes_of(image.info()))};
  }
  void expect_damage(const TiffTestPage& page, const std::string& part) const {
    expect_error([&] { read_image(path(page)); }, ErrorKind::input, part);
    const auto source = open_image(path(page), {.allow_truncated = true});
    Image image(source->info());
    source->read({0, source->info().size.height}, image.view());
    ASSERT_EQ(source->warnings().size(), 1u);
    EXPECT_TRUE(has(source->warnings()[0], part)) << source->warnings()[0];
  }
};

TiffTestPage page_of(const Codec& codec, int width, int height, const std::string& strip) {
  TiffTestPage page = grey_page(width, height, 8, strip);
  page.tags[259] = {codec.compression};
  return page;
}

// Decoded at once, and some rows at a time because the strip is large.
TEST_F(TiffChecked, DataThatDoesNotEndWithThePixels) {
  for (const Codec& codec : kCodecs)
    for (const int height : {30, 17000}) {
      const int width = height == 30 ? 40 : 1000;
      const std::string right = some_bytes(static_cast<std::size_t>(width) * height);
      const auto page = [&](const std::string& bytes) {
        return page_of(codec, width, height, codec.compress(bytes));
      };
      EXPECT_EQ(samples(page(right)), right) << codec.name;
      TiffTestPage followed = page(right);
      followed.blocks[0] += "padding";
      EXPECT_EQ(samples(followed), right) << codec.name;
      expect_damage(page(right + "a"), "goes on after its last row");
      expect_damage(page(right + right), "goes on after its last row");
      expect_damage(page(right.substr(0, right.size() - 1)), "its data ends after ");
      TiffTestPage cut = page(right);
      cut.blocks[0].resize(cut.blocks[0].size() - 1);
      expect_damage(cut, "is damaged: ");
    }
}

TEST_F(TiffChecked, ChecksumsThatAreWrong) {
  for (const Codec& codec : kCodecs)
    for (const int height : {30, 17000}) {
      const int width = height == 30 ? 40 : 1000;
      TiffTestPage page =
          page_of(codec, width, height,
                  codec.compress(some_bytes(static_cast<std::size_t>(width) * height)));
      std::string& strip = page.blocks[0];
      // Deflate and Zstandard end with it, an LZMA stream has an index of 28 bytes after it.
      strip[strip.size() - (codec.compression == 34925 ? 30 : 2)] ^= 1;
      expect_damage(page, "is damaged: ");
    }
}

TEST_F(TiffChecked, EveryChangedByteOfCheckedDataIsNoticed) {
  for (const Codec& codec : kCodecs) {
    const std::string right = some_bytes(600);
    const TiffTestPage page = page_of(codec, 20, 30, codec.compress(right));
    for (std::size_t i = 0; i < page.blocks[0].size(); ++i) {
      TiffTestPage changed = page;
      changed.blocks[0][i] = static_cast<char>(changed.blocks[0][i] ^ 1 << i % 8);
      try {
        EXPECT_EQ(samples(changed), right) << codec.name << ", byte " << i;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
      }
    }
  }
}

// Some programs write the last strip with as many rows as the others.
TEST_F(TiffChecked, LastStripsMayBeTaller) {
  for (const Codec& codec : kCodecs) {
    const std::string all = some_bytes(40 * 32);
    TiffTestPage page = page_of(codec, 40, 24, codec.compress(all.substr(0, 40 * 16)));
    page.tags[278] = {16};
    page.blocks.push_back(codec.compress(all.substr(40 * 16)));
    EXPECT_EQ(samples(page), all.substr(0, 40 * 24)) << codec.name;
    page.blocks[1] = codec.compress(all.substr(40 * 16) + std::string(40, 'a'));
    expect_damage(page, "strip 1 (rows 16 to 23) is damaged: its data goes on");
    // If there is only one, the height may just as well be wrong.
    TiffTestPage alone = page_of(codec, 40, 24, codec.compress(all));
    alone.tags[278] = {32};
    expect_damage(alone, "strip 0 (rows 0 to 23) is damaged: its data goes on");
  }
}

std::string in_order(std::string bytes, std::size_t item, bool little) {
  for (std::size_t i = 0; !little && i < bytes.size(); i += item)
    std::reverse(bytes.begin() + static_cast<long>(i), bytes.begin() + static_cast<long>(i + item));
  return bytes;
}

// The definition of TIFF's technical notes 1 and 3, once more and plainly.
std::string differences(const std::string& row, std::size_t item, std::size_t channels) {
  std::string made = row;
  for (std::size_t i = item * channels; i < row.size(); i += item) {
    unsigned long long now = 0, before = 0;
    std::memcpy(&now, row.data() + i, item);
    std::memcpy(&before, row.data() + i - item * channels, item);
    now -= before;
    std::memcpy(made.data() + i, &now, item);
  }
  return made;
}
std::string planes_of_bytes(const std::string& row, std::size_t item) {
  std::string made(row.size(), '\0');
  const std::size_t count = row.size() / item;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t b = 0; b < item; ++b) made[b * count + i] = row[i * item + item - 1 - b];
  return made;
}

TEST_F(TiffChecked, Predictors) {
  constexpr int kWidth = 13, kHeight = 5;
  for (const std::size_t item : {1U, 2U, 4U, 8U})
    for (const std::size_t channels : {1U, 2U, 3U, 4U})
      for (const int predictor : {1, 2, 3})
        for (const bool little : {true, false}) {
          if (predictor == 3 && item < 4) continue;
          const bool floating = item >= 4;
          const std::size_t row_bytes = kWidth * channels * item;
          std::string right = some_bytes(row_bytes * kHeight), stored;
          for (std::size_t i = 0; floating && i < right.size() / item; ++i) {
            const double value = 0.37 * static_cast<double>(i) - 20;
            const auto single = static_cast<float>(value);
            if (item == 4) std::memcpy(right.data() + 4 * i, &single, 4);
            if (item == 8) std::memcpy(right.data() + 8 * i, &value, 8);
          }
          for (int y = 0; y < kHeight; ++y) {
            const std::string row =
                right.substr(static_cast<std::size_t>(y) * row_bytes, row_bytes);
            stored += predictor == 1   ? in_order(row, item, little)
                      : predictor == 2 ? in_order(differences(row, item, channels), item, little)
                                       : differences(planes_of_bytes(row, item), 1, channels);
          }
          TiffTestPage page =
              page_of(kCodecs[item % 3], kWidth, kHeight, kCodecs[item % 3].compress(stored));
          page.tags[258] = {static_cast<long long>(8 * item)};
          page.tags[339] = {floating ? 3 : 1};
          page.tags[277] = {static_cast<long long>(channels)};
          page.tags[262] = {channels < 3 ? 1 : 2};
          page.tags[317] = {predictor};
          EXPECT_EQ(samples(page, little), right)
              << item << " bytes, " << channels << " channels, predictor " << predictor << ", "
              << (little ? "little" : "big");
        }
}

TEST_F(TiffChecked, PredictorsThatDoNotFit) {
  TiffTestPage page = page_of(kCodecs[0], 8, 4, deflated(some_bytes(32)));
  page.tags[317] = {3};
  expect_error([&] { read_image(path(page)); }, ErrorKind::input, "its predictor is 3");
  page.tags[317] = {7};
  expect_error([&] { read_image(path(page)); }, ErrorKind::input, "is 7; it can be 1 to 3");
  page.tags[317] = {2};
  page.tags[258] = {4};
  expect_error([&] { read_image(path(page)); }, ErrorKind::input, "samples of 4 bits");
}

// Some programs store the bits of every byte in reverse.
TEST_F(TiffChecked, BitsInReverse) {
  const std::string right = some_bytes(1200);
  TiffTestPage page = page_of(kCodecs[0], 40, 30, deflated(right));
  for (char& c : page.blocks[0]) {
    unsigned turned = 0;
    for (int bit = 0; bit < 8; ++bit)
      turned |= (static_cast<unsigned char>(c) >> bit & 1U) << (7 - bit);
    c = static_cast<char>(turned);
  }
  page.tags[266] = {2};
  EXPECT_EQ(samples(page), right);
}

TEST_F(TiffChecked, TagsThatNoReaderUnderstandsAreRefused) {
  const auto refused = [&](int tag, const std::vector<long long>& values, const std::string& part) {
    TiffTestPage page = grey_page(4, 4, 8, std::string(16, 'a'));
    page.tags[tag] = values;
    expect_error([&] { read_image(path(page)); }, ErrorKind::input, part);
  };
  refused(284, {52}, "its planar configuration (tag 284) is 52; it can be 1 to 2");
  refused(266, {3}, "its order of bits (tag 266) is 3; it can be 1 to 2");
  refused(317, {2, 0}, "its tag 317 has 2 values; it must have one");
  refused(277, {1, 1}, "its tag 277 has 2 values; it must have one");
  refused(262, {2}, "its colours are RGB, which needs 3 samples per pixel; it has 1");
  refused(339, {3, 0}, "its samples differ in format (3 and 0)");
}

}  // namespace
}  // namespace tessera
