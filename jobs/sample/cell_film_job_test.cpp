// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/cell_film_job.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/formats.hpp"
#include "jobs/cells/cell_score.hpp"
#include "jobs/cells/cell_track_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

class CellFilmJobTest : public ::testing::Test {
 protected:
  CellFilmJob job(const std::string& output, const std::string& truth = "") const {
    CellFilmJob made;
    made.output = folder_.path(output);
    if (!truth.empty()) made.truth = folder_.path(truth);
    made.sample.size = {240, 160};
    made.sample.seed = 3;
    made.film = {.frames = 30, .cells = 5, .stops = 1};
    return made;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    return names;
  }

  const TemporaryFolder folder_;
};

TEST_F(CellFilmJobTest, WritesTheFilmFrameByFrame) {
  CellFilm film({240, 160}, 3, Type::u8, {.frames = 30, .cells = 5, .stops = 1});
  Image expected(film.info());
  film.read({0, 160}, expected.view());
  for (const char* name : {"a.npy", "a.tif"}) {
    if (!can_write(std::filesystem::path(name).extension())) continue;
    long long calls = 0;
    const CellFilmResult result = job(name).run([&](long long done, long long all) {
      EXPECT_EQ(done, ++calls);
      EXPECT_EQ(all, 30);
    });
    EXPECT_EQ(calls, 30);
    EXPECT_TRUE(same_samples(expected.view(), testing::short_view(read_image(folder_.path(name)))))
        << name;
    EXPECT_EQ(result.cells, 5);
    EXPECT_EQ(result.frames, 30);
    EXPECT_NE(result.describe().find("5 cells in 240x160 u8, 30 planes, seed 3"), std::string::npos)
        << result.describe();
  }
}

TEST_F(CellFilmJobTest, WritesTheTruthAsTracksAre) {
  const CellFilm film({240, 160}, 3, Type::u8, {.frames = 30, .cells = 5, .stops = 1});
  job("a.npy", "a.csv").run();
  job("b.npy", "b.xml").run();
  for (const char* name : {"a.csv", "b.xml"}) {
    const std::vector<CellTrack> tracks = read_tracks(folder_.path(name));
    ASSERT_EQ(tracks.size(), 5u) << name;
    for (std::size_t k = 0; k < tracks.size(); ++k) {
      const CellTrack& known = film.truth().cells[k].track;
      EXPECT_EQ(tracks[k].id, known.id);
      ASSERT_EQ(tracks[k].spots.size(), known.spots.size());
      for (std::size_t i = 0; i < known.spots.size(); ++i) {
        EXPECT_EQ(tracks[k].spots[i].frame, known.spots[i].frame);
        EXPECT_NEAR(tracks[k].spots[i].x, known.spots[i].x, 1e-6);
        EXPECT_NEAR(tracks[k].spots[i].y, known.spots[i].y, 1e-6);
      }
    }
  }
  const CellScoreJob score{folder_.path("a.csv"), folder_.path("b.xml"), {}};
  EXPECT_NEAR(*score.run().alpha, 1, 1e-6);
}

TEST_F(CellFilmJobTest, LeavesNothingBehindWhenItCannotBe) {
  expect_error([&] { job("a.npy", "a.txt").run(); }, ErrorKind::usage, "use .csv or .xml");
  expect_error([&] { job("a.png").run(); }, ErrorKind::usage, "30 planes");
  expect_error([&] { job("a.npy", "no/such/a.csv").run(); }, ErrorKind::usage, "a.csv");
  expect_error(
      [&] {
        job("a.npy", "a.csv").run([](long long done, long long) {
          if (done == 7) throw Error(ErrorKind::failure, "stopped");
        });
      },
      ErrorKind::failure, "stopped");
  EXPECT_TRUE(files().empty()) << files().front();
}

// A disk without room for the truth must be noticed before the film is renamed.
TEST_F(CellFilmJobTest, TheTruthIsWrittenBeforeTheFilmIsInPlace) {
  std::uintmax_t staged = 0;
  job("a.npy", "a.csv").run([&](long long done, long long) {
    if (done < 30) return;
    for (const std::string& name : files()) {
      EXPECT_TRUE(name.starts_with('.')) << name << " is in place";
      if (name.starts_with(".a.csv")) staged = std::filesystem::file_size(folder_.path(name));
    }
  });
  EXPECT_EQ(staged, std::filesystem::file_size(folder_.path("a.csv")));
}

TEST_F(CellFilmJobTest, KeepsFilesThatExist) {
  write_bytes(folder_.path("a.csv"), "mine");
  expect_error([&] { job("a.npy", "a.csv").run(); }, ErrorKind::usage,
               "exists; give the option force");
  EXPECT_EQ(read_bytes(folder_.path("a.csv")), "mine");
  EXPECT_EQ(files().size(), 1u);
  CellFilmJob forced = job("a.npy", "a.csv");
  forced.writing.force = true;
  forced.run();
  EXPECT_EQ(read_tracks(folder_.path("a.csv")).size(), 5u);
}

}  // namespace
}  // namespace tessera
