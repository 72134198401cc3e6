// SPDX-License-Identifier: Apache-2.0
#include "sample/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "sample/random.hpp"

namespace tessera {
namespace {

/// Radii of octave k lie in [1.5, 3) * 2^k pixels.
double largest_radius(int level) { return 3.0 * static_cast<double>(1LL << level); }

/// Materials of natural scenes: shades from which a leaf mixes its own.
struct Palette {
  Colour shades[3];
};
constexpr Palette kPalettes[] = {
    {{{0.24f, 0.37f, 0.14f}, {0.45f, 0.55f, 0.22f}, {0.11f, 0.21f, 0.10f}}},  // foliage
    {{{0.46f, 0.34f, 0.22f}, {0.66f, 0.53f, 0.37f}, {0.25f, 0.17f, 0.12f}}},  // earth
    {{{0.55f, 0.54f, 0.52f}, {0.34f, 0.35f, 0.37f}, {0.80f, 0.78f, 0.73f}}},  // stone
    {{{0.42f, 0.58f, 0.75f}, {0.18f, 0.32f, 0.47f}, {0.72f, 0.82f, 0.89f}}},  // sky and water
    {{{0.84f, 0.48f, 0.17f}, {0.71f, 0.20f, 0.15f}, {0.91f, 0.76f, 0.33f}}},  // flowers
    {{{0.47f, 0.26f, 0.40f}, {0.72f, 0.53f, 0.62f}, {0.23f, 0.14f, 0.26f}}},  // heather
};
constexpr int kPaletteCount = static_cast<int>(std::size(kPalettes));

Colour mix(const Colour& a, const Colour& b, float share) {
  return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
          a.blue + (b.blue - a.blue) * share};
}

Colour brightened(const Colour& c, float by) { return {c.red * by, c.green * by, c.blue * by}; }

/// A scene prefers one palette.
Colour leaf_colour(std::uint64_t seed, Random& random) {
  const int favourite = Random{seed, 77}.below(3);  // foliage, earth or stone
  const int drawn = random.below(kPaletteCount + 5);
  const Palette& palette = kPalettes[drawn < kPaletteCount ? drawn : favourite];
  const Colour& first = palette.shades[random.below(3)];
  const Colour& second = palette.shades[random.below(3)];
  const Colour colour = mix(first, second, static_cast<float>(random.unit()));
  return brightened(colour, static_cast<float>(random.between(0.75, 1.15)));
}

/// A direction without sine or cosine, which differ from machine to machine.
void pick_direction(Random& random, Leaf& leaf) {
  for (;;) {
    const double x = random.between(-1, 1), y = random.between(-1, 1), square = x * x + y * y;
    if (square > 1 || square < 0.01) continue;
    const double length = std::sqrt(square);
    leaf.cosine = static_cast<float>(x / length);
    leaf.sine = static_cast<float>(y / length);
    return;
  }
}

Leaf make_leaf(std::uint64_t seed, Random& random, double cell_x, double cell_y, double cell,
               double most) {
  Leaf leaf;
  leaf.depth = random.next();
  leaf.x = cell_x + random.unit() * cell;
  leaf.y = cell_y + random.unit() * cell;
  // The inverse of the distribution r^-3 between half of `most` and `most`.
  const double radius = most / std::sqrt(4 - 3 * random.unit());
  leaf.along = static_cast<float>(radius);
  leaf.across = static_cast<float>(radius * (random.unit() < 0.4 ? 1 : random.between(0.35, 1)));
  leaf.shadow = static_cast<float>(1 + 0.22 * radius);
  pick_direction(random, leaf);
  leaf.colour = leaf_colour(seed, random);
  leaf.roundness = random.unit() < 0.35 ? static_cast<float>(random.between(0.5, 1)) : 0.0f;
  leaf.texture = static_cast<float>(random.between(0.08, 0.42));
  leaf.texture_wave = static_cast<float>(radius * random.between(0.05, 0.35));
  leaf.texture_stretch = static_cast<float>(random.unit() < 0.35 ? random.between(3, 9) : 1);
  leaf.texture_seed = random.next();
  return leaf;
}

long long cell_of(double place, double cell) {
  return static_cast<long long>(std::floor(place / cell));
}

bool touches(const Leaf& leaf, const Box& box) {
  const double dx = std::max({box.left - leaf.x, leaf.x - (box.right - 1), 0.0});
  const double dy = std::max({box.top - leaf.y, leaf.y - (box.bottom - 1), 0.0});
  const double reach = leaf.reach() + 1;
  return dx * dx + dy * dy <= reach * reach;
}

/// The number of leaves per cell is the same in every octave: that is what r^-3 means.
void add_level(const Box& box, std::uint64_t seed, int level, std::vector<Leaf>& leaves) {
  const double most = largest_radius(level), cell = 2 * most;
  const double reach = 1.22 * most + 2;
  for (auto row = cell_of(box.top - reach, cell); row <= cell_of(box.bottom + reach, cell); ++row)
    for (auto column = cell_of(box.left - reach, cell); column <= cell_of(box.right + reach, cell);
         ++column) {
      Random random{seed, static_cast<std::uint64_t>(level), static_cast<std::uint64_t>(row),
                    static_cast<std::uint64_t>(column)};
      for (int left = 2 + random.below(3); left > 0; --left) {
        const Leaf leaf = make_leaf(seed, random, static_cast<double>(column) * cell,
                                    static_cast<double>(row) * cell, cell, most);
        if (touches(leaf, box)) leaves.push_back(leaf);
      }
    }
}

}  // namespace

int leaf_levels(int longer_side) {
  int levels = 1;
  while (4 * largest_radius(levels) <= longer_side) ++levels;
  return levels;
}

std::vector<Leaf> leaves_near(const Box& box, std::uint64_t seed, int levels) {
  std::vector<Leaf> leaves;
  for (int level = 0; level < levels; ++level) add_level(box, seed, level, leaves);
  // Positions decide between equal depths, so that the order does not depend on the box.
  std::ranges::sort(leaves, [](const Leaf& a, const Leaf& b) {
    return std::tuple(a.depth, a.x, a.y) < std::tuple(b.depth, b.x, b.y);
  });
  return leaves;
}

Colour background_colour(std::uint64_t seed) {
  Random random{seed, 78};
  return brightened(leaf_colour(seed, random), 0.6f);
}

}  // namespace tessera
