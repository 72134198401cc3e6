// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_blanks.hpp"

#include <cmath>
#include <limits>

namespace tessera {
namespace {

/// Calls found(x, y) for every blank.
template <class T, class Found>
void each_blank(View<const T> image, bool zero_is_blank, Found found) {
  for (int y = 0; y < image.size.height; ++y)
    for (int x = 0; x < image.size.width; ++x) {
      const T value = image.at(x, y);
      if (!std::isfinite(static_cast<double>(value)) || (zero_is_blank && value == T(0)))
        found(x, y);
    }
}

template <class Found>
void each_blank(AnyView image, bool zero_is_blank, Found found) {
  if (is_integer(image.type) && !zero_is_blank) return;
  if (image.type == Type::u8)
    each_blank(image.as<const unsigned char>(), zero_is_blank, found);
  else if (image.type == Type::u16)
    each_blank(image.as<const unsigned short>(), zero_is_blank, found);
  else if (image.type == Type::f32)
    each_blank(image.as<const float>(), zero_is_blank, found);
  else
    each_blank(image.as<const double>(), zero_is_blank, found);
}

template <class Real>
void blank_planes(AnyView image, bool zero_is_blank, View<Real> maps) {
  each_blank(image, zero_is_blank, [&](int x, int y) {
    for (int p = 0; p < maps.size.planes; ++p)
      maps.at(x, y, 0, p) = std::numeric_limits<Real>::quiet_NaN();
  });
}

}  // namespace

void blank_where_image_is(AnyView image, bool zero_is_blank, AnyMutableView maps) {
  if (maps.type == Type::f32)
    blank_planes(image, zero_is_blank, maps.as<float>());
  else
    blank_planes(image, zero_is_blank, maps.as<double>());
}

long long count_blanks(AnyView image, bool zero_is_blank) {
  long long count = 0;
  each_blank(image, zero_is_blank, [&](int, int) { ++count; });
  return count;
}

}  // namespace tessera
