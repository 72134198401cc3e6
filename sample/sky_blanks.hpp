// SPDX-License-Identifier: Apache-2.0
/// Where a sky was not seen: a margin, all outside a circle, and spots.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/sky_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

class SkyBlanks {
 public:
  SkyBlanks(const Size& size, std::uint64_t seed, const SkyOptions& options);

  /// Makes NaN of what was not seen in a row.
  void blank(int row, std::vector<double>& values) const;

 private:
  struct Disc {
    double x, y, squared_radius;
    double squared_distance(int column, int row) const;
  };
  bool outside(int column, int row) const;

  Size size_;
  int margin_;
  Disc seen_{};
  std::vector<Disc> holes_;  ///< a spot is three discs that overlap, so that it has no plain shape
};

}  // namespace tessera
