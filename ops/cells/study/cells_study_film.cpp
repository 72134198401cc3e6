// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>

#include "ops/cells/study/cells_case.hpp"

namespace tessera {
namespace {

// A cell has a whole window in the first frames, and is well inside the frame after sixty.
constexpr int kFromLeft = 44, kFromRight = 104, kFromTop = 36;
constexpr int kApartX = 44, kApartY = 34;  // no two cells touch
constexpr double kGround = 110, kContrast = 40, kNoise = 4, kSoft = 1.5;

/// Cells are placed in rows, each shifted a little. Those of a row roll at the same speed, so that
/// none overtakes another. There are as many as there is room for.
std::vector<StudyFilm::Cell> placed_cells(int width, int rows, int top, int wanted,
                                          std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / static_cast<double>(random.max());
  };
  const int room_x = width - kFromLeft - kFromRight, room_y = rows - 2 * kFromTop;
  const int down = std::clamp(room_y / kApartY, 1, wanted);
  const int across = std::clamp((wanted + down - 1) / down, 1, std::max(1, room_x / kApartX));
  std::vector<StudyFilm::Cell> cells;
  for (int y = 0; y < down; ++y) {
    const double speed = between(0.9, 1.3);
    for (int x = 0; x < across && std::ssize(cells) < wanted; ++x) {
      StudyFilm::Cell cell;
      cell.x = kFromLeft + (x + between(0.45, 0.55)) * room_x / across;
      cell.y = top + kFromTop + (y + between(0.45, 0.55)) * room_y / down;
      cell.radius = between(8.5, 11.5);
      cell.moves_x = speed;
      cells.push_back(cell);
    }
  }
  return cells;
}

/// The share of a cell at a distance from its rim: 1 inside, falling off softly.
double cover(double outside) { return 1 / (1 + std::exp(outside / (kSoft / 2))); }

}  // namespace

StudyFilm made_film(int width, int height, int top, int rows, int cells, int frames) {
  std::mt19937 random(7);
  StudyFilm film{Image({width, height, 1, frames}, Type::u8), top, rows,
                 placed_cells(width, rows, top, cells, random)};
  const auto uniform = [&] {
    return static_cast<double>(random()) / static_cast<double>(random.max()) - 0.5;
  };
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<double> light(static_cast<std::size_t>(width) * height, kGround);
    for (const StudyFilm::Cell& cell : film.cells) {
      const int reach = static_cast<int>(cell.radius) + 6;
      const int middle_x = static_cast<int>(cell.x_in(frame));
      const int middle_y = static_cast<int>(cell.y);
      for (int y = std::max(middle_y - reach, 0); y <= std::min(middle_y + reach, height - 1); ++y)
        for (int x = std::max(middle_x - reach, 0); x <= std::min(middle_x + reach, width - 1); ++x)
          light[y * width + x] +=
              kContrast * cover(std::hypot(x - cell.x_in(frame), y - cell.y) - cell.radius);
    }
    auto pixels = film.frames.as<unsigned char>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        // The sum of four has the variance 4 / 12.
        const double noise =
            kNoise * std::sqrt(3.0) * (uniform() + uniform() + uniform() + uniform());
        pixels.at(x, y, 0, frame) = static_cast<unsigned char>(
            std::lround(std::clamp(light[y * width + x] + noise, 0.0, 255.0)));
      }
  }
  return film;
}

}  // namespace tessera
