// SPDX-License-Identifier: Apache-2.0
/// Images whose every sample is known, and their comparison byte by byte.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "tessera/image.hpp"

namespace tessera::testing {

/// Samples without a visible pattern, the same in every run; finite in the float types.
inline Image patterned_image(const ImageInfo& info) {
  Image image(info);
  const AnyMutableView view = image.view();
  const auto samples = info.size.samples();
  for (long long i = 0; i < samples; ++i) {
    auto value = static_cast<unsigned>(i) * 2654435761u;
    value = (value ^ value >> 15) * 2246822519u >> 7;
    switch (info.type) {
      case Type::u8:
        static_cast<unsigned char*>(view.data)[i] = static_cast<unsigned char>(value);
        break;
      case Type::u16:
        static_cast<unsigned short*>(view.data)[i] = static_cast<unsigned short>(value);
        break;
      case Type::f32:
        static_cast<float*>(view.data)[i] = static_cast<float>(value) * 0.37f - 1e4f;
        break;
      case Type::f64:
        static_cast<double*>(view.data)[i] = static_cast<double>(value) * 0.37 - 1e4;
        break;
    }
  }
  return image;
}

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
