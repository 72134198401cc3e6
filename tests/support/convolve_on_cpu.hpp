// SPDX-License-Identifier: Apache-2.0
/// Plans of convolve on the CPU, for the tests of its transforms.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tessera/convolve.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

inline Convolve convolve_on_cpu(const ImageInfo& image, AnyView filter, const std::string& method,
                                ConvolveOptions options = {}) {
  options.backend = Backend::cpu;
  options.method = method;
  return {image, filter, options};
}

/// Whether two plans make the same bytes of a part of the image.
inline bool same_part(const Convolve& a, const Convolve& b, const Image& in, Point corner,
                      Size size) {
  Image one(a.output()), other(b.output());
  a(in.view(), one.view());
  b(in.view(), other.view());
  const auto bytes = [&](const Image& image) {
    return bytes_of_view(image.view().region(corner.x, corner.y, size.width, size.height));
  };
  return bytes(one) == bytes(other);
}

/// One weight at a corner of the filter: a shift, in which every wrong index shows.
inline void expect_shift_by_filter(Size size) {
  const Image in = random_image({150, 140}, Type::u16, 7);
  Image filter(size, Type::f64);
  const int right = size.width - 1, bottom = size.height - 1;
  filter.as<double>().at(right, bottom) = 1;
  const Image out = convolve(
      in.view(), filter.view(),
      {.border = Border::wrap, .anchor = Point{0, 0}, .backend = Backend::cpu, .method = "fft"});
  for (int y = 0; y < 140; ++y)
    for (int x = 0; x < 150; ++x)
      ASSERT_EQ(out.as<unsigned short>().at(x, y),
                in.as<unsigned short>().at((x + right) % 150, (y + bottom) % 140));
}

}  // namespace tessera::testing
