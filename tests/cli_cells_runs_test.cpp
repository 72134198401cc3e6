// SPDX-License-Identifier: Apache-2.0
// Runs over films from the command line: edits, outputs of earlier runs, bad calls, kills, batches.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <thread>
#include <tuple>

#include "tests/support/cli_cells.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

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
            "77,3,0.1,20,30,9,0,1,1,,,\n77,4,0.133333333,21,30,9,0,1,0,,,\n"
            "77,5,0.166666667,22,30,9,0,1,1,,,\n");
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

TEST_F(CliCells, TracksComeBackFromTrackMate) {
  ASSERT_EQ(run_tool(words(film_, {"--um-per-pixel", "0.32"})).code, 0);
  const std::string before = read_bytes(made("tracks.csv")),
                    xml = read_bytes(made("trackmate.xml")),
                    corrected = folder_.path("corrected.xml");
  const auto again = [&](const std::string& text) {
    write_bytes(corrected, text);
    return run_tool(words(film_, {"--um-per-pixel", "0.32", "--edits", corrected, "--force"}));
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = xml;
    return text.replace(text.find(from), from.size(), to);
  };
  const Outcome same = again(xml);
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("its tracks are those that were found"), std::string::npos) << same.out;
  EXPECT_EQ(read_bytes(made("tracks.csv")), before);
  const struct {
    std::string text, message;
  } cases[] = {
      {with("SPOT_TARGET_ID=\"1\"", "SPOT_TARGET_ID=\"1234567\""),
       "SPOT_TARGET_ID is 1234567, and <AllSpots> has no spot with this ID"},
      {with("<ImageData", "<ImageInfo"), "positions are in µm, and there is no <Settings>"},
      {with(" FRAME=\"", " FRAME=\"9"),
       "has a spot in frame 90; the film was read from frame 0 to 15"},
      {xml.substr(0, xml.size() / 2), "it is not XML"},
  };
  for (const auto& [text, message] : cases) {
    const Outcome bad = again(text);
    EXPECT_EQ(bad.code, 3) << message;
    EXPECT_NE(bad.err.find(message), std::string::npos) << bad.err;
    EXPECT_EQ(read_bytes(made("tracks.csv")), before) << "the old table stays";
  }
}

// A movie of other tracks must not lie next to these.
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
      {words(film_), "tracks.csv exists; give the option force to replace it", 2},
      {words(film_, {"--force", "--crop", "50,0,60x80"}),
       "tessera cells track: crop 50,0,60x80 reaches outside the frame, which is 96x80", 2},
      {words(film_, {"--force", "--um-per-pixel", "0"}), "um-per-pixel is 0; it can be more than 0",
       2},
      {words(film_, {"--force", "--frame-rate", "-3"}), "frame-rate is -3; it can be more than 0",
       2},
      {words(film_, {"--force", "--speed-window", "2"}), "it can be 5 or more", 2},
      {words(film_, {"--force", "--edits", folder_.path("none.csv")}), "none.csv: cannot be", 3},
      {words(film_, {"--force", "--first-frame", "16"}), "there is no frame 16; it has 16", 2},
      {words(film_, {"--force", "--files-at-once", "2"}), "--files-at-once needs several films", 2},
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
