// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "jobs/cells/cell_outline.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// In pixels of the frame.
Polygon drawn_outline(CellSpot spot) {
  if (!spot.has_outline()) spot.outline.fill(static_cast<float>(spot.radius));
  Polygon corners;
  for (const PolygonPoint corner : outline_of(spot))
    corners.push_back({spot.x + corner.x, spot.y + corner.y});
  return corners;
}

double squared(double x, double y) { return x * x + y * y; }

/// The pixel of a position, moved into the frame; 0 for a position that is not a number.
int pixel_at(double position, int count) {
  return static_cast<int>(std::lround(position > 0 ? std::min(position, count - 1.0) : 0.0));
}

/// Calls visit(x, y) for the pixels of a square's rim that are in the frame.
template <class Visit>
void for_each_on_rim(int middle_x, int middle_y, int reach, const Size& size, Visit visit) {
  const int top = std::max(middle_y - reach, 0),
            bottom = std::min(middle_y + reach, size.height - 1);
  for (int y = top; y <= bottom; ++y) {
    const bool whole_row = std::abs(y - middle_y) == reach;
    for (int x = middle_x - reach; x <= middle_x + reach;
         x += whole_row || reach == 0 ? 1 : 2 * reach)
      if (x >= 0 && x < size.width) visit(x, y);
  }
}

}  // namespace

CellLabels::CellLabels(int width, int height)
    : size_{width, height},
      owners_(static_cast<std::size_t>(size_.pixels())),
      kept_(owners_.size()),
      distances_(owners_.size()),
      labels_(size_, Type::u16) {}

AnyView CellLabels::paint(const std::vector<const CellTrack*>& tracks, int frame) {
  std::ranges::fill(owners_, 0U);
  pixels_.assign(tracks.size() + 1, 0);
  const auto spot_of = [&](std::size_t k) -> const CellSpot& {
    const std::vector<CellSpot>& spots = tracks[k]->spots;
    return spots[static_cast<std::size_t>(frame - spots.front().frame)];
  };
  for (std::size_t k = 0; k < tracks.size(); ++k) add(spot_of(k), static_cast<Owner>(k + 1));
  keep_one_piece_each();
  for (const Owner owner : owners_) ++pixels_[owner];
  for (std::size_t k = 0; k < tracks.size(); ++k)
    if (pixels_[k + 1] == 0) give_one_pixel(spot_of(k), static_cast<Owner>(k + 1));
  std::ranges::transform(owners_, labels_.as<std::uint16_t>().data, [&](Owner owner) {
    return static_cast<std::uint16_t>(owner > 0 ? tracks[owner - 1]->id : 0);
  });
  return std::as_const(labels_).view();
}

void CellLabels::add(const CellSpot& spot, Owner cell) {
  for_each_span(drawn_outline(spot), size_, [&](int y, int first, int last) {
    for (int x = first; x <= last; ++x) {
      const auto pixel = static_cast<std::size_t>(1LL * y * size_.width + x);
      const auto distance = static_cast<float>(squared(x - spot.x, y - spot.y));
      if (owners_[pixel] != 0 && distances_[pixel] <= distance) continue;
      owners_[pixel] = cell;
      distances_[pixel] = distance;
    }
  });
}

// From the pixel nearest to the centre on, over neighbours on all eight sides.
void CellLabels::keep_one_piece_each() {
  std::vector<std::optional<std::size_t>> nearest(pixels_.size());
  for (std::size_t pixel = 0; pixel < owners_.size(); ++pixel)
    if (std::optional<std::size_t>& best = nearest[owners_[pixel]];
        owners_[pixel] != 0 && (!best || distances_[pixel] < distances_[*best]))
      best = pixel;
  std::ranges::fill(kept_, 0U);
  std::vector<std::size_t> reached;
  for (const std::optional<std::size_t>& first : nearest) {
    if (first) reached.push_back(*first);
    while (!reached.empty()) {
      const std::size_t pixel = reached.back();
      reached.pop_back();
      if (kept_[pixel] != 0) continue;
      kept_[pixel] = owners_[pixel];
      const auto width = static_cast<std::size_t>(size_.width);
      for_each_on_rim(static_cast<int>(pixel % width), static_cast<int>(pixel / width), 1, size_,
                      [&](int x, int y) {
                        const std::size_t next =
                            static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
                        if (owners_[next] == owners_[pixel] && kept_[next] == 0)
                          reached.push_back(next);
                      });
    }
  }
  std::swap(owners_, kept_);
}

bool CellLabels::can_take(std::size_t pixel) const {
  return owners_[pixel] == 0 || pixels_[owners_[pixel]] > 1;
}

void CellLabels::give_one_pixel(const CellSpot& spot, Owner cell) {
  const int middle_x = pixel_at(spot.x, size_.width), middle_y = pixel_at(spot.y, size_.height);
  for (int reach = 0; reach < std::max(size_.width, size_.height); ++reach) {
    std::optional<std::size_t> nearest;
    double least = 0;
    for_each_on_rim(middle_x, middle_y, reach, size_, [&](int x, int y) {
      const auto pixel = static_cast<std::size_t>(1LL * y * size_.width + x);
      const double distance = squared(x - middle_x, y - middle_y);
      if (!can_take(pixel) || (nearest && least <= distance)) return;
      nearest = pixel;
      least = distance;
    });
    if (!nearest) continue;
    --pixels_[owners_[*nearest]];
    ++pixels_[cell];
    owners_[*nearest] = cell;
    return;
  }
  throw Error(ErrorKind::failure,
              fmt::format("cells: a frame of {}x{} pixels has {} cells: not every one of them can "
                          "have a pixel of a mask",
                          size_.width, size_.height, pixels_.size() - 1));
}

}  // namespace tessera
