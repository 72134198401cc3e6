// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>

#include "ops/cells/study/cells_case.hpp"

namespace tessera {
namespace {

constexpr int kFromSide = 60, kFromTop = 36;  // whole windows, and room to roll
constexpr double kGround = 110, kContrast = 40, kNoise = 4, kSoft = 1.5;

/// Cells stand in rows, each shifted a little.
std::vector<StudyFilm::Cell> placed_cells(int width, int rows, int top, int count,
                                          std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / static_cast<double>(random.max());
  };
  const int across = std::max(
      1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count) * width / rows))));
  const int down = (count + across - 1) / across;
  const double step_x = static_cast<double>(width - 2 * kFromSide) / across;
  const double step_y = static_cast<double>(rows - 2 * kFromTop) / down;
  std::vector<StudyFilm::Cell> cells;
  for (int k = 0; k < count; ++k) {
    StudyFilm::Cell cell;
    cell.x = kFromSide + (k % across + between(0.35, 0.65)) * step_x;
    cell.y = top + kFromTop + (k / across + between(0.4, 0.6)) * step_y;
    cell.radius = between(8.5, 11.5);
    cell.moves_x = between(0.3, 0.8);
    cells.push_back(cell);
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
      const int middle_y = static_cast<int>(cell.y_in(frame));
      for (int y = std::max(middle_y - reach, 0); y <= std::min(middle_y + reach, height - 1); ++y)
        for (int x = std::max(middle_x - reach, 0); x <= std::min(middle_x + reach, width - 1); ++x)
          light[y * width + x] +=
              kContrast *
              cover(std::hypot(x - cell.x_in(frame), y - cell.y_in(frame)) - cell.radius);
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
