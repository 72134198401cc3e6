// SPDX-License-Identifier: Apache-2.0
// Means over areas, checked against arithmetic by hand.
#include "jobs/enhance/area_picture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tessera {
namespace {

Image image_of(Size size, const std::vector<int>& samples) {
  Image image(size, Type::u8);
  std::uint8_t* to = image.as<std::uint8_t>().data;
  for (const int sample : samples) *to++ = static_cast<std::uint8_t>(sample);
  return image;
}

std::vector<int> samples_of(const Image& image) {
  const std::uint8_t* from = image.as<std::uint8_t>().data;
  return {from, from + image.info().size.samples()};
}

std::vector<int> reduced(const Image& image, int wide, int high) {
  AreaPicture picture(image.info(), wide, high);
  for (int y = 0; y < image.info().size.height; ++y) picture.add(image.view().rows(y, 1));
  return samples_of(picture.picture());
}

// Three pixels become two: each covers one and a half.
TEST(AreaPicture, PartsOfPixelsCountInPart) {
  EXPECT_EQ(reduced(image_of({3, 2}, {0, 90, 180, 0, 90, 180}), 2, 100), (std::vector{30, 150}));
  EXPECT_EQ(reduced(image_of({1, 3}, {0, 90, 180}), 100, 2), (std::vector{30, 150}));
}

TEST(AreaPicture, BlocksAreMeans) {
  EXPECT_EQ(reduced(image_of({4, 2}, {0, 10, 100, 102, 20, 30, 104, 106}), 2, 100),
            (std::vector{15, 103}));
  EXPECT_EQ(reduced(image_of({4, 4}, std::vector<int>(16, 77)), 1, 1), std::vector{77});
}

TEST(AreaPicture, SmallImagesStayAndAlphaGoes) {
  EXPECT_EQ(reduced(image_of({2, 1}, {3, 200}), 2, 1), (std::vector{3, 200}));
  EXPECT_EQ(reduced(image_of({1, 1, 4}, {1, 2, 3, 9}), 5, 5), (std::vector{1, 2, 3}));
  EXPECT_EQ(reduced(image_of({2, 1, 2}, {1, 9, 2, 9}), 5, 5), (std::vector{1, 2}));
}

TEST(AreaPicture, WideSamplesAreDivided) {
  Image image({2, 1}, Type::u16);
  image.as<std::uint16_t>().at(0, 0) = 65535;
  image.as<std::uint16_t>().at(1, 0) = 257 * 40;
  EXPECT_EQ(reduced(image, 2, 1), (std::vector{255, 40}));
}

TEST(AreaPicture, SideBySideGreyBecomesColour) {
  const Image both = side_by_side(image_of({1, 1}, {7}), image_of({1, 2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(both.info().size, (Size{18, 2, 3}));
  const View<const std::uint8_t> pixels = both.as<std::uint8_t>();
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(pixels.at(0, 0, c), 7);
    EXPECT_EQ(pixels.at(0, 1, c), 255) << "below the smaller";
    EXPECT_EQ(pixels.at(1, 0, c), 255) << "the gap";
    EXPECT_EQ(pixels.at(17, 1, c), 4 + c);
  }
}

}  // namespace
}  // namespace tessera
