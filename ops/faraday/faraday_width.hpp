// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "tessera/faraday.hpp"

namespace tessera {

/// The theoretical width of an RMSF of channels with lambda^2 from `least` to `most`: of its
/// magnitude, or of its real part if lambda2_0 is 0.
inline double faraday_width(double least, double most, double lambda2_0) {
  return lambda2_0 == 0 ? 2 / (most + least) : 3.8 / (most - least);
}

/// Extremes of lambda^2.
struct FaradayBand {
  double least = std::numeric_limits<double>::infinity(), most = 0;
};

/// Over channels that count and are not flagged; one byte per channel.
inline FaradayBand faraday_band(const FaradayAxes& axes,
                                std::span<const unsigned char> flagged = {}) {
  FaradayBand band;
  for (std::size_t k = 0; k < axes.weight.size(); ++k) {
    if (!(axes.weight[k] > 0) || (!flagged.empty() && flagged[k])) continue;
    band.least = std::min(band.least, axes.lambda2[k]);
    band.most = std::max(band.most, axes.lambda2[k]);
  }
  return band;
}

}  // namespace tessera
