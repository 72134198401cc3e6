// SPDX-License-Identifier: Apache-2.0
// Tracks corrected in TrackMate: what we wrote for it, changed as a user would, and taken back.
#include "jobs/cells/trackmate_corrections.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <pugixml.hpp>

#include "jobs/cells/cells_corrections.hpp"
#include "jobs/cells/cells_xml.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

/// Two tracks of ten frames; the second one is bridged in frame 4.
CellsFilmResult two_tracks() {
  CellsFilmResult result;
  result.film.name = "film.npy";
  result.film.width = 100;
  result.film.height = 50;
  result.film.frames = 12;
  result.calibration.um_per_pixel = 0.32;
  for (int id = 1; id <= 2; ++id) {
    CellTrack track{id};
    for (int frame = 0; frame < 10; ++frame)
      track.spots.push_back(
          {frame, 10.1 * id + frame / 3.0, 20.0 * id, 8.25, -2.5, id == 1 || frame != 4});
    result.tracks.push_back(track);
  }
  return result;
}

class TrackMateCorrections : public ::testing::Test {
 protected:
  /// The result after its tracks were changed in TrackMate.
  CellsFilmResult after(const std::function<void(pugi::xml_node model)>& change) {
    CellsFilmResult result = two_tracks();
    TextFile file(path_, true);
    write_trackmate(result, file);
    file.finish();
    pugi::xml_document document;
    document.load_file(path_.c_str());
    change(document.document_element().child("Model"));
    document.save_file(path_.c_str());
    correct_tracks(read_corrections(path_), result);
    return result;
  }
  static pugi::xml_node spot(const pugi::xml_node& model, int id) {
    for (const pugi::xml_node frame : model.child("AllSpots").children("SpotsInFrame"))
      for (const pugi::xml_node spot : frame.children("Spot"))
        if (spot.attribute("ID").as_int() == id) return spot;
    return {};
  }
  static pugi::xml_node track(const pugi::xml_node& model, int id) {
    return model.child("AllTracks").find_child_by_attribute("TRACK_ID", std::to_string(id).c_str());
  }
  static void unlink(pugi::xml_node track, int source) {
    track.remove_child(
        track.find_child_by_attribute("SPOT_SOURCE_ID", std::to_string(source).c_str()));
  }
  static void link(pugi::xml_node track, int source, int target) {
    pugi::xml_node edge = track.append_child("Edge");
    edge.append_attribute("SPOT_SOURCE_ID") = source;
    edge.append_attribute("SPOT_TARGET_ID") = target;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("corrected.xml");
};

void expect_same(const CellTrack& one, const CellTrack& other) {
  ASSERT_EQ(one.id, other.id);
  ASSERT_EQ(one.spots.size(), other.spots.size());
  for (std::size_t k = 0; k < one.spots.size(); ++k) {
    EXPECT_EQ(one.spots[k].frame, other.spots[k].frame);
    EXPECT_EQ(one.spots[k].x, other.spots[k].x);
    EXPECT_EQ(one.spots[k].radius, other.spots[k].radius);
    EXPECT_EQ(one.spots[k].score, other.spots[k].score);
    EXPECT_EQ(one.spots[k].seen, other.spots[k].seen);
  }
}

TEST_F(TrackMateCorrections, NothingChangesNothing) {
  const CellsFilmResult result = after([](const pugi::xml_node&) {}), found = two_tracks();
  ASSERT_EQ(result.tracks.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) expect_same(result.tracks[k], found.tracks[k]);
  EXPECT_EQ(result.edits, 0);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0], path_ + ": its tracks are those that were found");
}

TEST_F(TrackMateCorrections, MovedSpots) {
  const CellsFilmResult result = after([](const pugi::xml_node& model) {
    spot(model, 14).attribute("POSITION_X") = 0.32 * 55;  // track 2, frame 4
    spot(model, 15).attribute("RADIUS") = 0.32 * 9;
  });
  ASSERT_EQ(result.tracks.size(), 2U);
  expect_same(result.tracks[0], two_tracks().tracks[0]);
  const CellSpot& moved = result.tracks[1].spots[4];
  EXPECT_NEAR(moved.x, 55, 1e-9);
  EXPECT_TRUE(moved.seen);  // a person saw it
  EXPECT_EQ(moved.score, 0);
  EXPECT_NEAR(result.tracks[1].spots[5].radius, 9, 1e-9);
  EXPECT_EQ(result.tracks[1].spots[5].score, -2.5);
  EXPECT_EQ(result.edits, 1);
  EXPECT_EQ(result.notes[0], path_ + ": tracks are as in this file: 1 changed, 0 new, 0 gone");
}

TEST_F(TrackMateCorrections, DeletedTracksAndSpots) {
  const CellsFilmResult result = after([](const pugi::xml_node& model) {
    model.child("AllTracks").remove_child(track(model, 1));  // its spots stay in the list
    unlink(track(model, 2), 10);                             // the first spot
  });
  ASSERT_EQ(result.tracks.size(), 1U);
  EXPECT_EQ(result.tracks[0].id, 2);
  EXPECT_EQ(result.tracks[0].spots.front().frame, 1);
  EXPECT_FALSE(result.tracks[0].spots[3].seen);  // not moved: still bridged
  EXPECT_EQ(result.edits, 2);
  EXPECT_EQ(result.notes[0], path_ +
                                 ": tracks are as in this file: 1 changed, 0 new, 1 gone; spots "
                                 "without links, which are in no track: 11");
}

TEST_F(TrackMateCorrections, LinksThatChange) {
  const CellsFilmResult result = after([](const pugi::xml_node& model) {
    unlink(track(model, 1), 4), unlink(track(model, 2), 14);
    link(track(model, 1), 4, 15);  // the tracks were swapped after frame 4
    link(track(model, 2), 14, 5);
  });
  ASSERT_EQ(result.tracks.size(), 2U);
  EXPECT_EQ(result.tracks[0].spots[4].y, 20);
  EXPECT_EQ(result.tracks[0].spots[5].y, 40);
  EXPECT_EQ(result.tracks[0].spots[5].score, -2.5);
  EXPECT_EQ(result.tracks[1].spots[9].y, 20);
  EXPECT_EQ(result.edits, 2);
}

TEST_F(TrackMateCorrections, AddedSpotsAndGaps) {
  const CellsFilmResult result = after([](const pugi::xml_node& model) {
    pugi::xml_node added = model.child("AllSpots").last_child().append_child("Spot");
    for (const auto& [name, value] : {std::pair{"ID", "99"},
                                      {"FRAME", "11"},
                                      {"POSITION_X", "6.4"},
                                      {"POSITION_Y", "6.4"},
                                      {"RADIUS", "2.56"}})
      added.append_attribute(name) = value;
    link(track(model, 1), 9, 99);
  });
  const CellTrack& longer = result.tracks[0];
  ASSERT_EQ(longer.spots.size(), 12U);
  EXPECT_FALSE(longer.spots[10].seen);  // bridged
  EXPECT_NEAR(longer.spots[10].x, (10.1 + 3 + 20) / 2, 1e-9);
  EXPECT_NEAR(longer.spots[11].x, 20, 1e-12);
  EXPECT_NEAR(longer.spots[11].radius, 8, 1e-12);
  expect_same(result.tracks[1], two_tracks().tracks[1]);
}

TEST_F(TrackMateCorrections, FilesOfAnotherFilmAreRefused) {
  const auto refused = [&](const std::string& message, const auto& change) {
    expect_error([&] { after(change); }, ErrorKind::input, message);
  };
  refused(path_ +
              ": it has no tracks (20 spots without links); it must have the corrected tracks "
              "of film.npy",
          [](const pugi::xml_node& model) { model.child("AllTracks").remove_children(); });
  refused(path_ + ": it is about a film of 640x50 pixels; film.npy has 100x50",
          [](const pugi::xml_node& model) {
            model.parent().child("Settings").child("ImageData").attribute("width") = 640;
          });
  refused(path_ + ": track 1 has a spot in frame 12; the film was read from frame 0 to 11",
          [](const pugi::xml_node& model) { spot(model, 9).attribute("FRAME") = 12; });
  refused(path_ + ": track 1 is at x 250, y 20 pixels in frame 9; the film's frames have 100x50",
          [](const pugi::xml_node& model) { spot(model, 9).attribute("POSITION_X") = 80; });
  refused(path_ + ": track 2 has RADIUS 0 in frame 0; it must be more than 0",
          [](const pugi::xml_node& model) { spot(model, 10).attribute("RADIUS") = 0; });
  refused("SPOT_TARGET_ID is 500, and <AllSpots> has no spot with this ID",
          [](const pugi::xml_node& model) { link(track(model, 1), 9, 500); });
  write_bytes(path_, "<root/>");
  expect_error([&] { read_corrections(path_); }, ErrorKind::input,
               path_ + ", line 1: <root> does not hold corrections; it must be <TrackMate>");
}

}  // namespace
}  // namespace tessera::testing
