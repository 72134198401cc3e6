// SPDX-License-Identifier: Apache-2.0
#include "tessera/crop.hpp"

#include <gtest/gtest.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

Crop read(const char* text) {
  Crop crop;
  from_text("crop", text, crop);
  return crop;
}

std::string refusal(const char* text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  ADD_FAILURE() << text << " is read";
  return "";
}

TEST(Crop, IsReadAndWritten) {
  EXPECT_EQ(read("7,5,20x10"), (Crop{20, 10, Point{7, 5}}));
  EXPECT_EQ(read("-1,0,8x9"), (Crop{8, 9, Point{-1, 0}}));
  EXPECT_EQ(read("640x480"), (Crop{640, 480, std::nullopt}));
  for (const char* text : {"7,5,20x10", "640x480", "-1,0,8x8"})
    EXPECT_EQ(to_text(read(text)), text);
}

TEST(Crop, OldAndOtherSpellingsAreRefusedWithTheRightOne) {
  EXPECT_EQ(refusal("7,5,20,10"), "crop: '7,5,20,10' is no longer read; write 7,5,20x10");
  for (const char* bad : {"", "x", "640", "640x", "x480", "1,2,3", "1,2,3x", "5x5x5", "1,2x3,4",
                          "a,0,8x8", "1,2,3x4 ", " 3x4", "3x99999999999", "1,2,3x4,5"})
    EXPECT_EQ(refusal(bad), "crop: '" + std::string(bad) +
                                "' is not a part of an image; write X,Y,WIDTHxHEIGHT, or "
                                "WIDTHxHEIGHT for the centre");
  for (const char* empty : {"0x5", "-3x4", "1,1,0x5", "1,1,5x-2"})
    EXPECT_NE(refusal(empty).find("has no pixels; write X,Y"), std::string::npos);
}

TEST(Crop, LiesInAnImage) {
  const Size size{64, 48};
  EXPECT_EQ(read("10,20,54x28").corner_in(size), (Point{10, 20}));
  EXPECT_EQ(read("21x10").corner_in(size), (Point{21, 19}));
  for (const char* inside : {"0,0,64x48", "64x48", "63,47,1x1", "1x1"})
    EXPECT_TRUE(read(inside).fits(size)) << inside;
  for (const char* outside : {"1,0,64x48", "0,1,64x48", "65x48", "64x49", "-1,0,8x8", "0,-1,8x8",
                              "2147483647,0,8x8", "0,0,2147483647x8", "66x2"})
    EXPECT_FALSE(read(outside).fits(size)) << outside;
}

}  // namespace
}  // namespace tessera
