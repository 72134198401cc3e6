// SPDX-License-Identifier: Apache-2.0
/// An RMSF and the Gaussian that restores its components, as the methods of RM-CLEAN read them.
#pragma once

#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

/// Elements that may be read, as 0, behind the end of every table: a group of vectors.
inline constexpr int kCleanPadding = 64;

/// In the type of the data, rounded from double.
template <class Real>
struct CleanTables {
  CleanTables(const FaradayRmsf& rmsf, int depths, double dphi);

  std::vector<Real> re, im;  ///< 2 depths + 1 values, the middle one at zero
  std::vector<Real> beam;    ///< 2 reach + 1 values of the Gaussian
  int reach = 0;             ///< farther away it is 0 in this type, or no depth is there
  int half_window = 0;       ///< steps that are half a width of the main lobe or less
};

extern template struct CleanTables<float>;
extern template struct CleanTables<double>;

}  // namespace tessera
