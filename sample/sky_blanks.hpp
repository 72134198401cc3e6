// SPDX-License-Identifier: Apache-2.0
/// The unseen parts of a sky: a margin, everything outside a circle, and spots.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/sky_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

class SkyBlanks {
 public:
  SkyBlanks(const Size& size, std::uint64_t seed, const SkyOptions& options);

  /// Sets the unseen pixels of a row to NaN.
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
  std::vector<Disc> holes_;  ///< a spot is three overlapping discs, so that its shape is irregular
};

}  // namespace tessera
