// SPDX-License-Identifier: Apache-2.0
// Manual corrections: what each does to tracks, and the messages for wrong lines.
#include "jobs/cells/cells_edits.hpp"

#include <gtest/gtest.h>

#include "jobs/cells/cells_corrections.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

std::vector<CellTrack> three_tracks() {
  std::vector<CellTrack> tracks;
  const int firsts[] = {0, 0, 30}, lasts[] = {49, 20, 49};
  for (int id = 1; id <= 3; ++id) {
    CellTrack track{id};
    for (int frame = firsts[id - 1]; frame <= lasts[id - 1]; ++frame)
      track.spots.push_back({frame, 100.0 * id + frame, 10.0 * id, 8, -2, true});
    tracks.push_back(track);
  }
  return tracks;
}

const CellsFilm kFiftyFrames{"film.npy", "NPY", 400, 300, 0, 50};

std::vector<CellTrack> after(const std::string& text, std::size_t edits) {
  std::vector<CellTrack> tracks = three_tracks();
  const std::vector<CellsEdit> list = parse_edits("edits.csv", text);
  EXPECT_EQ(list.size(), edits);
  replay_edits(list, kFiftyFrames, tracks);
  for (const CellTrack& track : tracks)
    for (std::size_t k = 1; k < track.spots.size(); ++k)
      EXPECT_EQ(track.spots[k].frame, track.spots[k - 1].frame + 1) << "a gap in " << track.id;
  return tracks;
}

TEST(CellsEdits, NothingChangesNothing) {
  const auto tracks = after("EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS\n# a comment\n\n   \r\n", 0);
  ASSERT_EQ(tracks.size(), 3U);
  EXPECT_EQ(tracks[2].spots.size(), 20U);
}

TEST(CellsEdits, SplitMakesTheNextId) {
  const auto tracks = after("split,1,30\r\nsplit,4,40,,,,\n", 2);
  ASSERT_EQ(tracks.size(), 5U);
  EXPECT_EQ(tracks[0].spots.back().frame, 29);
  EXPECT_EQ(tracks[3].id, 4);
  EXPECT_EQ(tracks[3].spots.front().frame, 30);
  EXPECT_EQ(tracks[3].spots.back().frame, 39);
  EXPECT_EQ(tracks[4].id, 5);
  EXPECT_EQ(tracks[4].spots.front().frame, 40);
  EXPECT_EQ(tracks[4].spots.front().x, 140);
}

TEST(CellsEdits, MergeBridgesTheGap) {
  const auto tracks = after("merge,2,,3\n", 1);
  ASSERT_EQ(tracks.size(), 2U);
  const CellTrack& merged = tracks[1];
  EXPECT_EQ(merged.id, 2);
  ASSERT_EQ(merged.spots.size(), 50U);
  EXPECT_TRUE(merged.spots[20].seen);
  EXPECT_FALSE(merged.spots[25].seen);
  EXPECT_NEAR(merged.spots[25].x, 275, 1e-9);  // halfway from 220 to 330
  EXPECT_NEAR(merged.spots[25].y, 25, 1e-9);
  EXPECT_TRUE(merged.spots[30].seen);
}

TEST(CellsEdits, MergeKeepsTheFirstWhereBothAre) {
  const auto tracks = after("merge,2,,1\n", 1);
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0].id, 2);
  EXPECT_EQ(tracks[0].spots[20].x, 220);
  EXPECT_EQ(tracks[0].spots[21].x, 121);
}

TEST(CellsEdits, DeleteAndAdd) {
  const auto tracks = after("delete,1\nadd,9,5,,50,60,7\nadd,9,9,,54,60\nadd,3,30,,1,2,3\n", 4);
  ASSERT_EQ(tracks.size(), 3U);
  EXPECT_EQ(tracks[0].id, 2);
  EXPECT_EQ(tracks[1].spots[0].x, 1);  // moved
  EXPECT_EQ(tracks[1].spots[0].radius, 3);
  const CellTrack& added = tracks[2];
  EXPECT_EQ(added.id, 9);
  ASSERT_EQ(added.spots.size(), 5U);
  EXPECT_EQ(added.spots[2].x, 52);
  EXPECT_FALSE(added.spots[2].seen);
  EXPECT_EQ(added.spots[4].radius, 7);  // of the nearest spot
}

TEST(CellsEdits, TheEdgeOfTheFrameIsInside) {
  EXPECT_EQ(after("add,9,5,,-0.5,299.5,7\nadd,9,6,,399.5,-0.5,7\n", 2).size(), 4U);
}

TEST(CellsEdits, TheNextIdIsNeverOneThatWasUsed) {
  const auto next = [](const char* text) {
    auto tracks = three_tracks();
    return replay_edits(parse_edits("e.csv", text), kFiftyFrames, tracks);
  };
  EXPECT_EQ(next(""), 4);
  EXPECT_EQ(next("delete,3\n"), 4);
  EXPECT_EQ(next("split,1,30\ndelete,4\n"), 5);
  EXPECT_EQ(next("add,9,5,,50,60,7\n"), 10);
}

TEST(CellsEdits, FromAFile) {
  TemporaryFolder folder;
  write_bytes(folder.path("e.csv"),
              "\xef\xbb\xbf"
              "delete,2\n");  // the byte order mark that Excel writes
  auto tracks = three_tracks();
  replay_edits(read_corrections(folder.path("e.csv")).edits, kFiftyFrames, tracks);
  EXPECT_EQ(tracks.size(), 2U);
}

TEST(CellsEdits, BadLinesAreNamed) {
  const auto replay = [](const char* text) {
    return [text] {
      auto tracks = three_tracks();
      replay_edits(parse_edits("e.csv", text), kFiftyFrames, tracks);
    };
  };
  expect_refused(
      {{replay("# one\ndelet,1\n"),
        "e.csv, line 2: 'delet' is not known (did you mean delete?); it can be split, merge, "
        "delete "
        "or add"},
       {replay("delete,8\n"), "e.csv, line 1: there is no track 8; see TRACK_ID in tracks.csv"},
       {replay("delete,1\ndelete,1\n"),
        "e.csv, line 2: there is no track 1; see TRACK_ID in tracks.csv"},
       {replay("split,1,0\n"),
        "e.csv, line 1: track 1 has frames 0 to 49; it can be split at frames 1 to 49"},
       {replay("split,1\n"),
        "e.csv, line 1: it has no FRAME, which split needs; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("delete,1,30\n"),
        "e.csv, line 1: it has FRAME 30, which delete does not take; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("merge,1,,1\n"),
        "e.csv, line 1: it merges a track with itself; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("add,1,50,,1,2,3\n"), "e.csv, line 1: there is no frame 50; the film has 0 to 49"},
       {replay("add,1,-1,,1,2,3\n"), "e.csv, line 1: there is no frame -1; the film has 0 to 49"},
       {replay("\nadd,1,5,,399.6,2,3\n"),
        "e.csv, line 2: x 399.6, y 2 is outside the frame; frames have 400x300 pixels, and (0, 0) "
        "is the centre of the first"},
       {replay("add,1,5,,1,-0.6,3\n"),
        "e.csv, line 1: x 1, y -0.6 is outside the frame; frames have 400x300 pixels, and (0, 0) "
        "is the centre of the first"},
       {replay("merge,1,,8\n"), "e.csv, line 1: there is no track 8; see TRACK_ID in tracks.csv"},
       {replay("split,1,50\n"),
        "e.csv, line 1: track 1 has frames 0 to 49; it can be split at frames 1 to 49"},
       {replay("add,7,5,,1,2\n"),
        "e.csv, line 1: it begins a track and has no RADIUS; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("add,7,5,,1,2,0\n"),
        "e.csv, line 1: it has RADIUS 0; it must be more than 0; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("add,2147483647,5,,1,2,3\n"),
        "e.csv, line 1: it has track 2147483647; ids are 1 to 1000000000; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"},
       {replay("add,7,5,,nan,2,3\n"), "e.csv, line 1: 'nan' is not a finite number"},
       {replay("EDIT,FRAME\n"),
        "e.csv, line 1: it has a different header; columns are "
        "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS"}});
}

}  // namespace
}  // namespace tessera::testing
