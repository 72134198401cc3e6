// SPDX-License-Identifier: Apache-2.0
/// An RMSF and the Gaussian that restores its components, in the form that the methods of RM-CLEAN
/// read.
#pragma once

#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

/// Elements past the end of every table that may be read as 0: a group of vectors.
inline constexpr int kCleanPadding = 64;

/// In the type of the data, rounded from double.
template <class Real>
struct CleanTables {
  CleanTables(const FaradayRmsf& rmsf, int depths, double dphi);

  std::vector<Real> re, im;  ///< 2 depths + 1 values, the middle one at zero
  std::vector<Real> beam;    ///< 2 reach + 1 values of the Gaussian
  int reach = 0;             ///< beyond it the Gaussian is 0 in this type, or there is no depth
  int half_window = 0;       ///< steps within half a width of the main lobe
};

extern template struct CleanTables<float>;
extern template struct CleanTables<double>;

}  // namespace tessera
