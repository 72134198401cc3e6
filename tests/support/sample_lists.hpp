// SPDX-License-Identifier: Apache-2.0
/// Numbers that tell whether an image was read right.
#pragma once

#include "tessera/view.hpp"

namespace tessera::testing {

/// A sample of u8 or u16.
inline long long sample_at(AnyView view, int x, int y, int channel) {
  return view.type == Type::u8 ? view.as<const unsigned char>().at(x, y, channel)
                               : view.as<const unsigned short>().at(x, y, channel);
}

/// The sum of all samples of the first plane.
inline long long sum_of(AnyView view) {
  long long sum = 0;
  for (int y = 0; y < view.size.height; ++y)
    for (int x = 0; x < view.size.width; ++x)
      for (int c = 0; c < view.size.channels; ++c) sum += sample_at(view, x, y, c);
  return sum;
}

}  // namespace tessera::testing
