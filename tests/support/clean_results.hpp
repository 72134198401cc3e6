// SPDX-License-Identifier: Apache-2.0
/// What RM-CLEAN makes, poisoned and guarded.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tessera/faraday_clean.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

struct CleanResults {
  Guarded real, imaginary, components_real, components_imaginary, iterations;

  explicit CleanResults(Size s, Type type, int gap = 0)
      : real(s, type, gap),
        imaginary(s, type, gap),
        components_real(s, type, gap),
        components_imaginary(s, type, gap),
        iterations({s.width, s.height}, type, gap) {}
  std::vector<const Guarded*> all() const {
    return {&real, &imaginary, &components_real, &components_imaginary, &iterations};
  }
  FaradayCleaned views(int first, int count) const {
    return {real.view().rows(first, count), imaginary.view().rows(first, count),
            components_real.view().rows(first, count),
            components_imaginary.view().rows(first, count), iterations.view().rows(first, count)};
  }
  FaradayCleaned views() const { return views(0, real.view().size.height); }
};

/// By value, NaN equal to NaN: zeros may have either sign.
template <class Real>
void expect_equal_values(const CleanResults& a, const CleanResults& b) {
  for (std::size_t i = 0; i < a.all().size(); ++i) {
    EXPECT_TRUE(b.all()[i]->fully_written() && b.all()[i]->untouched_outside()) << i;
    const auto x = a.all()[i]->view().as<Real>(), y = b.all()[i]->view().as<Real>();
    int different = 0;
    for (int p = 0; p < x.size.planes; ++p)
      for (int row = 0; row < x.size.height; ++row)
        for (int column = 0; column < x.size.width; ++column) {
          const Real u = x.at(column, row, 0, p), v = y.at(column, row, 0, p);
          different += !(u == v || (std::isnan(u) && std::isnan(v)));
        }
    EXPECT_EQ(different, 0) << "output " << i;
  }
}

}  // namespace tessera::testing
