// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/fit/sources_width.hpp"

#include <cmath>

namespace tessera {

// With the moments of the beam as L L^T, the matrix of p, q and s becomes L^T P L: the identity for
// the beam itself. Its largest eigenvalue is 1 / width^2, in the direction where the Gaussian falls
// fastest.
RelativeWidth narrowest_width(const SourceGaussian& gaussian, const SourceShape& beam) {
  const SourceMoments m = moments_of(beam);
  const double l11 = std::sqrt(m.xx), l21 = m.xy / l11, l22 = std::sqrt(m.yy - l21 * l21);
  const double p = gaussian.v[3], q = gaussian.v[4], s = gaussian.v[5];
  const double xx = l11 * l11 * p + 2 * l11 * l21 * q + l21 * l21 * s,
               xy = l22 * (l11 * q + l21 * s), yy = l22 * l22 * s;
  const double largest = (xx + yy) / 2 + std::hypot((xx - yy) / 2, xy);
  const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
  const double x = l11 * std::cos(angle), y = l21 * std::cos(angle) + l22 * std::sin(angle);
  RelativeWidth found;
  found.width = 1 / std::sqrt(largest);
  const double change = -0.5 * found.width / largest;
  found.slopes = {change * x * x, change * 2 * x * y, change * y * y};
  return found;
}

}  // namespace tessera
