// SPDX-License-Identifier: Apache-2.0
/// A small film in a folder, the tool that follows its cells, and the tables it makes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tessera/cells.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;
inline constexpr int kFrames = 16;

/// Three discs on noise: one rolls to the right, one to the left, one stands.
inline Image small_film(int frames = kFrames, int channels = 1) {
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

/// Rows of a table without its names, as numbers; an empty field is NaN.
inline std::vector<std::vector<double>> table(const std::string& path,
                                              std::string* names = nullptr) {
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

class CliCells : public ::testing::Test {
 protected:
  void SetUp() override { write_image(film_, testing::short_view(small_film())); }

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

}  // namespace tessera::testing
