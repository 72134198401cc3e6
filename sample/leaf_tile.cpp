// SPDX-License-Identifier: Apache-2.0
#include "sample/leaf_tile.hpp"

#include <algorithm>
#include <cmath>

#include "sample/leaf_texture.hpp"

namespace tessera {
namespace {

/// Light falls from the upper left, towards the viewer.
constexpr float kLightX = -0.48f, kLightY = -0.64f, kLightZ = 0.6f;
/// A fraction too small to be seen in 16 bits of a mixed edge; the pixel is then done.
constexpr float kNothing = 1.0f / 1024;

/// Position of a pixel in a leaf.
struct LeafPlace {
  float across_x, across_y;  ///< from the centre, as fractions of the radius, image axes
  float u, v;                ///< pixels along the leaf's own axes
  float beyond;              ///< pixels outside its edge; negative inside
  float square;              ///< 1 on the edge
};

LeafPlace place_in(const Leaf& leaf, double dx, double dy) {
  const auto x = static_cast<float>(dx), y = static_cast<float>(dy);
  const float u = x * leaf.cosine + y * leaf.sine, v = y * leaf.cosine - x * leaf.sine;
  const float along = u / leaf.along, across = v / leaf.across;
  const float square = along * along + across * across;
  // The distance to an ellipse to first order: the excess of its equation over the slope.
  const float slope_u = along / leaf.along, slope_v = across / leaf.across;
  const float slope = std::sqrt(slope_u * slope_u + slope_v * slope_v);
  const float root = std::sqrt(square);
  const float beyond = slope > 0 ? (root - 1) * root / slope : -leaf.across;
  return {x / leaf.along, y / leaf.along, u, v, beyond, square};
}

/// Flat leaves are lit evenly except for a slope; round ones like balls.
float shade(const Leaf& leaf, const LeafPlace& place) {
  const float flat = 0.92f + 0.16f * (place.across_x * kLightX + place.across_y * kLightY);
  if (leaf.roundness == 0) return flat;
  const float height = std::sqrt(std::max(0.0f, 1 - place.square));
  const float facing = place.across_x * kLightX + place.across_y * kLightY + height * kLightZ;
  const float ball = 0.38f + 0.85f * std::max(0.0f, facing);
  return flat + (ball - flat) * leaf.roundness;
}

float textured(const Leaf& leaf, const LeafPlace& place) {
  // Waves shorter than two pixels would only be noise.
  if (leaf.texture_wave < 1) return 1;
  const float detail = std::clamp((leaf.texture_wave - 2) / 8, 0.0f, 1.0f);
  return 1 + leaf.texture * smooth_noise(place.u / (leaf.texture_wave * leaf.texture_stretch),
                                         place.v / leaf.texture_wave, leaf.texture_seed, detail);
}

/// The fraction of light that a leaf leaves behind it: a soft shadow, deeper on the side away from
/// the light.
float light_left(const Leaf& leaf, const LeafPlace& place) {
  const float fall = 1 - std::max(0.0f, place.beyond) / leaf.shadow;
  if (fall <= 0) return 1;
  const float side = 0.5f - 0.4f * (place.across_x * kLightX + place.across_y * kLightY);
  return 1 - 0.62f * std::clamp(side, 0.1f, 1.0f) * fall * fall;
}

}  // namespace

LeafTile::LeafTile(const Box& box, std::uint64_t seed, int levels) : box_(box) {
  open_ = (box.right - box.left) * (box.bottom - box.top);
  std::ranges::fill(clear_, 1.0f);
  std::ranges::fill(light_, 1.0f);
  for (const Leaf& leaf : leaves_near(box, seed, levels)) {
    if (open_ == 0) return;
    cover(leaf);
  }
  const Colour behind = background_colour(seed);
  for (int i = 0; i < kTileSide * kTileSide; ++i) {
    const float share = clear_[i] * light_[i];
    colour_[i].red += share * behind.red;
    colour_[i].green += share * behind.green;
    colour_[i].blue += share * behind.blue;
  }
}

Colour LeafTile::at(int x, int y) const {
  const Colour& colour = colour_[index(x, y)];
  return {std::min(colour.red, 1.0f), std::min(colour.green, 1.0f), std::min(colour.blue, 1.0f)};
}

void LeafTile::cover(const Leaf& leaf) {
  const double reach = leaf.reach() + 1;
  const int top = std::max(box_.top, static_cast<int>(std::ceil(leaf.y - reach)));
  const int bottom = std::min(box_.bottom, static_cast<int>(std::floor(leaf.y + reach)) + 1);
  for (int y = top; y < bottom; ++y) cover_row(leaf, y);
}

void LeafTile::cover_row(const Leaf& leaf, int y) {
  const double reach = leaf.reach() + 1, dy = y - leaf.y;
  const double half = std::sqrt(std::max(0.0, reach * reach - dy * dy));
  // Compared before they become integers: large leaves may end far outside any int.
  const double first = std::max<double>(box_.left, std::ceil(leaf.x - half));
  const double last = std::min<double>(box_.right - 1, std::floor(leaf.x + half));
  for (int x = static_cast<int>(first); x <= static_cast<int>(last); ++x)
    if (clear_[index(x, y)] > 0) cover_pixel(leaf, x - leaf.x, dy, index(x, y));
}

void LeafTile::cover_pixel(const Leaf& leaf, double dx, double dy, int index) {
  const LeafPlace place = place_in(leaf, dx, dy);
  const float covered = std::clamp(0.5f - place.beyond, 0.0f, 1.0f);
  if (covered > 0) {
    const float share =
        clear_[index] * covered * light_[index] * shade(leaf, place) * textured(leaf, place);
    colour_[index].red += share * leaf.colour.red;
    colour_[index].green += share * leaf.colour.green;
    colour_[index].blue += share * leaf.colour.blue;
    clear_[index] *= 1 - covered;
    if (clear_[index] < kNothing) {
      clear_[index] = 0;
      --open_;
      return;
    }
  }
  light_[index] *= light_left(leaf, place);
}

}  // namespace tessera
