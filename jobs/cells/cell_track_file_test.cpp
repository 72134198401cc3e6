// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_track_file.hpp"

#include <gtest/gtest.h>

#include "io/output.hpp"
#include "jobs/cells/cell_score.hpp"
#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/cells_xml.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr const char* kNames = "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,SCORE,SPEED\n";

std::vector<CellTrack> csv(const std::string& lines) { return tracks_of_csv("a.csv", lines); }
std::vector<CellTrack> xml(const std::string& inside) {
  return tracks_of_xml(
      "a.xml", "<?xml version=\"1.0\"?>\n<root>\n<TrackContestISBI2012 snr=\"?\">\n" + inside +
                   "</TrackContestISBI2012></root>\n");
}

TEST(CellTrackFile, ReadsTables) {
  const auto tracks = csv(std::string(kNames) +
                          "7,3,0.1,10.5,20.25,8,-3,\r\n# a remark\n\n2,0,0,1,2,9,1,1\n"
                          "7,2,0.1,9.5,20,8,-3,1\n");
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].id, 2);
  EXPECT_EQ(tracks[1].id, 7);
  ASSERT_EQ(tracks[1].spots.size(), 2u);
  EXPECT_EQ(tracks[1].spots[0].frame, 2);  // by frame, not by line
  EXPECT_EQ(tracks[1].spots[1].x, 10.5);
  EXPECT_EQ(tracks[1].spots[1].y, 20.25);
  EXPECT_EQ(tracks[1].spots[1].radius, 8);
  EXPECT_TRUE(csv(kNames).empty());
}

TEST(CellTrackFile, ReadsWhatTrackMateExports) {
  const auto tracks = csv(
      "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,FRAME\nLabel,Spot ID,Track ID,Quality,X,Y,"
      "Frame\nLabel,Spot ID,Track ID,Quality,X,Y,Frame\n,,,(quality),(pixel),(pixel),\n"
      "ID5,5,0,3.5,1.5,2.5,4\n");
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].id, 0);
  EXPECT_EQ(tracks[0].spots[0].frame, 4);
  EXPECT_EQ(tracks[0].spots[0].x, 1.5);
  EXPECT_EQ(tracks[0].spots[0].radius, 0);
}

TEST(CellTrackFile, TablesOfTrackMateHaveUnits) {
  const auto table = [](const std::string& unit) {
    return "ID,LABEL,TRACK_ID,POSITION_X,POSITION_Y,FRAME,RADIUS\nID,Label,Track ID,X,Y,Frame,"
           "Radius\nID,Label,Track ID,X,Y,Frame,R\n,,," +
           unit + "," + unit + ",," + unit +
           "\n5,ID5,2,1.5,2.5,4,3\n6,ID6,\xC3\xB8,1,1,1,1\n7,ID7,,1,1,1,1\n8,ID8,None,1,1,1,1\n";
  };
  for (const char* unit : {"(pixel)", "(pixels)", ""}) {
    const auto tracks = tracks_of_csv("a.csv", table(unit), 0.5);
    ASSERT_EQ(tracks.size(), 1u) << unit;  // spots without a track are left out
    EXPECT_EQ(tracks[0].spots[0].x, 1.5) << unit;
  }
  for (const char* unit : {"(\xC2\xB5m)", "(micron)", "(um)"}) {
    const auto tracks = tracks_of_csv("a.csv", table(unit), 0.5);
    EXPECT_EQ(tracks[0].spots[0].x, 3) << unit;
    EXPECT_EQ(tracks[0].spots[0].y, 5) << unit;
    EXPECT_EQ(tracks[0].spots[0].radius, 6) << unit;
    expect_error([&] { csv(table(unit)); }, ErrorKind::usage,
                 "a.csv: positions are in " + std::string(unit).substr(1, 2));
  }
  EXPECT_EQ(tracks_of_csv("a.csv", table("(nm)"), 0.5)[0].spots[0].x, 0.003);
  expect_error([&] { csv(table("(furlong)")); }, ErrorKind::input,
               "the unit furlong of POSITION_X is not known");
  expect_error([&] { csv(std::string(kNames) + ",2,0,3,4,5,6,7\n"); }, ErrorKind::input,
               "TRACK_ID is ''");  // in other tables it is a mistake
}

TEST(CellTrackFile, ReadsXml) {
  const auto tracks =
      xml("<particle><detection t=\"1\" x=\"2.5\" y=\"3\" z=\"0\"/>"
          "<detection t=\"0\" x=\"2\" y=\"3\" z=\"0\"/></particle>\n<particle/>\n"
          "<particle><detection t=\"5\" x=\"7\" y=\"8e0\" z=\"0\"/></particle>\n");
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].spots[0].frame, 0);
  EXPECT_EQ(tracks[0].spots[1].x, 2.5);
  EXPECT_EQ(tracks[1].spots[0].y, 8);
  EXPECT_EQ(tracks_of_xml("a.xml",
                          "<Tracks nTracks=\"1\"><particle><detection t=\"1\" x=\"2\" "
                          "y=\"3\"/></particle></Tracks>")
                .size(),
            1u);
}

TEST(CellTrackFile, ReadsWhatTesseraWrites) {
  const TemporaryFolder folder;
  CellsFilmResult result;
  result.film.name = "a.avi";
  result.tracks = {{3, {{4, 1.5, 2.125, 8, -2, true}, {5, 2.5, 2, 8.5, -2, false}}}};
  result.speeds = {{1, 1}};
  const auto write = [&](const char* name, auto writer) {
    TextFile file(folder.path(name), false);
    writer(result, file);
    file.finish();
  };
  write("a.csv", write_tracks);
  write("a.xml", write_isbi);
  write("spots.csv", write_trackmate_spots);
  write("trackmate.xml", write_trackmate);
  for (const char* name : {"a.csv", "a.xml", "spots.csv", "trackmate.xml"}) {
    const auto tracks = read_tracks(folder.path(name));
    ASSERT_EQ(tracks.size(), 1u) << name;
    ASSERT_EQ(tracks[0].spots.size(), 2u) << name;
    EXPECT_EQ(tracks[0].spots[0].frame, 4) << name;
    EXPECT_EQ(tracks[0].spots[1].x, 2.5) << name;
    EXPECT_EQ(tracks[0].spots[0].y, 2.125) << name;
  }
  const CellScoreJob job{folder.path("a.csv"), folder.path("a.xml"), {}};
  EXPECT_EQ(job.run().alpha, 1.0);
}

TEST(CellTrackFile, NamesTheLineThatIsWrong) {
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {"", "a.csv, line 0: there is no line of column names"},
      {"TRACK_ID,FRAME,POSITION_X\n", "a.csv, line 1: there is no column POSITION_Y"},
      {std::string(kNames) + "1,2,0,x,4,5,6,7\n", "a.csv, line 2: POSITION_X is 'x'"},
      {std::string(kNames) + "1,2,0,3,4,5,6,7\n1,3\n",
       "a.csv, line 3: it has 2 fields; POSITION_X is field 4"},
      {std::string(kNames) + "1,2.5,0,3,4,5,6,7\n", "line 2: FRAME is 2.5; it must be a whole"},
      {std::string(kNames) + "1,-2,0,3,4,5,6,7\n", "line 2: frame -2 does not exist"},
      {std::string(kNames) + "1,2,0,nan,4,5,6,7\n", "are not a cell's position"},
      {std::string(kNames) + "1,2,0,3,4,-5,6,7\n", "radius -5 are not a cell's position"},
      {std::string(kNames) + "1,2,0,3,4,5,6,7\n1,2,0,3,4,5,6,7\n",
       "line 3: track 1 is in frame 2 for the second time"},
      {std::string(kNames) + "1e30,2,0,3,4,5,6,7\n", "TRACK_ID is 1e+30"},
  };
  for (const auto& one : cases) expect_error([&] { csv(one.text); }, ErrorKind::input, one.message);
  expect_error([] { xml("<particle>\n<detection t=\"1\" x=\"2\"/></particle>\n"); },
               ErrorKind::input, "a.xml, line 5: y is ''; it must be a number");
  expect_error([] { xml("<particle><detection t=\"0.5\" x=\"2\" y=\"1\"/></particle>"); },
               ErrorKind::input, "a.xml, line 4: t is 0.5");
  expect_error([] { xml("<particle>\n\n"); }, ErrorKind::input, "it is not XML");
  expect_error([] { tracks_of_xml("a.xml", "\n<Trackmate version=\"7\"/>"); }, ErrorKind::input,
               "a.xml, line 2: <Trackmate> is not known");
  expect_error([] { read_tracks("/no/such/file.csv"); }, ErrorKind::input, "/no/such/file.csv");
}

}  // namespace
}  // namespace tessera
