// SPDX-License-Identifier: Apache-2.0
/// Times of the same work as one figure.
#pragma once

#include <vector>

namespace tessera {

struct MedianTime {
  double seconds = 0;  ///< the median; of an even number the slower of the middle two
  double spread = 0;   ///< (slowest - fastest) / median
};

/// For at least one time.
MedianTime median_time(std::vector<double> seconds);

}  // namespace tessera
