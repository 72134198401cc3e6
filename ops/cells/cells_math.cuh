// SPDX-License-Identifier: Apache-2.0
// Roots and roundings for host and device in both precisions. Kernels compiled at run time cannot
// open <cmath>, and have these functions built in.
#pragma once

#include "tessera/view.hpp"

#if !defined(__CUDACC__)
#include <cmath>
#endif

namespace tessera {

TESSERA_BOTH inline float cell_sqrt(float v) {
#if defined(__CUDACC__)
  return sqrtf(v);
#else
  return std::sqrt(v);
#endif
}
TESSERA_BOTH inline double cell_sqrt(double v) {
#if defined(__CUDACC__)
  return sqrt(v);
#else
  return std::sqrt(v);
#endif
}
template <class Real>
TESSERA_BOTH constexpr Real cell_abs(Real v) {
  return v < 0 ? -v : v;
}
template <class Value>
TESSERA_BOTH constexpr Value cell_min(Value a, Value b) {
  return b < a ? b : a;
}
template <class Value>
TESSERA_BOTH constexpr Value cell_max(Value a, Value b) {
  return a < b ? b : a;
}
template <class Value>
TESSERA_BOTH constexpr Value cell_clamp(Value v, Value low, Value high) {
  return v < low ? low : high < v ? high : v;
}
template <class Real>
TESSERA_BOTH constexpr bool cell_finite(Real v) {
  return v - v == 0;  // NOLINT(misc-redundant-expression): NaN if v is infinite
}
/// Halves away from zero, for numbers that an int holds.
template <class Real>
TESSERA_BOTH constexpr int cell_round(Real v) {
  return static_cast<int>(v < 0 ? v - Real(0.5) : v + Real(0.5));
}

}  // namespace tessera
