// SPDX-License-Identifier: Apache-2.0
// The vessel: which positions are inside, what becomes of tracks, and texts and masks that are
// refused.
#include "jobs/cells/cells_inside.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

constexpr Size kFrame{60, 40};

CellTrack from_left(int id, int first, int frames, double y, double speed = 1) {
  CellTrack track{id, {}};
  for (int k = 0; k < frames; ++k) track.spots.push_back({first + k, speed * k, y, 6, -2, true});
  return track;
}

class MaskFile {
 public:
  /// 255 in columns from `first` to `last`.
  explicit MaskFile(int first, int last, Size size = kFrame) {
    Image image(size, Type::u8);
    for (int y = 0; y < size.height; ++y)
      for (int x = first; x <= last; ++x) image.as<unsigned char>().at(x, y) = 255;
    write_image(path(), image.view());
  }
  std::string path() const { return folder_.path("mask.npy"); }

 private:
  TemporaryFolder folder_;
};

TEST(CellsInside, PolygonAndMaskHaveTheSamePositions) {
  const MaskFile file(10, 29);
  const CellsInside polygon("9.5,-1 29.5,-1 29.5,40 9.5,40", kFrame), mask(file.path(), kFrame),
      in_memory("array", read_image(file.path()), kFrame);
  for (const CellsInside* inside : {&polygon, &mask, &in_memory})
    for (const auto& [x, is] :
         {std::pair{9.4, false}, {9.6, true}, {20.0, true}, {29.4, true}, {29.6, false}}) {
      EXPECT_EQ(inside->has(x, 20), is) << x;
      EXPECT_FALSE(inside->has(x, -0.6));
      EXPECT_FALSE(inside->has(x, 39.6));
      EXPECT_FALSE(inside->has(std::nan(""), 20));
    }
}

TEST(CellsInside, PolygonsMayCrossThemselvesAndLeaveTheFrame) {
  const CellsInside bow(" 0,0  40,30 40,0 0,30 ", kFrame);
  EXPECT_TRUE(bow.has(5, 15));
  EXPECT_TRUE(bow.has(35, 15));
  EXPECT_FALSE(bow.has(20, 5));
  const CellsInside large("-1e3,-1e3 1e3,-1e3 1e3,1e3 -1e3,1e3", kFrame);
  EXPECT_TRUE(large.has(0, 0));
  EXPECT_TRUE(large.has(59, 39));
  EXPECT_FALSE(large.has(61, 39));
}

TEST(CellsInside, OpacityOfAMaskDoesNotCount) {
  const TemporaryFolder folder;
  Image image({60, 40, 4}, Type::u8);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x) {
      image.as<unsigned char>().at(x, y, 3) = 255;
      image.as<unsigned char>().at(x, y, 1) = x < 30 ? 9 : 0;
    }
  write_image(folder.path("mask.npy"), image.view());
  const CellsInside inside(folder.path("mask.npy"), kFrame);
  EXPECT_TRUE(inside.has(10, 10));
  EXPECT_FALSE(inside.has(40, 10));
}

TEST(CellsInside, TracksEndWhereCellsLeave) {
  const CellsInside inside("9.5,-1 29.5,-1 29.5,41 9.5,41", kFrame);
  std::vector<CellTrack> tracks{from_left(1, 100, 50, 20), from_left(2, 0, 5, 30),
                                from_left(3, 0, 13, 35)};
  tracks[0].spots[10].seen = tracks[0].spots[29].seen = false;
  const CellsCut cut = keep_inside(inside, 5, tracks);
  ASSERT_EQ(tracks.size(), 1U);
  EXPECT_EQ(tracks[0].id, 1);
  EXPECT_EQ(tracks[0].spots.front().frame, 111) << "the spot before was not seen";
  EXPECT_EQ(tracks[0].spots.back().frame, 128);
  EXPECT_EQ(cut.outside, 1);
  EXPECT_EQ(cut.ended, 2);
  EXPECT_EQ(cut.dropped, 1) << "three frames inside are not enough";
  EXPECT_EQ(cut_text(cut, 5),
            "--inside: 1 track was never inside, and 2 were cut at the border; 1 of the pieces had "
            "fewer than 5 frames and was dropped");
}

TEST(CellsInside, ACellThatComesBackIsAnotherTrack) {
  const CellsInside inside("-1,-1 20.5,-1 20.5,41 -1,41", kFrame);
  CellTrack there = from_left(4, 0, 30, 20), back = from_left(0, 30, 30, 20, -1);
  for (CellSpot& spot : back.spots) spot.x += 30;
  there.spots.insert(there.spots.end(), back.spots.begin(), back.spots.end());
  std::vector<CellTrack> tracks{there, from_left(9, 0, 10, 10)};
  const CellsCut cut = keep_inside(inside, 5, tracks);
  ASSERT_EQ(tracks.size(), 3U);
  EXPECT_EQ(tracks[0].id, 4);
  EXPECT_EQ(tracks[1].id, 9);
  EXPECT_EQ(tracks[2].id, 10) << "the next unused id";
  EXPECT_EQ(tracks[0].spots.back().frame, 20);
  EXPECT_EQ(tracks[2].spots.front().frame, 40);
  EXPECT_EQ(cut.outside, 0);
  EXPECT_EQ(cut.ended, 1);
}

TEST(CellsInside, EverythingInsideChangesNothing) {
  std::vector<CellTrack> tracks{from_left(1, 0, 20, 20), from_left(5, 3, 20, 30)};
  const CellsCut cut = keep_inside({"-1,-1 61,-1 61,41 -1,41", kFrame}, 10, tracks);
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0].spots.size(), 20U);
  EXPECT_EQ(tracks[1].id, 5);
  EXPECT_EQ(cut_text(cut, 10), "");
}

TEST(CellsInside, RefusalsSayWhatWouldBeRight) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      const CellsInside inside(text, kFrame);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
      return error.what();
    }
  };
  EXPECT_EQ(refusal("1,2 3,4"),
            "cells: --inside '1,2 3,4': a polygon has three corners or more, and this has 2; write "
            "'X1,Y1 X2,Y2 X3,Y3', in pixels");
  EXPECT_EQ(refusal("70,50 80,50 80,60"),
            "cells: --inside '70,50 80,50 80,60': no pixel of the frame is inside; x is from 0 to "
            "59 and y from 0 to 39");
  EXPECT_NE(refusal("1,1 1,1 1,1").find("no pixel of the frame is inside"), std::string::npos);
  const MaskFile other(0, 3, {30, 20}), empty(1, 0), two(0, 3, {60, 40, 1, 2});
  EXPECT_EQ(refusal(other.path()), "cells: --inside " + other.path() +
                                       ": the mask has 30x20 pixels and the film 60x40; they must "
                                       "be the same");
  EXPECT_NE(refusal(empty.path()).find("all pixels of the mask are 0"), std::string::npos);
  EXPECT_NE(refusal(two.path()).find("has 2 planes"), std::string::npos);
  for (const std::string text : {"nowhere.png", "1,2 3", "1,2 3,4,5 6,7", "nan,1 2,3 4,5"})
    EXPECT_EQ(refusal(text), "cells: --inside '" + text +
                                 "': it is neither a polygon, 'X1,Y1 X2,Y2 X3,Y3' in pixels, nor "
                                 "an image file that exists");
}

}  // namespace
}  // namespace tessera::testing
