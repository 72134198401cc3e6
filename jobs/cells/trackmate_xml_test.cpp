// SPDX-License-Identifier: Apache-2.0
// What TrackMate needs to open our file: the film, features as it defines them, display settings.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/cells_xml.hpp"
#include "jobs/cells/film_place.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

CellsFilmResult one_track() {
  CellsFilmResult result;
  result.film = {.name = "a.avi", .format = "video", .width = 64, .height = 48, .frames = 6};
  result.calibration.um_per_pixel = 0.5;
  result.calibration.frame_rate = 30;
  result.tracks = {{7, {{2, 10, 20, 8, -2, true}, {3, 13, 24, 8, 0, false}, {4, 13, 24, 8, 2}}},
                   {9, {{5, 1, 2, 3, 4}}}};
  return result;
}

std::string written(const CellsFilmResult& result,
                    void (*write)(const CellsFilmResult&, TextFile&)) {
  const TemporaryFolder folder;
  TextFile file(folder.path("a"), false);
  write(result, file);
  file.finish();
  return read_bytes(folder.path("a"));
}

TEST(TrackMateXml, FeaturesAreTrackMates) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(written(one_track(), write_trackmate).c_str()));
  const pugi::xml_node model = document.document_element().child("Model");
  EXPECT_STREQ(model.attribute("spatialunits").value(), "µm");
  EXPECT_STREQ(model.attribute("timeunits").value(), "sec");
  const pugi::xml_node spot = model.child("AllSpots").child("SpotsInFrame").child("Spot");
  EXPECT_EQ(spot.attribute("POSITION_X").as_double(), 5);
  EXPECT_EQ(spot.attribute("RADIUS").as_double(), 4);
  EXPECT_EQ(spot.attribute("QUALITY").as_double(), 2);
  EXPECT_EQ(spot.attribute("POSITION_T").as_double(), 2 * (1.0 / 30));  // to the last bit
  EXPECT_STREQ(spot.attribute("name").value(), "ID0");
  const pugi::xml_node tracks = model.child("AllTracks"), track = tracks.child("Track");
  EXPECT_EQ(std::distance(tracks.begin(), tracks.end()), 1);  // a single spot has no edge
  EXPECT_EQ(track.attribute("TRACK_ID").as_int(), 7);
  const pugi::xml_node edge = track.child("Edge");
  EXPECT_NEAR(edge.attribute("DISPLACEMENT").as_double(), 2.5, 1e-9);
  EXPECT_NEAR(edge.attribute("SPEED").as_double(), 75, 1e-6);
  EXPECT_NEAR(track.attribute("TRACK_DISPLACEMENT").as_double(), 2.5, 1e-9);
  EXPECT_NEAR(track.attribute("TRACK_MEAN_SPEED").as_double(), 37.5, 1e-6);
  EXPECT_NEAR(track.attribute("TRACK_MEDIAN_SPEED").as_double(), 75, 1e-6);  // the upper of two
  EXPECT_NEAR(track.attribute("TRACK_MIN_SPEED").as_double(), 0, 1e-9);
  EXPECT_NEAR(track.attribute("TRACK_DURATION").as_double(), 2 / 30.0, 1e-12);
  for (const char* group : {"EdgeFeatures", "TrackFeatures"}) {
    const pugi::xml_node& of = group[0] == 'E' ? edge : track;
    for (const pugi::xml_node feature : model.child("FeatureDeclarations").child(group).children())
      EXPECT_TRUE(of.attribute(feature.attribute("feature").value()))
          << feature.attribute("feature").value();
  }
}

TEST(TrackMateXml, DisplaySettingsAreJson) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(written(one_track(), write_trackmate).c_str()));
  const auto display =
      nlohmann::json::parse(document.document_element().child("DisplaySettings").text().get());
  EXPECT_EQ(display["trackDisplayMode"], "LOCAL_BACKWARD");
  EXPECT_EQ(display["trackColorByFeature"], "TRACK_INDEX");
  EXPECT_EQ(display["spotUniformColor"], "204, 51, 204, 255");
  EXPECT_EQ(display["font"]["name"], "Arial");
}

TEST(TrackMateXml, TheFilmIsFound) {
  const TemporaryFolder folder;
  const std::string place = fs::canonical(folder.path(".")).string();
  fs::create_directory(folder.path("frames"));
  write_bytes(folder.path("film.avi"), "");
  write_bytes(folder.path("frames/f1.png"), "");
  const FilmPlace film = film_place(folder.path("frames/../film.avi"));
  EXPECT_EQ(film.folder, place + "/");
  EXPECT_EQ(film.name, "film.avi");
  EXPECT_TRUE(fs::exists(film.folder + film.name));
  for (const char* pictures : {"frames", "frames/", "frames/*.png"}) {
    const FilmPlace sequence = film_place(folder.path(pictures));
    EXPECT_EQ(sequence.folder, place + "/frames/") << pictures;
    EXPECT_EQ(sequence.name, "frames.tif") << pictures;
  }
  EXPECT_EQ(film_place("film.avi").folder, fs::current_path().string() + "/");
  EXPECT_EQ(film_place("-").folder + film_place("-").name, "");
}

TEST(TrackMateTable, HasTheFourLinesOfTrackMate) {
  CellsFilmResult result = one_track();
  const std::string table = written(result, write_trackmate_spots);
  EXPECT_EQ(table.substr(0, table.find("ID1,")),
            "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME,RADIUS,"
            "VISIBILITY,SEEN\n"
            "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,Radius,Visibility,Seen\n"
            "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,R,Visibility,Seen\n"
            ",,,(quality),(µm),(µm),(µm),(sec),,(µm),,\n"
            "ID0,0,7,2,5,10,0.0,0.06666666666666667,2,4,1,1\n");
  result.calibration.um_per_pixel.reset();
  EXPECT_NE(written(result, write_trackmate_spots).find(",(pixel),(pixel),(pixel),(sec)"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera::testing
