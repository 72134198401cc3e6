// SPDX-License-Identifier: Apache-2.0
// Edits without following the film again: the same bytes, and never tracks of something else.
#include "jobs/cells/followed_tracks.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/formats.hpp"
#include "tests/support/cli_cells.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

constexpr const char* kEdits = "split,1,8\nadd,9,3,,20.5,30,9\nadd,9,6,,23,31\nmerge,2,,1\n";

class FollowedTracks : public ::testing::Test {
 protected:
  void SetUp() override {
    write_image(job_.input, testing::short_view(small_film()));
    job_.options.min_frames = 5;
    job_.film.overlay = job_.film.report = false;
    job_.force = true;
    write_bytes(edits_, kEdits);
  }
  /// The notes that say whether the film was followed.
  static std::string told(const CellsResult& result) {
    std::string text;
    for (const std::string& note : result.notes)
      if (note.starts_with("the film was")) text += note;
    return text;
  }
  CellsResult edited() const {
    CellsJob job = job_;
    job.film.edits = edits_;
    return job.run();
  }
  std::string made(const std::string& name) const { return job_.output + "/" + name; }
  std::string stored() const { return made(kFollowedName); }
  std::string tables(const std::string& folder) const {
    std::string all;
    for (const char* name :
         {"tracks.csv", "summary.csv", "histogram.csv", "spots.csv", "trackmate.xml", "isbi.xml"})
      all += read_bytes(folder + "/" + name);
    return all;
  }
  /// Tables of the film and options with the edits, in a folder where nothing was kept.
  std::string tables_when_followed() {
    CellsJob job = job_;
    job.film.edits = edits_;
    job.output = folder_.path("fresh" + std::to_string(fresh_++));
    EXPECT_EQ(told(job.run()), "");
    return tables(job.output);
  }
  void expect_followed_again(const std::string& why) {
    EXPECT_EQ(told(edited()), "the film was followed again: " + why);
    EXPECT_EQ(tables(job_.output), tables_when_followed());
    EXPECT_TRUE(told(edited()).starts_with("the film was not followed again"));
    EXPECT_EQ(tables(job_.output), tables_when_followed());
  }

  TemporaryFolder folder_;
  std::string edits_ = folder_.path("edits.csv");
  CellsJob job_{.input = folder_.path("film.npy"), .output = folder_.path("out")};
  int fresh_ = 0;
};

TEST_F(FollowedTracks, GiveTheSameBytes) {
  EXPECT_EQ(told(job_.run()), "");
  const CellsResult result = edited();
  EXPECT_EQ(told(result),
            "the film was not followed again: edits were applied to the tracks in " + stored());
  EXPECT_EQ(result.edits, 4);
  EXPECT_EQ(tables(job_.output), tables_when_followed());
  write_bytes(edits_, "delete,1\n");  // of the tracks that were followed, not of the edited ones
  EXPECT_TRUE(told(edited()).starts_with("the film was not followed again"));
  EXPECT_EQ(tables(job_.output), tables_when_followed());
}

TEST_F(FollowedTracks, KeepOutlinesNotesAndWarnings) {
  job_.options.max_cells = 1;  // a doubt
  const CellsResult first = job_.run();
  write_bytes(edits_, "");
  const std::string before = tables(job_.output);
  const CellsResult again = edited();
  EXPECT_EQ(tables(job_.output), before);
  EXPECT_EQ(again.warnings, first.warnings);
  EXPECT_EQ(again.doubts, first.doubts);
  EXPECT_EQ(again.ran, first.ran);
  ASSERT_EQ(again.notes.size(), first.notes.size() + 1);
  EXPECT_TRUE(std::equal(first.notes.begin(), first.notes.end(), again.notes.begin()));
}

TEST_F(FollowedTracks, OtherMeasuresAndVesselsDoNotFollowAgain) {
  job_.run();
  job_.measure.speed_window = 5;
  job_.film.um_per_pixel = 0.5;
  job_.film.inside = "0,0 95,0 95,45 0,45";
  write_bytes(edits_, "add,9,3,,20.5,30,9\n");
  EXPECT_TRUE(told(edited()).starts_with("the film was not followed again"));
  EXPECT_EQ(tables(job_.output), tables_when_followed());
}

TEST_F(FollowedTracks, OtherOptionsFollowAgain) {
  job_.run();
  job_.options.threshold = 1.5;
  expect_followed_again("threshold was 1.3 and is now 1.5");
  job_.reading.first_frame = 1;
  expect_followed_again("first-frame was 0 and is now 1");
}

TEST_F(FollowedTracks, AnotherFilmIsNoticedWhateverItsDate) {
  job_.run();
  const auto date = std::filesystem::last_write_time(job_.input);
  std::string bytes = read_bytes(job_.input);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_bytes(job_.input, bytes);
  std::filesystem::last_write_time(job_.input, date);
  expect_followed_again("the contents of the film have changed");
}

TEST_F(FollowedTracks, DamageIsNoticed) {
  job_.run();
  const std::string whole = read_bytes(stored());
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{30}, whole.size() / 2, whole.size() - 20, whole.size() - 1}) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    write_bytes(stored(), bytes);
    EXPECT_EQ(told(edited()), "the film was followed again: " + stored() + " is damaged") << at;
    EXPECT_EQ(read_bytes(stored()), whole);
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    write_bytes(stored(), whole.substr(0, size));
    EXPECT_EQ(told(edited()), "the film was followed again: " + stored() + " is damaged") << size;
  }
  EXPECT_EQ(tables(job_.output), tables_when_followed());
}

TEST_F(FollowedTracks, AnotherVersionFollowsAgain) {
  job_.run();
  CellsFilmResult result;
  TrackGrounds grounds{{"the version of tessera", "0.0.1"}};
  begin_followed(stored(), grounds, result)->finish();
  expect_followed_again("the version of tessera was 0.0.1 and is now " TESSERA_VERSION);
}

TEST_F(FollowedTracks, AWrongEditTouchesNothing) {
  job_.run();
  const std::string before = tables(job_.output), kept = read_bytes(stored());
  write_bytes(edits_, "delete,77\n");
  EXPECT_THROW(edited(), Error);
  job_.options.threshold = 1.5;
  EXPECT_THROW(edited(), Error);
  EXPECT_EQ(tables(job_.output), before);
  EXPECT_EQ(read_bytes(stored()), kept);
}

TEST_F(FollowedTracks, WithoutEditsTheFilmIsFollowed) {
  job_.run();
  write_bytes(stored(), "nothing");
  EXPECT_EQ(told(job_.run()), "");
  EXPECT_NE(read_bytes(stored()), "nothing");
}

}  // namespace
}  // namespace tessera::testing
