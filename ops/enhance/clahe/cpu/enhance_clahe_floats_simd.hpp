// SPDX-License-Identifier: Apache-2.0
/// Floats on their way to bins.
#pragma once

#include <cmath>
#include <limits>

#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {

/// The smallest and the largest finite value; low is above high if there is none.
template <class T>
struct ClaheFloatExtremes {
  T low = std::numeric_limits<T>::infinity(), high = -std::numeric_limits<T>::infinity();

  void add(T v) {
    if (!std::isfinite(v)) return;
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
};

void clahe_float_extremes(const float* in, long long count, ClaheFloatExtremes<float>& found);
void clahe_float_extremes(const double* in, long long count, ClaheFloatExtremes<double>& found);

void clahe_float_bins(const ClaheScale& scale, const float* in, int count, unsigned char* bins);
void clahe_float_bins(const ClaheScale& scale, const double* in, int count, unsigned char* bins);

}  // namespace tessera
