// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/convolve/tune/convolve_tunables.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

const char* kTable =
    R"(h200 convolve.time@1 backend=cuda in=f32 method=direct fh=3 fw=5 | fs=2000 | ms=1
h200 convolve.time@1 backend=cuda in=f32 method=fft fh=3 fw=5 | fs=8000 | ms=1
h200 convolve.time@1 backend=cuda in=f32 method=direct fh=9 fw=9 | fs=4000 | measured=no
h200 convolve.time@1 backend=cuda in=u8 method=direct fh=9 fw=9 | fs=1 | ms=1
h200 convolve.direct@2 in=f32 fh=3 fw=5 pixels=16777216 | block_x=32 block_y=8 columns=2 rows=4 | ms=1
h200 convolve.direct@2 in=f32 fh=9 fw=9 pixels=16777216 | block_x=64 block_y=4 columns=4 rows=4 | ms=1
h200 convolve.direct@2 in=f32 fh=9 fw=7 pixels=16777216 | block_x=64 block_y=4 columns=4 rows=4 | ms=1
)";

TEST(ConvolvePictures, OfATableMadeElsewhere) {
  const TablePictures data =
      convolve_pictures(parse_table(kTable, "test"), Backend::automatic, Type::f32);
  EXPECT_EQ(data.machine, "h200");
  ASSERT_EQ(data.speeds.size(), 2U);
  EXPECT_EQ(data.speeds[0].name, "gflops-direct");
  ASSERT_EQ(data.speeds[0].points.size(), 2U);
  // 2 * 15 flop in 2 ps.
  EXPECT_EQ(data.speeds[0].points[0].value, 15000);
  EXPECT_TRUE(data.speeds[0].points[0].measured);
  EXPECT_FALSE(data.speeds[0].points[1].measured) << "measured=no";
  ASSERT_EQ(data.speed_up.points.size(), 1U);
  EXPECT_EQ(data.speed_up.points[0].value, 4);
  ASSERT_EQ(data.whole_numbers.points.size(), 3U);
  EXPECT_EQ(data.whole_numbers.points[0].value, 8);
  ASSERT_EQ(data.shares.size(), 2U);
  EXPECT_EQ(data.shares[1].first, "64x4");
  EXPECT_NEAR(data.shares[1].second, 2.0 / 3, 1e-12);
  EXPECT_EQ(csv_text(data),
            "fw,fh,gflops-direct,gflops-fft,speed-up,tile-factor,interpolated\n"
            "5,3,15000,3750,4,8,\n7,9,,,,16,\n9,9,40500,,,16,gflops-direct");
}

TEST(ConvolvePictures, WithoutTimesIsAnError) {
  EXPECT_THROW(convolve_pictures(parse_table(kTable, "test"), Backend::cpu, Type::f32), Error);
  EXPECT_THROW(convolve_pictures(parse_table(kTable, "test"), Backend::cuda, Type::f64), Error);
  EXPECT_THROW(convolve_pictures({}, Backend::automatic, Type::f32), Error);
  EXPECT_THROW(lines_to_plot("/nowhere/none.tsv", Backend::cpu, 0), Error);
}

}  // namespace
}  // namespace tessera
