// SPDX-License-Identifier: Apache-2.0
#include "core/median_time.hpp"

#include <algorithm>

namespace tessera {

MedianTime median_time(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const double median = seconds[seconds.size() / 2];
  // A clock may show no time at all.
  return {median, (seconds.back() - seconds.front()) / std::max(median, 1e-12)};
}

}  // namespace tessera
