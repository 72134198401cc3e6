// SPDX-License-Identifier: Apache-2.0
// Files of TrackMate: units, hidden spots, branches, and files that are wrong or hostile.
#include "jobs/cells/trackmate_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

constexpr const char* kImage =
    R"(<Settings><ImageData filename="a.tif" folder="/films/" width="100" height="80" )"
    R"(pixelwidth="0.5" pixelheight="0.25" timeinterval="2.0" /></Settings>)";

std::string spot(int id, int frame, double x, const std::string& more = "") {
  return fmt::format(
      "<Spot ID=\"{}\" name=\"ID{}\" FRAME=\"{}\" POSITION_X=\"{}\" POSITION_Y=\"10\" RADIUS=\"4\" "
      "{} />\n",
      id, id, frame, x, more);
}
std::string edge(int source, int target) {
  return fmt::format("<Edge SPOT_SOURCE_ID=\"{}\" SPOT_TARGET_ID=\"{}\" />\n", source, target);
}
std::string track(int id, const std::string& edges) {
  return fmt::format("<Track name=\"Track_{}\" TRACK_ID=\"{}\">\n{}</Track>\n", id, id, edges);
}
std::string model(const std::string& spots, const std::string& tracks,
                  const std::string& filtered = "", const std::string& image = kImage) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrackMate version=\"7.10.2\">\n"
         "<Model spatialunits=\"micron\" timeunits=\"sec\">\n<AllSpots>\n"
         "<SpotsInFrame frame=\"0\">\n" +
         spots + "</SpotsInFrame></AllSpots>\n<AllTracks>\n" + tracks + "</AllTracks>\n" +
         filtered + "</Model>\n" + image + "</TrackMate>\n";
}

TrackMateTracks read(const std::string& text) {
  const std::string name = "a.xml";
  return trackmate_tracks(TrackDocument(name, text));
}
std::vector<int> frames_of(const CellTrack& track) {
  std::vector<int> frames;
  for (const CellSpot& one : track.spots) frames.push_back(one.frame);
  return frames;
}

TEST(TrackMateReader, PositionsBecomePixels) {
  const auto read_file = read(model(spot(7, 3, 20) + spot(9, 5, 21), track(4, edge(9, 7))));
  EXPECT_EQ(read_file.width, 100);
  EXPECT_EQ(read_file.height, 80);
  ASSERT_EQ(read_file.tracks.size(), 1U);
  EXPECT_EQ(read_file.tracks[0].id, 4);
  const auto& spots = read_file.tracks[0].spots;
  ASSERT_EQ(spots.size(), 2U);
  EXPECT_EQ(spots[0].frame, 3);  // whichever end of the edge comes first
  EXPECT_EQ(spots[0].x, 40);
  EXPECT_EQ(spots[0].y, 40);
  EXPECT_EQ(spots[0].radius, 8);
  EXPECT_EQ(spots[1].frame, 5);
}

TEST(TrackMateReader, SpotsWithoutLinksAreInNoTrack) {
  const auto file = read(
      model(spot(1, 0, 1) + spot(2, 1, 1) + spot(3, 1, 9) + spot(4, 2, 9), track(1, edge(1, 2))));
  EXPECT_EQ(file.tracks.size(), 1U);
  EXPECT_EQ(file.loose, 2);
}

TEST(TrackMateReader, InOneFrameEverySpotIsATrack) {
  const auto file = read(model(spot(0, 4, 1) + spot(2, 4, 5) + spot(1, 4, 3), ""));
  ASSERT_EQ(file.tracks.size(), 3U);
  EXPECT_EQ(file.loose, 0);
  EXPECT_EQ(file.tracks[2].id, 3);
  EXPECT_EQ(file.tracks[2].spots[0].x, 10);
}

TEST(TrackMateReader, HiddenSpotsAndTracksAreLeftOut) {
  const std::string spots = spot(1, 0, 1) + spot(2, 1, 1) + spot(3, 2, 1) +
                            spot(4, 0, 5, "VISIBILITY=\"0\"") + spot(5, 1, 5, "VISIBILITY=\"1\"") +
                            spot(6, 2, 5);
  const std::string tracks = track(1, edge(1, 2) + edge(2, 3)) + track(2, edge(4, 5) + edge(5, 6));
  const auto all = read(model(spots, tracks));
  ASSERT_EQ(all.tracks.size(), 2U);
  EXPECT_EQ(frames_of(all.tracks[1]), (std::vector{1, 2}));
  const auto some =
      read(model(spots, tracks, "<FilteredTracks><TrackID TRACK_ID=\"2\"/></FilteredTracks>"));
  ASSERT_EQ(some.tracks.size(), 1U);
  EXPECT_EQ(some.tracks[0].id, 2);
}

// Frames 0 1 2 3 4: one cell divides after frame 1, and its two parts fuse in frame 4.
TEST(TrackMateReader, BranchesAreTracks) {
  const std::string spots = spot(1, 0, 1) + spot(2, 1, 2) + spot(3, 2, 1) + spot(4, 3, 1) +
                            spot(5, 2, 3) + spot(6, 3, 3) + spot(7, 4, 2);
  const auto file = read(model(spots, track(0, edge(1, 2) + edge(2, 3) + edge(3, 4) + edge(2, 5) +
                                                   edge(5, 6) + edge(4, 7) + edge(6, 7)) +
                                          track(5, "")));
  ASSERT_EQ(file.tracks.size(), 4U);
  EXPECT_EQ(frames_of(file.tracks[0]), (std::vector{0, 1}));
  EXPECT_EQ(frames_of(file.tracks[1]), (std::vector{2, 3}));
  EXPECT_EQ(frames_of(file.tracks[2]), (std::vector{2, 3}));
  EXPECT_EQ(frames_of(file.tracks[3]), (std::vector{4}));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(file.tracks[static_cast<std::size_t>(k)].id, k + 1);
}

TEST(TrackMateReader, FirstBranchKeepsTheId) {
  const std::string spots =
      spot(1, 0, 1) + spot(2, 1, 2) + spot(3, 2, 1) + spot(5, 2, 3) + spot(8, 0, 7) + spot(9, 1, 7);
  const auto file =
      read(model(spots, track(3, edge(2, 3) + edge(2, 5) + edge(1, 2)) + track(8, edge(8, 9))));
  ASSERT_EQ(file.tracks.size(), 4U);
  EXPECT_EQ(file.tracks[0].id, 3);
  EXPECT_EQ(frames_of(file.tracks[0]), (std::vector{0, 1}));
  EXPECT_EQ(file.tracks[1].id, 8);
  EXPECT_EQ(file.tracks[2].id, 9);
  EXPECT_EQ(file.tracks[3].id, 10);
}

TEST(TrackMateReader, OldFilesHaveLess) {
  const std::string spots =
      "<Spot ID=\"1\" POSITION_X=\"1.0E1\" POSITION_Y=\"2\"/></SpotsInFrame><SpotsInFrame "
      "frame=\"1\"><Spot ID=\"2\" FRAME=\"1.0\" POSITION_X=\"12\" POSITION_Y=\"2\"/>";
  std::string text = model(spots, track(1, edge(1, 2)), "", "");
  expect_error([&] { read(text); }, ErrorKind::input,
               "a.xml, line 3: positions are in micron, and there is no <Settings>");
  text.replace(text.find("micron"), 6, "pixels");
  const auto file = read(text);
  ASSERT_EQ(file.tracks.size(), 1U);
  EXPECT_EQ(frames_of(file.tracks[0]), (std::vector{0, 1}));
  EXPECT_EQ(file.tracks[0].spots[1].x, 12);
  EXPECT_EQ(file.tracks[0].spots[0].radius, 0);
}

TEST(TrackMateReader, WrongFilesAreNamed) {
  const std::string two = spot(1, 0, 1) + spot(2, 1, 1);
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {"<TrackMate version=\"7\"/>", "a.xml, line 1: <TrackMate> has no <Model>, which it must"},
      {"<TrackMate><Model/></TrackMate>", "<Model> has no <AllSpots>"},
      {"<TrackMate><Model><AllSpots/></Model></TrackMate>", "<Model> has no <AllTracks>"},
      {model(two, track(1, edge(1, 77))),
       "a.xml, line 11: SPOT_TARGET_ID is 77, and <AllSpots> has no spot with this ID"},
      {model(two, track(1, "<Edge SPOT_SOURCE_ID=\"1\"/>")), "SPOT_TARGET_ID is ''; it must be"},
      {model(two, "<Track>" + edge(1, 2) + "</Track>"), "TRACK_ID is ''; it must be a number"},
      {model(spot(1, 3, 1) + spot(2, 3, 1), track(1, edge(1, 2))),
       "it links spots 1 and 2, which are both in frame 3"},
      {model(two + spot(2, 3, 1), ""), "line 8: spot 2 is there for the second time"},
      {model(spot(1, -1, 1), ""), "frame -1 does not exist; frames are counted from 0"},
      {model("<Spot ID=\"1\" FRAME=\"1e300\" POSITION_X=\"1\" POSITION_Y=\"1\"/>", ""),
       "FRAME is 1e+300; it must be a whole number below 1e9"},
      {model("<Spot ID=\"1\" FRAME=\"1\" POSITION_X=\"NaN\" POSITION_Y=\"1\"/>", ""),
       "POSITION_X is 'NaN'; it must be a number"},
      {model("<Spot ID=\"1\" FRAME=\"1\" POSITION_X=\"1e999\" POSITION_Y=\"1\"/>", ""),
       "POSITION_X is '1e999'"},
      {model("<Spot ID=\"1\" FRAME=\"1\" POSITION_X=\"1e308\" POSITION_Y=\"1\"/>", ""),
       "POSITION_X is 1e+308, and a pixel is 0.5"},
      {model("<Spot ID=\"1\" FRAME=\"1\" POSITION_X=\"1\" POSITION_Y=\"1\" RADIUS=\"-2\"/>", ""),
       "RADIUS is -2; it must be at least 0"},
      {model("", "", "", "<Settings><ImageData pixelwidth=\"0\" pixelheight=\"1\"/></Settings>"),
       "pixelwidth is 0; it must be more than 0"},
      {"<TrackMate><Model>", "it is not XML"},
  };
  for (const auto& one : cases)
    expect_error([&] { read(one.text); }, ErrorKind::input, one.message);
}

// Entities of a file are not expanded, and nothing recurses into depths.
TEST(TrackMateReader, HostileFilesAreRefused) {
  std::string bomb = "<!DOCTYPE x [<!ENTITY a \"1111111111\">";
  for (char letter = 'b'; letter <= 'j'; ++letter) {
    bomb += fmt::format("<!ENTITY {} \"", letter);
    for (int k = 0; k < 10; ++k) bomb += fmt::format("&{};", static_cast<char>(letter - 1));
    bomb += "\">";
  }
  bomb += "]>" + model("<Spot ID=\"&j;\" FRAME=\"1\"/>", "").substr(39);
  expect_error([&] { read(bomb); }, ErrorKind::input, "ID is '&j;'; it must be a number");
  std::string deep = "<TrackMate><Model><AllTracks/><AllSpots>";
  constexpr int kDepth = 300'000;
  for (int k = 0; k < kDepth; ++k) deep += "<Spot>";
  for (int k = 0; k < kDepth; ++k) deep += "</Spot>";
  deep += "</AllSpots></Model></TrackMate>";
  EXPECT_TRUE(read(deep).tracks.empty());
  expect_error([&] { read(deep.substr(0, 1'000'000)); }, ErrorKind::input, "it is not XML");
}

}  // namespace
}  // namespace tessera::testing
