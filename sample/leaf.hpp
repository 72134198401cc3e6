// SPDX-License-Identifier: Apache-2.0
/// The leaves of a scene. They are not stored: those near a position are made again when it is
/// painted, from the coordinates of the cells they lie in.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera {

struct Colour {
  float red = 0, green = 0, blue = 0;
};

struct Leaf {
  std::uint64_t depth = 0;      ///< the smallest is in front
  double x = 0, y = 0;          ///< centre in pixels
  float along = 1, across = 1;  ///< half axes; along >= across
  float cosine = 1, sine = 0;   ///< direction of the long axis
  float shadow = 0;             ///< reach of its shadow beyond its edge
  Colour colour;
  float roundness = 0;                                       ///< 0 flat, 1 a ball
  float texture = 0, texture_wave = 1, texture_stretch = 1;  ///< strength, pixels, along to across
  std::uint64_t texture_seed = 0;

  double reach() const { return along + shadow; }
};

/// Octaves of radius in an image with this longer side: the largest leaf is as wide as half of it.
int leaf_levels(int longer_side);

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;  ///< right and bottom excluded
};

/// All leaves that may touch a box, front to back.
std::vector<Leaf> leaves_near(const Box& box, std::uint64_t seed, int levels);

/// The colour behind all leaves.
Colour background_colour(std::uint64_t seed);

}  // namespace tessera
