// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_small.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/samples.hpp"

namespace tessera {
namespace {

constexpr int kSide = 256;

int reduced(int side, const Size& image) {
  const int longer = std::max(image.width, image.height);
  return longer <= kSide ? side : std::max(1, static_cast<int>(1LL * side * kSide / longer));
}

}  // namespace

NoiseSmall::NoiseSmall(const Size& image, int planes)
    : image_(image),
      width_(reduced(image.width, image)),
      height_(reduced(image.height, image)),
      cells_(
          static_cast<std::size_t>(planes) + 1,
          std::vector<Cell>(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_))) {
}

void NoiseSmall::see(AnyView image, AnyView planes, int first_row) {
  for (int y = 0; y < planes.size.height; ++y) {
    add_row(image, y, 0, cells_[0], first_row + y);
    for (int p = 0; p < planes.size.planes; ++p)
      add_row(planes, y, p, cells_[static_cast<std::size_t>(p) + 1], first_row + y);
  }
}

void NoiseSmall::add_row(AnyView from, int row, int plane, std::vector<Cell>& cells,
                         int image_row) const {
  Cell* const to = cells.data() + 1LL * image_row * height_ / image_.height * width_;
  for (int x = 0; x < image_.width; ++x) {
    const double value = sample_at(from, x, row, 0, plane);
    if (!std::isfinite(value)) continue;
    Cell& cell = to[1LL * x * width_ / image_.width];
    cell.sum += value;
    ++cell.count;
  }
}

std::vector<double> NoiseSmall::means(int plane) const {
  std::vector<double> values;
  for (const Cell& cell : cells_[static_cast<std::size_t>(plane + 1)])
    values.push_back(cell.count > 0 ? cell.sum / static_cast<double>(cell.count)
                                    : std::numeric_limits<double>::quiet_NaN());
  return values;
}

}  // namespace tessera
