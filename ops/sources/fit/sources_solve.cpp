// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "ops/sources/fit/sources_fit.hpp"

namespace tessera {

bool solve_positive(std::vector<double>& a, int n, std::vector<double>& b) {
  const auto at = [n](int r, int c) { return static_cast<std::size_t>(r * n + c); };
  // Scaled to a diagonal of ones: parameters have different units.
  std::vector<double> scale(static_cast<std::size_t>(n));
  for (int r = 0; r < n; ++r) {
    if (!(a[at(r, r)] > 0)) return false;
    scale[static_cast<std::size_t>(r)] = 1 / std::sqrt(a[at(r, r)]);
  }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      a[at(r, c)] *= scale[static_cast<std::size_t>(r)] * scale[static_cast<std::size_t>(c)];
  for (int c = 0; c < n; ++c) {
    double pivot = a[at(c, c)];
    for (int k = 0; k < c; ++k) pivot -= a[at(c, k)] * a[at(c, k)];
    if (!(pivot > 1e-12)) return false;
    a[at(c, c)] = std::sqrt(pivot);
    for (int r = c + 1; r < n; ++r) {
      double value = a[at(r, c)];
      for (int k = 0; k < c; ++k) value -= a[at(r, k)] * a[at(c, k)];
      a[at(r, c)] = value / a[at(c, c)];
    }
  }
  for (std::size_t first = 0; first < b.size(); first += static_cast<std::size_t>(n)) {
    double* const x = b.data() + first;
    for (int r = 0; r < n; ++r) {
      x[r] *= scale[static_cast<std::size_t>(r)];
      for (int k = 0; k < r; ++k) x[r] -= a[at(r, k)] * x[k];
      x[r] /= a[at(r, r)];
    }
    for (int r = n - 1; r >= 0; --r) {
      for (int k = r + 1; k < n; ++k) x[r] -= a[at(k, r)] * x[k];
      x[r] /= a[at(r, r)];
    }
    for (int r = 0; r < n; ++r) x[r] *= scale[static_cast<std::size_t>(r)];
  }
  return true;
}

}  // namespace tessera
