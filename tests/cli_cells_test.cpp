// SPDX-License-Identifier: Apache-2.0
// Films from the command line: what the library gives, in tables and XML, for every kind of film.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/cli_cells.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

long long count_of(const std::string& text, const std::string& part) {
  long long count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_F(CliCells, TablesAreWhatTheLibraryGives) {
  const Outcome outcome = run_tool(
      words(film_, {"--um-per-pixel", "0.5", "--frame-rate", "25", "--flow", "0", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  CellsOptions options;
  options.method = "reference";
  options.min_frames = 5;
  options.flow = 0;
  const auto tracks = track_cells(testing::short_view(small_film()), options);
  ASSERT_GE(tracks.size(), 1U);
  expect_tracks(tracks);
  std::string names;
  const auto rows = table(made("tracks.csv"), &names);
  EXPECT_EQ(names,
            "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,SCORE,SPEED,SEEN,AREA,PERIMETER,"
            "ELONGATION,POSITION_X_UM,POSITION_Y_UM,RADIUS_UM,SPEED_UM_S,AREA_UM2,PERIMETER_UM");
  int outlines = 0;
  for (const auto& row : rows) {
    EXPECT_NEAR(row[2], row[1] / 25, 1e-9);
    EXPECT_NEAR(row[12], row[3] / 2, 1e-6);
    EXPECT_NEAR(row[15], row[7] * 12.5, 1e-6);
    if (std::isnan(row[9])) continue;
    ++outlines;
    EXPECT_NEAR(row[9], M_PI * row[5] * row[5], 0.5 * row[9]) << "the area of its circle, roughly";
    EXPECT_GE(row[10], std::sqrt(4 * M_PI * row[9])) << "a circle has the shortest perimeter";
    EXPECT_GE(row[11], 1);
    EXPECT_NEAR(row[16], row[9] / 4, 1e-5);
    EXPECT_NEAR(row[17], row[10] / 2, 1e-5);
  }
  EXPECT_GE(outlines, static_cast<int>(rows.size()) / 2);
  const auto summaries = table(made("summary.csv"));
  ASSERT_EQ(summaries.size(), tracks.size());
  const auto json = nlohmann::json::parse(outcome.out);
  const auto kept = nlohmann::json::parse(read_bytes(made("summary.json")));
  EXPECT_EQ(json["counts"], kept["counts"]);
  EXPECT_EQ(kept["counts"]["tracks"], tracks.size());
  EXPECT_EQ(kept["calibration"]["frame_rate_from"], "given");
  EXPECT_EQ(kept["film"]["frames"], kFrames);
  EXPECT_EQ(kept["options"]["min-frames"], 5);
  double histogram = 0;
  for (const auto& bin : table(made("histogram.csv"))) histogram += bin[2];
  EXPECT_EQ(histogram, static_cast<double>(tracks.size()));
}

TEST_F(CliCells, XmlHasEverySpotAndEdge) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const auto tracks = library_tracks(testing::short_view(small_film()));
  long long spots = 0;
  for (const CellTrack& track : tracks) spots += static_cast<long long>(track.spots.size());
  const std::string trackmate = read_bytes(made("trackmate.xml")),
                    isbi = read_bytes(made("isbi.xml"));
  EXPECT_EQ(count_of(trackmate, "<Spot ID="), spots);
  EXPECT_EQ(count_of(trackmate, "<Track name="), static_cast<long long>(tracks.size()));
  EXPECT_EQ(count_of(trackmate, "<TrackID "), static_cast<long long>(tracks.size()));
  EXPECT_EQ(count_of(trackmate, "<Edge "), spots - static_cast<long long>(tracks.size()));
  EXPECT_NE(trackmate.find("filename=\"film.npy\""), std::string::npos);
  EXPECT_EQ(count_of(isbi, "<particle>"), static_cast<long long>(tracks.size()));
  EXPECT_EQ(count_of(isbi, "<detection "), spots);
}

TEST_F(CliCells, EveryKindOfFilmGivesTheSameTracks) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const std::string expected = read_bytes(made("tracks.csv"));
  const Image film = small_film();
  const std::string pictures = folder_.path("pictures"), grey = folder_.path("colour");
  fs::create_directory(pictures);
  fs::create_directory(grey);
  const Image colour = small_film(kFrames, 3);
  for (int p = 0; p < kFrames; ++p) {  // without leading zeros: 10 must come after 9
    write_image(pictures + "/f" + std::to_string(p) + ".png", film.view().only_plane(p));
    write_image(grey + "/f" + std::to_string(p) + ".png", colour.view().only_plane(p));
  }
  Words films{pictures, pictures + "/*.png", grey};
  if (can_write(".tif")) {
    films.push_back(folder_.path("film.tif"));
    write_image(films.back(), film.view());
  }
  if (run_tool({"convert", film_, folder_.path("film.mkv")}).code == 0)
    films.push_back(folder_.path("film.mkv"));
  for (const std::string& other : films) {
    const Outcome outcome = run_tool(words(other, {"--force", "--frame-rate", "30"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_bytes(made("tracks.csv")), expected) << other;
    EXPECT_EQ(outcome.out.find("luminance") != std::string::npos, other == grey) << outcome.out;
  }
}

TEST_F(CliCells, SameBytesForAnyThreads) {
  ASSERT_EQ(run_tool(words(film_, {"--threads", "1"})).code, 0);
  const std::string expected = read_bytes(made("tracks.csv"));
  ASSERT_EQ(run_tool(words(film_, {"--threads", "3", "--force"})).code, 0);
  EXPECT_EQ(read_bytes(made("tracks.csv")), expected);
}

TEST_F(CliCells, PartsAreCountedInTheFilm) {
  ASSERT_EQ(run_tool(words(film_, {"--first-frame", "4", "--frames", "10"})).code, 0);
  const Image film = small_film();
  AnyView part = film.view();
  part.data = part.address(0, 0, 4);
  part.size.planes = 10;
  expect_tracks(library_tracks(part), 4);
}

TEST_F(CliCells, TruncatedFilmsKeepTheTracksSoFar) {
  const std::string bytes = read_bytes(film_), cut = folder_.path("cut.npy");
  write_bytes(cut, bytes.substr(0, bytes.size() - 96 * 80 * 4 - 100));  // 11 frames and a part
  const Outcome outcome = run_tool(words(cut));
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("tracks cover the 11 frames before"), std::string::npos)
      << outcome.err;
  const Image film = small_film();
  AnyView part = film.view();
  part.size.planes = 11;
  expect_tracks(library_tracks(part));
  const Outcome asked = run_tool(words(cut, {"--frames", "11", "--force"}));
  EXPECT_EQ(asked.code, 0) << asked.err;
  write_bytes(cut, bytes.substr(0, 200));  // not even one
  EXPECT_EQ(run_tool(words(cut, {"--force"})).code, 3);
}

TEST_F(CliCells, OneFrameIsSearched) {
  const Image film = small_film(1);
  write_image(folder_.path("one.png"), film.view());
  const Outcome outcome = run_tool(words(folder_.path("one.png")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("have no speed"), std::string::npos) << outcome.out;
  const auto rows = table(made("tracks.csv"));
  EXPECT_GE(rows.size(), 1U);
  for (const auto& row : rows) EXPECT_TRUE(std::isnan(row[7]));
  const Outcome detected = run_tool({"cells", "detect", folder_.path("one.png"), "-o",
                                     folder_.path("d.csv"), "--method", "reference"});
  ASSERT_EQ(detected.code, 0) << detected.err;
  const auto cells = table(folder_.path("d.csv"));
  ASSERT_EQ(cells.size(), rows.size());
  for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_EQ(cells[k][1], rows[k][3]);
  const Outcome printed =
      run_tool({"cells", "detect", folder_.path("one.png"), "--method", "reference"});
  EXPECT_EQ(printed.out, read_bytes(folder_.path("d.csv")));
}

TEST_F(CliCells, NoCellsAreEmptyTables) {
  const Image flat({96, 80, 1, 8}, Type::u8);
  write_image(folder_.path("flat.npy"), flat.view());
  const Outcome outcome = run_tool(words(folder_.path("flat.npy")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("no cells were found"), std::string::npos) << outcome.out;
  for (const char* name : {"tracks.csv", "summary.csv", "histogram.csv"}) {
    std::string names;
    EXPECT_TRUE(table(made(name), &names).empty());
    EXPECT_NE(names, "");
  }
}

}  // namespace
}  // namespace tessera::testing
