// SPDX-License-Identifier: Apache-2.0
/// A small square of a scene, painted front to back until nothing shows through.
#pragma once

#include <cstdint>

#include "sample/leaf.hpp"

namespace tessera {

inline constexpr int kTileSide = 32;

class LeafTile {
 public:
  /// Paints `box`, at most kTileSide each way.
  LeafTile(const Box& box, std::uint64_t seed, int levels);

  Colour at(int x, int y) const;  ///< in image coordinates; in [0, 1]

 private:
  void cover(const Leaf& leaf);
  void cover_row(const Leaf& leaf, int y);
  void cover_pixel(const Leaf& leaf, double dx, double dy, int index);
  int index(int x, int y) const { return (y - box_.top) * kTileSide + x - box_.left; }

  Box box_;
  int open_ = 0;  ///< pixels through which something still shows
  Colour colour_[kTileSide * kTileSide];
  float clear_[kTileSide * kTileSide];  ///< fraction of the background that shows through
  float light_[kTileSide * kTileSide];  ///< fraction of light left by leaves in front
};

}  // namespace tessera
