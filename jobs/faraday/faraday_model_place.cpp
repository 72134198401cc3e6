// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_model_place.hpp"

namespace tessera {

FaradayModelPlace faraday_model_place(const FaradayAxes& axes) {
  const double wanted = axes.frequency_0();
  const auto frequency = [&](int k) { return axes.frequency[static_cast<std::size_t>(k)]; };
  int low = -1, high = -1;
  for (int k = 0; k < axes.channels(); ++k) {
    if (!(axes.weight[static_cast<std::size_t>(k)] > 0)) continue;
    if (frequency(k) <= wanted && (low < 0 || frequency(k) > frequency(low))) low = k;
    if (frequency(k) >= wanted && (high < 0 || frequency(k) < frequency(high))) high = k;
  }
  if (low < 0) low = high;
  if (high < 0) high = low;
  const double width = frequency(high) - frequency(low);
  return {low, high, width > 0 ? (wanted - frequency(low)) / width : 0};
}

}  // namespace tessera
