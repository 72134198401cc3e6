// SPDX-License-Identifier: Apache-2.0
// Masks, folders of the Cell Tracking Challenge, graphs, and the vessel, by the tool.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/cli_cells.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

class CliCellsMasks : public CliCells {
 protected:
  bool there(const std::string& name) const { return fs::exists(made(name)); }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(read_bytes(made(name)));
  }
  std::string refusal(const Words& more) const {
    const Outcome outcome = run_tool(words(film_, more));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_FALSE(fs::exists(out_)) << "nothing is made";
    return outcome.err;
  }
};

TEST_F(CliCellsMasks, EveryTrackIsInTheMasksOfItsFrames) {
  if (!can_write(".tif")) GTEST_SKIP() << "this build cannot write TIFF";
  ASSERT_EQ(run_tool(words(film_, {"--masks", "yes", "--ctc", "yes"})).code, 0);
  const auto tracks = library_tracks(testing::short_view(small_film()));
  const Image stack = read_image(made("masks.tif"));
  EXPECT_EQ(stack.info().type, Type::u16);
  EXPECT_EQ(stack.info().size.planes, kFrames);
  for (int k = 0; k < kFrames; ++k) {
    std::set<int> expected{0}, found;
    for (const CellTrack& track : tracks)
      if (k >= track.spots.front().frame && k <= track.spots.back().frame)
        expected.insert(track.id);
    const auto page = stack.as<unsigned short>();
    for (int y = 0; y < page.size.height; ++y)
      for (int x = 0; x < page.size.width; ++x) found.insert(page.at(x, y, 0, k));
    EXPECT_EQ(found, expected) << k;
    char name[32];
    std::snprintf(name, sizeof name, "ctc/mask%03d.tif", k);
    const Image single = read_image(made(name));
    EXPECT_EQ(single.as<unsigned short>().at(48, 40), page.at(48, 40, 0, k)) << name;
  }
  std::string lines;
  for (const CellTrack& track : tracks)
    lines += std::to_string(track.id) + " " + std::to_string(track.spots.front().frame) + " " +
             std::to_string(track.spots.back().frame) + " 0\n";
  EXPECT_EQ(read_bytes(made("ctc/res_track.txt")), lines);
}

TEST_F(CliCellsMasks, GraphHasEverySpotAndLink) {
  ASSERT_EQ(run_tool(words(film_, {"--geff", "yes", "--um-per-pixel", "0.5"})).code, 0);
  const auto rows = table(made("tracks.csv"));
  const long long spots = static_cast<long long>(rows.size());
  const long long tracks = static_cast<long long>(table(made("summary.csv")).size());
  const auto geff = json("tracks.geff/.zattrs")["geff"];
  EXPECT_EQ(geff["axes"][2]["name"], "x");
  EXPECT_EQ(geff["axes"][2]["scale"], 0.5);
  EXPECT_EQ(geff["axes"][0]["unit"], "frame");
  EXPECT_EQ(json("tracks.geff/edges/ids/.zarray")["shape"], nlohmann::json({spots - tracks, 2}));
  const std::string polygons = read_bytes(made("tracks.geff/nodes/props/polygon/values/0.0.0"));
  EXPECT_EQ(static_cast<long long>(polygons.size()), spots * kCellDirections * 2 * 4);
  const std::string x = read_bytes(made("tracks.geff/nodes/props/x/values/0"));
  ASSERT_EQ(static_cast<long long>(x.size()), spots * 8);
  double first = 0;
  std::memcpy(&first, x.data(), sizeof first);
  EXPECT_NEAR(first, rows[0][3], 1e-6);
}

TEST_F(CliCellsMasks, FilesOfAnEarlierRunAreKeptOrRemoved) {
  const bool tiff = can_write(".tif");
  const std::string yes = tiff ? "yes" : "no";
  ASSERT_EQ(run_tool(words(film_, {"--ctc", yes, "--geff", "yes"})).code, 0);
  for (const fs::directory_entry& entry : fs::directory_iterator(out_))
    if (entry.is_regular_file()) fs::remove(entry.path());
  const Outcome kept = run_tool(words(film_, {"--geff", "yes"}));
  EXPECT_EQ(kept.code, 2);
  EXPECT_NE(kept.err.find("tracks.geff/.zattrs exists"), std::string::npos) << kept.err;
  if (tiff) fs::remove(made("ctc/res_track.txt"));
  if (tiff) {
    const Outcome masks = run_tool(words(film_, {"--ctc", "yes"}));
    EXPECT_NE(masks.err.find("ctc/mask000.tif exists"), std::string::npos) << masks.err;
  }
  ASSERT_EQ(run_tool(words(film_, {"--force"})).code, 0);
  EXPECT_FALSE(there("ctc"));
  EXPECT_FALSE(there("tracks.geff"));
  EXPECT_TRUE(there("summary.json"));
}

// The middle of the frame is at x = 48; cells are on both sides of it.
TEST_F(CliCellsMasks, OnlyCellsInTheVesselAreCounted) {
  ASSERT_EQ(run_tool(words(film_)).code, 0);
  const auto all = table(made("tracks.csv"));
  const auto left = [&](const std::string& inside) {
    const Outcome outcome = run_tool(words(film_, {"--force", "--inside", inside}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("--inside: "), std::string::npos) << outcome.out;
    EXPECT_EQ(json("summary.json")["inside"], inside);
    return table(made("tracks.csv"));
  };
  const auto kept = left("-1,-1 40.5,-1 40.5,100 -1,100");
  EXPECT_FALSE(kept.empty());
  EXPECT_LT(kept.size(), all.size());
  for (const auto& row : kept) EXPECT_LT(row[3], 40.5);
  EXPECT_EQ(json("summary.json")["counts"]["tracks"], table(made("summary.csv")).size());
  Image mask({96, 80}, Type::u8);
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x <= 40; ++x) mask.as<unsigned char>().at(x, y) = 1;
  write_image(folder_.path("mask.npy"), mask.view());
  EXPECT_EQ(left(folder_.path("mask.npy")).size(), kept.size());
}

TEST_F(CliCellsMasks, VesselsThatDoNotFitAreRefusedBeforeTheFilmIsFollowed) {
  EXPECT_NE(refusal({"--inside", "1,2 3,4"}).find("this has 2"), std::string::npos);
  EXPECT_NE(refusal({"--inside", "200,2 300,4 250,50"}).find("x is from 0 to"), std::string::npos);
  EXPECT_NE(refusal({"--inside", "vessel.png"}).find("'vessel.png'"), std::string::npos);
  write_image(folder_.path("mask.npy"), testing::short_view(Image({30, 20}, Type::u8)));
  EXPECT_NE(refusal({"--inside", folder_.path("mask.npy")}).find("the mask has 30x20 pixels"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera::testing
