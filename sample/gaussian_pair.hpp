// SPDX-License-Identifier: Apache-2.0
/// Gaussian random numbers with full tails, the same on every machine.
#pragma once

#include <cmath>

#include "sample/exact_math.hpp"
#include "sample/random.hpp"

namespace tessera {

/// Two independent ones, of mean 0 and standard deviation 1.
struct GaussianPair {
  double first, second;
};

/// Marsaglia's polar method.
inline GaussianPair gaussian_pair(Random& random) {
  for (;;) {
    const double x = random.between(-1, 1), y = random.between(-1, 1), square = x * x + y * y;
    if (square <= 0 || square >= 1) continue;
    const double stretch = std::sqrt(-2 * log_of(square) / square);
    return {x * stretch, y * stretch};
  }
}

}  // namespace tessera
