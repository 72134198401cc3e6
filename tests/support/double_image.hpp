// SPDX-License-Identifier: Apache-2.0
/// An image in double, as compare() wants the truth to be.
#pragma once

#include "core/samples.hpp"
#include "tessera/image.hpp"

namespace tessera::testing {

inline Image in_double(const AnyView& from) {
  Image made(from.size, Type::f64);
  for (int p = 0; p < from.size.planes; ++p)
    for (int y = 0; y < from.size.height; ++y)
      for (int x = 0; x < from.size.width; ++x)
        for (int c = 0; c < from.size.channels; ++c)
          made.as<double>().at(x, y, c, p) = sample_at(from, x, y, c, p);
  return made;
}

}  // namespace tessera::testing
