// SPDX-License-Identifier: Apache-2.0
// clahe: small cases by hand, and the sweeps over pieces against the definition, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/clahe/enhance_clahe_shape.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::Guarded;
using testing::random_image;
using Bytes = std::vector<unsigned char>;

struct Clahe {
  EnhanceProblem problem;
  EnhanceStage stage;
};

Clahe clahe_for(const ImageInfo& image, Point tiles = {8, 8}, double clip = 0.01,
                bool together = true) {
  Clahe c;
  c.problem.image = c.problem.output = image;
  c.problem.tiles = tiles;
  c.problem.clip = clip;
  c.problem.together = together;
  c.stage = {EnhanceStep::clahe, image, image, 0, clahe_sweeps(c.problem)};
  c.problem.stages = {c.stage};
  return c;
}

Bytes by_reference(const Clahe& c, const Image& in) {
  Image out(in.info());
  clahe_reference(c.problem, c.stage, in.view(), out.view());
  return bytes_of_view(out.view());
}

/// In strips of `rows` rows, from the bottom up: any order must do.
void run_strips(const Clahe& c, const Image& in, int strip, int threads, const Guarded& out) {
  const Stream stream(kHost, threads);
  const int height = in.info().size.height;
  const auto each_strip = [&](auto work) {
    for (int first = (height - 1) / strip * strip; first >= 0; first -= strip)
      work(Rows{first, std::min(first + strip, height)});
  };
  StageFinding finding;
  for (int sweep = 0; sweep < clahe_sweeps(c.problem); ++sweep) {
    SweepCounts counts;
    each_strip([&](Rows rows) {
      const Piece piece{in.view().rows(rows.first, rows.count()), rows.first};
      clahe_look(c.problem, c.stage, finding, sweep, piece, rows, counts, stream);
    });
    const auto size = in.info().size;
    EXPECT_EQ(counts.values.size(), clahe_values(c.problem, c.stage, sweep) * size.planes *
                                        groups_of(c.problem, c.stage.in));
    finding.sweeps.push_back(counts);
    clahe_finish(c.problem, c.stage, sweep, finding);
  }
  each_strip([&](Rows rows) {
    clahe_make(c.problem, c.stage, finding, {in.view().rows(rows.first, rows.count()), rows.first},
               {out.view().rows(rows.first, rows.count()), rows.first}, stream);
  });
}

void expect_reference(const Clahe& c, const Image& in, int strip = 1 << 30, int threads = 1) {
  const Guarded out(in.info().size, in.info().type, strip % 3);
  run_strips(c, in, std::min(strip, in.info().size.height), threads, out);
  const Size s = in.info().size;
  EXPECT_EQ(bytes_of_view(out.view()), by_reference(c, in))
      << s.width << "x" << s.height << "x" << s.channels << "x" << s.planes << ", tiles "
      << c.problem.tiles.x << "," << c.problem.tiles.y << ", clip " << c.problem.clip << ", strips "
      << strip << ", threads " << threads << ", " << current_isa();
  EXPECT_TRUE(out.untouched_outside());
}

Image image_of(const std::vector<unsigned char>& values, Size size) {
  Image image(size, Type::u8);
  std::copy(values.begin(), values.end(), static_cast<unsigned char*>(image.view().data));
  return image;
}

/// Narrow counts, many equal pixels, black and white: what random values never have.
Image smooth_image(Size size, Type type) {
  Image image(size, type);
  const int most = type == Type::u8 ? 255 : 65535;
  const Image noise = random_image(size, Type::u8, 5);
  for (int p = 0; p < size.planes; ++p)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int c = 0; c < size.channels; ++c) {
          const int grain = noise.as<unsigned char>().at(x, y, c, p) % 8;
          const int v =
              std::clamp((x * 3 + y * 2 + c * 40) % 400 - 60 + grain, 0, 255) * most / 255;
          if (type == Type::u8)
            image.as<unsigned char>().at(x, y, c, p) = static_cast<unsigned char>(v);
          else
            image.as<unsigned short>().at(x, y, c, p) = static_cast<unsigned short>(v);
        }
  return image;
}

TEST(EnhanceClahe, CurvesByHand) {
  std::array<std::uint64_t, kClaheBins> bins{};
  std::array<std::uint16_t, kClaheBins> curve{};
  bins[0] = bins[1] = 2;  // half the samples: 16383 / 2, cut
  make_clahe_curve(bins.data(), 4, 4, curve.data());
  EXPECT_EQ(curve[0], 8191);
  EXPECT_EQ(curve[1], 16383);
  EXPECT_EQ(curve[255], 16383);

  // 256 too many: one for each of the other 255, the last goes to every 255th bin, which are two.
  bins = {};
  bins[10] = 512;
  make_clahe_curve(bins.data(), 512, 256, curve.data());
  EXPECT_EQ(bins[0], 2U);
  EXPECT_EQ(bins[1], 1U);
  EXPECT_EQ(bins[10], 256U);
  EXPECT_EQ(bins[255], 2U);
  EXPECT_EQ(curve[0], 63);       // 2 * 16383 / 512 = 63.996
  EXPECT_EQ(curve[254], 16351);  // 511 * 16383 / 512 = 16351.002
  EXPECT_EQ(curve[255], 16383);  // 513 of 512: no more than the most

  // With a limit of 1 nothing can be handed out.
  bins = {};
  bins[7] = 100;
  make_clahe_curve(bins.data(), 100, 1, curve.data());
  EXPECT_EQ(bins[0], 1U);
  EXPECT_EQ(bins[7], 1U);
}

TEST(EnhanceClahe, BinsByHand) {
  EXPECT_EQ(clahe_bin(0, 0, 255), 0);
  EXPECT_EQ(clahe_bin(1, 0, 255), 0);      // level 64.2
  EXPECT_EQ(clahe_bin(2, 0, 255), 1);      // 128.5
  EXPECT_EQ(clahe_bin(255, 0, 255), 252);  // 16383 / 65
  EXPECT_EQ(clahe_bin(11, 10, 12), 126);   // 8191.5 goes to 8192, which is even
}

TEST(EnhanceClahe, PixelsByHand) {
  // One tile for all: no interpolation. Levels 4096 (a quarter, cut to 4095), 8191, 12287, 16383
  // of four values are stretched to 0, 85, 170, 255.
  const Image four = image_of({10, 20, 30, 40}, {2, 2});
  const Clahe one = clahe_for(four.info(), {1, 1}, 0);
  EXPECT_EQ(by_reference(one, four), (Bytes{0, 85, 170, 255}));
  expect_reference(one, four);

  // Tiles of one pixel each: pixels take the curve of the tile to their left, the first its own.
  const Image two = image_of({0, 255}, {2, 1});
  EXPECT_EQ(by_reference(clahe_for(two.info()), two), (Bytes{255, 255}));
  expect_reference(clahe_for(two.info()), two);
  const Image three = image_of({200, 100, 0}, {3, 1});
  EXPECT_EQ(by_reference(clahe_for(three.info()), three), (Bytes{255, 0, 0}));
  expect_reference(clahe_for(three.info()), three);
}

TEST(EnhanceClahe, FlatImagesStayAsTheyAre) {
  const Image dot = image_of({77}, {1, 1}), row = image_of({9, 9, 9, 9, 9}, {5, 1});
  EXPECT_EQ(by_reference(clahe_for(dot.info()), dot), Bytes{77});
  EXPECT_EQ(by_reference(clahe_for(row.info()), row), (Bytes{9, 9, 9, 9, 9}));
  expect_reference(clahe_for(dot.info()), dot);
  expect_reference(clahe_for(row.info()), row);
}

TEST(EnhanceClahe, AlphaIsKeptAndChannelsAreAloneIfAsked) {
  const Image in = random_image({40, 30, 4}, Type::u8, 3);
  const Bytes all = by_reference(clahe_for(in.info(), {4, 4}, 0.02, false), in);
  for (int c = 0; c < 4; ++c) {
    Image channel({40, 30}, Type::u8);
    for (int k = 0; k < 1200; ++k)
      channel.as<unsigned char>().data[k] = in.as<unsigned char>().data[4 * k + c];
    const Bytes alone = c < 3 ? by_reference(clahe_for(channel.info(), {4, 4}, 0.02), channel)
                              : bytes_of_view(channel.view());
    for (std::size_t k = 0; k < 1200; ++k)
      ASSERT_EQ(all[4 * k + static_cast<std::size_t>(c)], alone[k]) << "channel " << c;
  }
}

TEST(EnhanceClahe, PiecesGiveTheBytesOfTheDefinition) {
  const std::vector<Size> sizes{{1, 1},          {1, 9},      {9, 1},      {7, 5, 3},
                                {15, 15},        {16, 17, 2}, {33, 31, 3}, {61, 130, 4},
                                {300, 40, 1, 2}, {131, 67, 3}};
  for (const auto& isa : isa_names()) {
    const testing::ForcedIsa forced(isa);
    for (const Type type : {Type::u8, Type::u16})
      for (const Size size : sizes)
        for (const bool together : {true, false}) {
          const Image random = random_image(size, type, 1), smooth = smooth_image(size, type);
          int turn = 0;
          for (const Point tiles : {Point{8, 8}, Point{1, 1}, Point{2, 5}, Point{40, 3}})
            for (const double clip : {0.01, 0.0, 1e-6, 0.2, 1.0}) {
              if (++turn % 3 != 0 && !testing::run_all()) continue;
              const Clahe c = clahe_for(random.info(), tiles, clip, together);
              expect_reference(c, random);
              expect_reference(c, smooth, 1 + turn % 13, 1 + turn % 3);
            }
        }
  }
}

TEST(EnhanceClahe, LongRunsGiveTheBytesOfTheDefinition) {
  if (testing::run_small()) GTEST_SKIP() << "long runs need large images";
  for (const auto& isa : isa_names()) {
    const testing::ForcedIsa forced(isa);
    for (const Type type : {Type::u8, Type::u16})
      for (const Size size : {Size{2501, 24}, Size{1030, 30, 3}}) {
        expect_reference(clahe_for({size, type}, {8, 2}), smooth_image(size, type), 7, 2);
        expect_reference(clahe_for({size, type}, {1, 2}, 0.1), random_image(size, type, 2), 64, 2);
        expect_reference(clahe_for({size, type}, {2, 1}, 0.0), smooth_image(size, type));
      }
  }
}

}  // namespace
}  // namespace tessera
