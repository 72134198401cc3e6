// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/clean/faraday_clean_tables.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {

template <class Real>
CleanTables<Real>::CleanTables(const FaradayRmsf& rmsf, int depths, double dphi) {
  for (const std::complex<double>& value : rmsf.value) {
    re.push_back(static_cast<Real>(value.real()));
    im.push_back(static_cast<Real>(value.imag()));
  }
  const auto height = [&](int steps) {
    const double widths = steps * dphi / rmsf.fwhm;
    return static_cast<Real>(std::exp(-4 * std::log(2.0) * widths * widths));
  };
  while (reach + 1 < depths && height(reach + 1) > 0) ++reach;
  for (int steps = -reach; steps <= reach; ++steps) beam.push_back(height(steps));
  // A width that is a whole number of steps except for rounding counts as one.
  half_window = static_cast<int>(std::min<double>(depths, rmsf.fwhm / 2 / dphi * (1 + 1e-9)));
  for (std::vector<Real>* table : {&re, &im, &beam}) table->resize(table->size() + kCleanPadding);
}

template struct CleanTables<float>;
template struct CleanTables<double>;

}  // namespace tessera
