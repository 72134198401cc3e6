// SPDX-License-Identifier: Apache-2.0
/// Small copies of an image and its maps, for a picture: means over equal areas.
#pragma once

#include <vector>

#include "tessera/view.hpp"

namespace tessera {

class NoiseSmall {
 public:
  /// For an image and `planes` planes of maps; at most 256 areas along the longer side.
  NoiseSmall(const Size& image, int planes);

  /// The rows from `first_row` on, in order.
  void see(AnyView image, AnyView planes, int first_row);

  int width() const { return width_; }
  int height() const { return height_; }
  /// The copy of a map, or of the image for -1; row by row, NaN where an area has no value.
  std::vector<double> means(int plane) const;

 private:
  struct Cell {
    double sum = 0;
    long long count = 0;
  };
  void add_row(AnyView from, int row, int plane, std::vector<Cell>& cells, int image_row) const;

  Size image_;
  int width_, height_;
  std::vector<std::vector<Cell>> cells_;  ///< of the image, then of the maps
};

}  // namespace tessera
