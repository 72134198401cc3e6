// SPDX-License-Identifier: Apache-2.0
#include "sample/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sample/leaf.hpp"
#include "tests/support/files.hpp"
#include "tests/support/hash.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

// Computed on aarch64 with g++ 12; another machine or compiler that differs breaks the promise of
// the same bytes everywhere.
TEST(Scene, IsTheSameOnEveryMachine) {
  EXPECT_EQ(hash_of(testing::short_view(scene({200, 150, 3}, 1))), 10420221936695161746u);
  EXPECT_EQ(hash_of(testing::short_view(scene({97, 61, 1}, 7, Type::u16))), 14350831118733485403u);
  EXPECT_EQ(hash_of(testing::short_view(scene({64, 64, 3}, 1, Type::f32))), 6015276693564849520u);
}

TEST(Scene, StripsAndThreadsGiveTheSameBytes) {
  const Size size{150, 131, 3, 2};
  const Image whole = scene(size, 3, Type::f32);
  for (const int threads : {1, 2, 7})
    for (const int strip : {1, 7, 32, 50, 131}) {
      Scene source(size, 3, Type::f32, threads);
      Image image(source.info());
      for (int row = 0; row < size.height; row += strip) {
        const Rows rows{row, std::min(size.height, row + strip)};
        source.read(rows, image.view().rows(row, rows.count()));
      }
      EXPECT_TRUE(same_samples(whole.view(), image.view())) << threads << " threads, " << strip;
    }
}

TEST(Scene, FillsViewsWithSteps) {
  const Size size{20, 15, 3};
  Image large(Size{40, 30, 3}, Type::u8);
  const AnyMutableView part = every_second_upwards(large.view(), size);
  Scene(size, 4).read({0, 15}, part);
  EXPECT_TRUE(same_samples(testing::short_view(scene(size, 4)), part));
}

TEST(Scene, SeedsAndPlanesDiffer) {
  const Image one = scene({64, 64, 3, 2}, 1), two = scene({64, 64, 3, 2}, 2);
  EXPECT_FALSE(same_samples(one.view(), two.view()));
  EXPECT_FALSE(same_samples(one.view().only_plane(0), one.view().only_plane(1)));
}

TEST(Scene, TakesAnySize) {
  for (const Size size : {Size{1, 1, 3}, Size{1, 100, 1}, Size{100, 1, 3}, Size{33, 31, 1}}) {
    const Image image = scene(size, 5);
    EXPECT_EQ(image.info().size, size);
  }
}

// A strip from the middle of an image that does not fit any memory.
TEST(Scene, ReachesFarIntoAHugeImage) {
  Scene source({1 << 20, 1 << 20, 1}, 1);
  Image rows(Size{1 << 20, 2, 1}, Type::u8);
  source.read({777777, 777779}, rows.view());
  std::array<int, 256> count{};
  for (int x = 0; x < 1 << 20; ++x) ++count[rows.as<unsigned char>().at(x, 1)];
  EXPECT_GT(std::ranges::count_if(count, [](int n) { return n > 0; }), 100);
}

TEST(Scene, TypesAgree) {
  const Size size{50, 40, 3};
  const Image floats = scene(size, 9, Type::f32), bytes = scene(size, 9, Type::u8);
  const Image words = scene(size, 9, Type::u16), doubles = scene(size, 9, Type::f64);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x)
      for (int c = 0; c < 3; ++c) {
        const float value = floats.as<float>().at(x, y, c);
        ASSERT_GE(value, 0);
        ASSERT_LE(value, 1);
        ASSERT_NEAR(bytes.as<unsigned char>().at(x, y, c), 255 * value, 0.5001);
        ASSERT_NEAR(words.as<unsigned short>().at(x, y, c), 65535 * value, 0.51);
        ASSERT_EQ(doubles.as<double>().at(x, y, c), value);
      }
}

TEST(Scene, IsNotFlat) {
  const Image image = scene({256, 256, 1}, 11, Type::f32);
  double sum = 0, squares = 0;
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      const double value = image.as<float>().at(x, y);
      sum += value;
      squares += value * value;
    }
  const double mean = sum / 65536, deviation = std::sqrt(squares / 65536 - mean * mean);
  EXPECT_GT(mean, 0.2);
  EXPECT_LT(mean, 0.7);
  EXPECT_GT(deviation, 0.08);
}

// The number of leaves with radius above r falls as r^-2, the tail of r^-3.
TEST(Scene, RadiiFollowThePowerLaw) {
  std::vector<int> above(5);
  for (const Leaf& leaf : leaves_near({0, 0, 2048, 2048}, 1, 7))
    for (size_t i = 0; i < above.size(); ++i)
      if (leaf.along > static_cast<float>(3 * (1 << i))) ++above[i];
  for (size_t i = 1; i < above.size(); ++i)
    EXPECT_NEAR(static_cast<double>(above[i - 1]) / above[i], 4, 0.8) << i;
}

TEST(Scene, RefusesWhatItCannotMake) {
  expect_error([] { scene({0, 5, 3}, 1); }, ErrorKind::usage, "scene: 0x5 pixels");
  expect_error([] { scene({5, 5, 2}, 1); }, ErrorKind::usage, "1 or 3 channels");
}

}  // namespace
}  // namespace tessera
