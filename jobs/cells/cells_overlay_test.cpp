// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_overlay.hpp"

#include <gtest/gtest.h>

#include "io/child_process.hpp"
#include "io/formats.hpp"
#include "jobs/cells/cells_plots.hpp"
#include "report/cell_painter.hpp"
#include "tests/support/files.hpp"
#include "tests/support/followed_film.hpp"

namespace tessera {
namespace {

using testing::followed;
using testing::straight_track;

bool is_colour(const View<const std::uint8_t>& film, int x, int y, int frame, Paint colour) {
  const std::uint8_t* pixel = &film.at(x, y, 0, frame);
  return pixel[0] == colour.red && pixel[1] == colour.green && pixel[2] == colour.blue;
}

bool is_grey(const View<const std::uint8_t>& film, int x, int y, int frame) {
  const std::uint8_t* pixel = &film.at(x, y, 0, frame);
  return pixel[0] == pixel[1] && pixel[1] == pixel[2];
}

class CellsOverlay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (find_program("ffmpeg", "TESSERA_FFMPEG").empty()) GTEST_SKIP() << "ffmpeg is not found";
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  testing::TemporaryFolder folder_;
};

TEST_F(CellsOverlay, DrawsOutlinesTailsAndIdsWhereCellsAre) {
  const Size size{64, 48, 1, 20};
  testing::write_noise_film(path("film.npy"), size);
  CellsFilmResult result = followed(
      "film.npy", size, {straight_track(1, 0, 20, 10, 30, 2), straight_track(2, 15, 3, 50, 12, 0)});
  write_cells_overlay(result, path("film.npy"), {}, path("over.avi"), false);  // lossless
  const Image movie = read_image(path("over.avi")), film = read_image(path("film.npy"));
  ASSERT_EQ(movie.info().size, (Size{64, 48, 3, 20}));
  const View<const std::uint8_t> seen = movie.as<std::uint8_t>();
  // In frame 10 cell 1 is at (30, 30) with radius 6.
  for (const auto& [x, y] : {std::pair{36, 30}, {30, 24}, {30, 36}})
    EXPECT_TRUE(is_colour(seen, x, y, 10, track_colour(1))) << x << " " << y;
  EXPECT_FALSE(is_grey(seen, 18, 30, 10)) << "its tail";
  EXPECT_TRUE(is_grey(seen, 45, 30, 10)) << "it has not been there yet";
  EXPECT_EQ(seen.at(45, 30, 0, 10), film.as<std::uint8_t>().at(45, 30, 0, 10));
  // Cell 2 is there in frames 15 to 17.
  EXPECT_TRUE(is_grey(seen, 50, 18, 14));
  EXPECT_TRUE(is_colour(seen, 50, 18, 15, track_colour(2)));
  EXPECT_TRUE(is_grey(seen, 50, 18, 18));
  // Its id, a 2, at (57, 0): the bar at its foot.
  for (int x = 57; x < 62; ++x) EXPECT_TRUE(is_colour(seen, x, 6, 15, track_colour(2))) << x;
  // In its third frame it was not seen, only expected: fainter.
  EXPECT_FALSE(is_colour(seen, 50, 18, 17, track_colour(2)));
  EXPECT_FALSE(is_grey(seen, 50, 18, 17));
}

TEST_F(CellsOverlay, FramesAreCountedInTheFilm) {
  const Size size{64, 48, 1, 4};
  testing::write_noise_film(path("film.npy"), size);
  CellsFilmResult result = followed("film.npy", size, {straight_track(1, 102, 2, 30, 30, 0)});
  result.film.first_frame = 100;
  write_cells_overlay(result, path("film.npy"), {}, path("over.avi"), false);
  const Image movie = read_image(path("over.avi"));
  EXPECT_TRUE(is_grey(movie.as<std::uint8_t>(), 36, 30, 1));
  EXPECT_TRUE(is_colour(movie.as<std::uint8_t>(), 36, 30, 2, track_colour(1)));
}

TEST_F(CellsOverlay, OddSidesBecomeAnMp4) {
  const Size size{63, 47, 1, 3};
  testing::write_noise_film(path("film.npy"), size);
  write_cells_overlay(followed("film.npy", size, {}), path("film.npy"), {}, path("over.mp4"),
                      false);
  const Size movie = open_image(path("over.mp4"))->info().size;
  EXPECT_EQ(movie.width, 64);
  EXPECT_EQ(movie.height, 48);
  EXPECT_EQ(movie.planes, 3);
  testing::expect_error(
      [&] {
        write_cells_overlay(followed("film.npy", size, {}), path("film.npy"), {}, path("over.mp4"),
                            false);
      },
      ErrorKind::usage, "over.mp4");
}

TEST(CellsPlots, TheHistogramIsDrawnWithItsFigures) {
  if (find_program("gnuplot", "TESSERA_GNUPLOT").empty()) GTEST_SKIP() << "gnuplot was not found";
  const testing::TemporaryFolder folder;
  CellsFilmResult result =
      followed("it's {a_b}.avi", {64, 48, 1, 20},
               {straight_track(1, 0, 20, 10, 30, 2), straight_track(2, 0, 20, 9, 9, 1)});
  result.calibration.um_per_pixel = 0.5;
  const Picture drawn = draw_cells_histogram(result, folder.path("histogram.svg"), false);
  EXPECT_EQ(drawn.note, "");
  const std::string svg = testing::read_bytes(folder.path("histogram.svg"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("it's {a_b}.avi"), std::string::npos);
  EXPECT_NE(svg.find("mean speed (µm/s)"), std::string::npos);
  EXPECT_NE(svg.find("median 22.5"), std::string::npos) << "1.5 px/frame at 30 frames/s";
  EXPECT_NE(testing::read_bytes(folder.path("histogram.tsv")).find("tracks"), std::string::npos);
  result.histogram.clear();
  result.counts.median_speed.reset();
  draw_cells_histogram(result, folder.path("none.svg"), false);
  EXPECT_NE(testing::read_bytes(folder.path("none.svg")).find("no track has a speed"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera
