// SPDX-License-Identifier: Apache-2.0
// Ranks that write one TIFF make the bytes of one process. They are lanes here (core/lanes.hpp).
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lanes.hpp"
#include "core/ranks.hpp"
#include "tests/support/format_checks.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr Compression kEvery[] = {Compression::none, Compression::deflate, Compression::lzw,
                                  Compression::packbits, Compression::zstd};

class TiffRanks : public FormatTest {
 protected:
  TiffRanks() : FormatTest("TIFF") {}

  /// Writes units, as ranks take them: `rows_at_once` rows of each plane in turn.
  void write_by_ranks(AnyView image, const WriteOptions& options, int unit_rows,
                      int rows_at_once) const {
    run_lanes({0, 0, 0}, [&](int) {
      const SharedRun shared;
      const auto sink = create_image(folder_.path("ranks.tif"), {image.size, image.type}, options);
      EXPECT_FALSE(sink->planes_in_turn());
      const int height = image.size.height;
      ranks().begin_units();
      for (long long unit; (unit = ranks().next_unit()) * unit_rows < height;) {
        const int begin = static_cast<int>(unit) * unit_rows,
                  end = std::min(begin + unit_rows, height);
        for (int first = begin; first < end; first += rows_at_once) {
          const int count = std::min(rows_at_once, end - first);
          sink->write({first, first + count}, image.rows(first, count));
        }
      }
      ranks().end_units();
      sink->finish();
    });
  }
};

// 700x303 f32 are 7 strips of 46 rows, the last of 27; each of the wide rows is a strip.
TEST_F(TiffRanks, MakeTheBytesOfOneProcess) {
  for (const auto& [size, type] : {std::pair{Size{700, 303, 1, 2}, Type::f32},
                                   {Size{33, 27, 3, 1}, Type::u8},
                                   {Size{9000, 12, 4, 2}, Type::u16},
                                   {Size{1, 1, 1, 2}, Type::f64}}) {
    const Image image = random_image(size, type, 1);
    for (const Compression compression : kEvery) {
      const WriteOptions options{
          .force = true, .compression = compression, .history = {"tessera 1", "convert a b"}};
      write_image(folder_.path("one.tif"), image.view(), options);
      for (const auto& [unit_rows, rows_at_once] : {std::pair{92, 1000}, {92, 20}, {50, 1000}}) {
        write_by_ranks(image.view(), options, unit_rows, rows_at_once);
        EXPECT_TRUE(read_bytes(folder_.path("ranks.tif")) == read_bytes(folder_.path("one.tif")))
            << name_of(type) << " " << name_of(compression) << ", units of " << unit_rows << ", "
            << rows_at_once << " at once";
      }
    }
  }
}

TEST_F(TiffRanks, RowsOfAPlaneAscend) {
  const Image image = random_image({700, 100}, Type::f32, 1);
  for (const Compression compression : {Compression::none, Compression::deflate})
    expect_error(
        [&] {
          run_lanes({0, 0}, [&](int) {
            const SharedRun shared;
            const auto sink =
                create_image(folder_.path("a.tif"), image.info(), {.compression = compression});
            sink->write({47, 50}, image.view().rows(47, 3));
            sink->write({0, 50}, image.view().rows(0, 50));
          });
        },
        ErrorKind::failure, "row 0 is written but row 50 comes next");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace tessera
