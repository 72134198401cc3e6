// SPDX-License-Identifier: Apache-2.0
/// Views with steps, and the comparison of views byte by byte.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "tessera/view.hpp"

namespace tessera::testing {

inline ::testing::AssertionResult same_samples(AnyView a, AnyView b) {
  if (a.size != b.size || a.type != b.type)
    return ::testing::AssertionFailure() << "sizes or types differ";
  const auto pixel_bytes = static_cast<size_t>(a.size.channels * bytes_of(a.type));
  for (int p = 0; p < a.size.planes; ++p)
    for (int y = 0; y < a.size.height; ++y)
      for (int x = 0; x < a.size.width; ++x)
        if (std::memcmp(a.address(x, y, p), b.address(x, y, p), pixel_bytes) != 0)
          return ::testing::AssertionFailure() << "pixel " << x << ", " << y << " of plane " << p;
  return ::testing::AssertionSuccess();
}

/// A view of every second pixel and row of a larger image, the rows from the bottom up. The larger
/// image must be at least twice as wide and high.
template <class View>
View every_second_upwards(View whole, Size size) {
  View part = whole;
  part.data = whole.address(1, 2 * size.height - 1);
  part.size = size;
  part.pixel = 2 * whole.pixel;
  part.row = -2 * whole.row;
  return part;
}

}  // namespace tessera::testing
