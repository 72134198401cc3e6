// SPDX-License-Identifier: Apache-2.0
// Films from the command line: what the library gives, in tables and XML, for every kind of film;
// bad films and bad calls; batches.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "io/formats.hpp"
#include "tessera/cells.hpp"
#include "tests/support/files.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kFrames = 16;

// Three discs on noise: one rolls to the right, one to the left, one stands.
Image small_film(int frames = kFrames, int channels = 1) {
  Image film({96, 80, channels, frames}, Type::u8);
  std::mt19937 random(5);
  std::normal_distribution<> noise(0, 2);
  const double discs[3][4] = {{30, 30, 1, 40}, {66, 52, -0.5, -35}, {48, 40, 0, 40}};
  for (int p = 0; p < frames; ++p)
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 96; ++x) {
        double value = 100 + noise(random);
        for (const auto& [cx, cy, v, height] : discs)
          value += height / (1 + std::exp(2 * (std::hypot(x - cx - v * p, y - cy) - 7)));
        for (int c = 0; c < channels; ++c)
          film.as<unsigned char>().at(x, y, c, p) =
              static_cast<unsigned char>(std::clamp(value, 0.0, 255.0));
      }
  return film;
}

// Rows of a table without its names, as numbers; an empty field is NaN.
std::vector<std::vector<double>> table(const std::string& path, std::string* names = nullptr) {
  std::istringstream lines(read_bytes(path));
  std::string line;
  std::getline(lines, line);
  if (names) *names = line;
  std::vector<std::vector<double>> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(field.empty() ? NAN : std::atof(field.c_str()));
  }
  return rows;
}

long long count_of(const std::string& text, const std::string& part) {
  long long count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

class CliCells : public ::testing::Test {
 protected:
  void SetUp() override { write_image(film_, small_film().view()); }

  Words words(const std::string& film, const Words& more = {}) const {
    Words all{"cells",        "track", film,        "-o", out_,       "--method", "reference",
              "--min-frames", "5",     "--overlay", "no", "--report", "no"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string made(const std::string& name) const { return out_ + "/" + name; }
  static std::vector<CellTrack> library_tracks(AnyView film) {
    CellsOptions options;
    options.method = "reference";
    options.min_frames = 5;
    return track_cells(film, options);
  }
  void expect_tracks(const std::vector<CellTrack>& tracks, int first_frame = 0) const {
    const auto rows = table(made("tracks.csv"));
    std::size_t row = 0;
    for (const CellTrack& track : tracks)
      for (const CellSpot& spot : track.spots) {
        ASSERT_LT(row, rows.size());
        EXPECT_EQ(rows[row][0], track.id);
        EXPECT_EQ(rows[row][1], spot.frame + first_frame);
        EXPECT_NEAR(rows[row][3], spot.x, 1e-6);
        EXPECT_NEAR(rows[row][4], spot.y, 1e-6);
        EXPECT_NEAR(rows[row][5], spot.radius, 1e-6);
        EXPECT_NEAR(rows[row][6], spot.score, 1e-5);
        EXPECT_EQ(rows[row][8], spot.seen ? 1 : 0);
        ++row;
      }
    EXPECT_EQ(row, rows.size());
  }

  TemporaryFolder folder_;
  std::string film_ = folder_.path("film.npy"), out_ = folder_.path("out");
};

TEST_F(CliCells, TablesAreWhatTheLibraryGives) {
  const Outcome outcome = run_tool(
      words(film_, {"--um-per-pixel", "0.5", "--frame-rate", "25", "--flow", "0", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  CellsOptions options;
  options.method = "reference";
  options.min_frames = 5;
  options.flow = 0;
  const auto tracks = track_cells(small_film().view(), options);
  ASSERT_GE(tracks.size(), 1U);
  expect_tracks(tracks);
  std::string names;
  const auto rows = table(made("tracks.csv"), &names);
  EXPECT_EQ(names,
            "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,SCORE,SPEED,SEEN,POSITION_X_UM,"
            "POSITION_Y_UM,RADIUS_UM,SPEED_UM_S");
  for (const auto& row : rows) {
    EXPECT_NEAR(row[2], row[1] / 25, 1e-9);
    EXPECT_NEAR(row[9], row[3] / 2, 1e-6);
    EXPECT_NEAR(row[12], row[7] * 12.5, 1e-6);
  }
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
  const auto tracks = library_tracks(small_film().view());
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
  EXPECT_NE(outcome.err.find("tracks are of the 11 frames before"), std::string::npos)
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

TEST_F(CliCells, EditsAreReplayed) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const std::string before = read_bytes(made("tracks.csv"));
  const std::string edits = folder_.path("edits.csv");
  write_bytes(edits, "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS\nadd,77,3,,20,30,9\nadd,77,5,,22,30,9\n");
  const Outcome outcome = run_tool(words(film_, {"--edits", edits, "--force"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string after = read_bytes(made("tracks.csv"));
  ASSERT_TRUE(after.starts_with(before));
  EXPECT_EQ(after.substr(before.size()),
            "77,3,0.1,20,30,9,0,1,1\n77,4,0.133333333,21,30,9,0,1,0\n"
            "77,5,0.166666667,22,30,9,0,1,1\n");
  write_bytes(edits, "delete,77\n");
  const Outcome bad = run_tool(words(film_, {"--edits", edits, "--force"}));
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("edits.csv, line 1: there is no track 77"), std::string::npos) << bad.err;
  EXPECT_EQ(read_bytes(made("tracks.csv")), after) << "the old table stays";
  write_bytes(edits, "delet,1\n");  // said before the film is even opened
  const Outcome slip = run_tool(words(folder_.path("none.avi"), {"--edits", edits, "--force"}));
  EXPECT_EQ(slip.code, 2);
  EXPECT_NE(slip.err.find("edits.csv, line 1: 'delet' is not known"), std::string::npos)
      << slip.err;
}

// A movie of other tracks must not lie beside these.
TEST_F(CliCells, PicturesOfAnEarlierRunDoNotStay) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  write_bytes(made("overlay.mp4"), "old");
  setenv("TESSERA_FFMPEG", "/no/such/program", 1);
  Words call = words(film_, {"--force"});
  *std::ranges::find(call, "no") = "yes";  // the overlay
  const Outcome outcome = run_tool(call);
  unsetenv("TESSERA_FFMPEG");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("overlay.mp4 was not made"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(made("overlay.mp4")));
}

TEST_F(CliCells, WhatThisRunDoesNotMakeDoesNotStayEither) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  for (const char* name : {"overlay.mp4", "report.html", "histogram.svg", "mine.txt"})
    write_bytes(made(name), "old");
  const Outcome outcome = run_tool(words(film_, {"--force"}));  // overlay and report: no
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"overlay.mp4", "report.html", "histogram.svg"})
    EXPECT_FALSE(fs::exists(made(name))) << name;
  EXPECT_TRUE(fs::exists(made("mine.txt"))) << "not ours";
}

TEST_F(CliCells, TheClassicModelRefusesWhatItDoesNotUse) {
  const Words track{"cells", "track", film_, "-o", out_, "--model", "classic"};
  const Words detect{"cells", "detect", film_, "--model", "classic"};
  const std::tuple<Words, Words> calls[] = {
      {track, {"--threshold", "2"}},    {track, {"--max-radius", "14"}},  // the usual one: given
      {track, {"--flow", "0"}},         {track, {"--gap", "8"}},
      {detect, {"--polarity", "both"}}, {detect, {"--samples", "100"}}};
  for (auto [call, more] : calls) {
    call.insert(call.end(), more.begin(), more.end());
    const Outcome outcome = run_tool(call);
    EXPECT_EQ(outcome.code, 2) << more[0];
    EXPECT_NE(outcome.err.find("the classic model decides " + more[0].substr(2) + " itself"),
              std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(run_tool(detect).code, 0);
}

TEST_F(CliCells, BadCallsSayWhatWouldBeRight) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const std::tuple<Words, const char*, int> calls[] = {
      {words(film_), "tracks.csv exists; give --force to replace it", 2},
      {words(film_, {"--force", "--crop", "50,0,60x80"}),
       "tessera cells track: crop 50,0,60x80 reaches outside the frame, which is 96x80", 2},
      {words(film_, {"--force", "--um-per-pixel", "0"}), "um-per-pixel is 0; it can be any more",
       2},
      {words(film_, {"--force", "--frame-rate", "-3"}),
       "frame-rate is -3; it can be any more than 0", 2},
      {words(film_, {"--force", "--speed-window", "2"}), "it can be 5 frames or more", 2},
      {words(film_, {"--force", "--edits", folder_.path("none.csv")}), "none.csv: cannot be", 3},
      {words(film_, {"--force", "--first-frame", "16"}), "there is no frame 16; it has 16", 2},
      {words(film_, {"--force", "--files-at-once", "2"}), "--files-at-once is for many films", 2},
      {words(folder_.path("none.avi")), "none.avi: cannot be opened", 3},
  };
  for (const auto& [call, part, code] : calls) {
    const Outcome outcome = run_tool(call);
    EXPECT_EQ(outcome.code, code) << part << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

// Whenever it is killed, every file is the old one or the new one, and the next run leaves no
// temporaries.
TEST_F(CliCells, KilledRunsLeaveWholeFiles) {
  const auto files = [this] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(out_))
      all[entry.path().filename()] = read_bytes(entry.path());
    return all;
  };
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const auto old = files();
  Words again = words(film_, {"--force", "--frame-rate", "25"});
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_tool(again).code, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  const auto expected = files();
  again.insert(again.begin(), TESSERA_CLI);
  std::mt19937 random(7);
  std::uniform_real_distribution<> part(0.5, 1.1);
  for (int k = 0; k < 12; ++k) {
    fs::remove_all(out_);
    fs::create_directory(out_);
    for (const auto& [name, bytes] : old) write_bytes(made(name), bytes);
    Process process(again);
    std::this_thread::sleep_for(part(random) * whole);
    ::kill(process.id(), SIGKILL);
    process.wait();
    for (const auto& [name, bytes] : files()) {
      if (name.starts_with('.')) continue;
      EXPECT_TRUE(bytes == old.at(name) || bytes == expected.at(name)) << name;
    }
    ASSERT_EQ(Process(again).wait().code, 0);
    EXPECT_EQ(files(), expected);
  }
}

TEST_F(CliCells, FoldersOfFilmsAreBatchesThatGoOn) {
  const std::string films = folder_.path("films");
  fs::create_directory(films);
  for (const char* name : {"a.npy", "b.npy"}) fs::copy_file(film_, films + "/" + name);
  const Outcome first = run_tool(words(films));
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("2 done, 0 had, 0 failed"), std::string::npos) << first.out;
  EXPECT_EQ(read_bytes(made("a/tracks.csv")), read_bytes(made("b/tracks.csv")));
  fs::remove(made("b/summary.json"));  // as a run that was killed would leave it
  const Outcome second = run_tool(words(films));
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_NE(second.out.find("1 done, 1 had, 0 failed"), std::string::npos) << second.out;
  EXPECT_TRUE(fs::exists(made("b/summary.json")));
  EXPECT_EQ(run_tool(words(films, {"--edits", film_})).code, 2);
}

}  // namespace
}  // namespace tessera::testing
