// SPDX-License-Identifier: Apache-2.0
/// Some shifts of an autocorrelation by the definition: the whole reference would take minutes.
#pragma once

#include <cmath>

#include "tessera/image.hpp"

namespace tessera {

/// Planes that a map adds up.
inline constexpr int kSpotPlanes = 4;

/// The definition at one shift, in double.
inline double correlation_at(View<const float> image, int first_plane, int dx, int dy) {
  double sum = 0;
  for (int p = first_plane; p < first_plane + kSpotPlanes; ++p)
    for (int y = 0; y < image.size.height - dy; ++y)
      for (int x = 0; x < image.size.width - dx; ++x)
        sum += double{image.at(x + dx, y + dy, 0, p)} * double{image.at(x, y, 0, p)};
  return sum;
}

/// Some shifts of the last image of a batch; `bound` is a share of C(0, 0).
inline bool correlation_agrees(View<const float> image, View<const float> map, double bound) {
  const int last = image.size.planes - kSpotPlanes, side = map.size.width;
  const double energy = correlation_at(image, last, 0, 0);
  for (const int dy : {0, 1, side / 3, side - 1})
    for (const int dx : {0, 1, side / 3, side - 1}) {
      const double found = map.at(dx, dy, 0, map.size.planes - 1);
      if (!(std::abs(found - correlation_at(image, last, dx, dy)) <= bound * energy)) return false;
    }
  return true;
}

/// Multiply-adds of the definition count as two.
inline double correlation_flops(int side, int shifts, int batch) {
  double overlaps = 0;
  for (int shift = 0; shift < shifts; ++shift) overlaps += side - shift;
  return 2 * overlaps * overlaps * kSpotPlanes * batch;
}

}  // namespace tessera
