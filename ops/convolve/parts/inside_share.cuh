// SPDX-License-Identifier: Apache-2.0
// Border `inside`: the factor for the sum at an edge pixel. For CPU and GPU.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// A number with twice the digits of a double. Weights inside the image are a difference of sums,
/// and may be a small part of them: in double the difference would keep few right digits.
struct Twofold {
  double high = 0, low = 0;
};

TESSERA_BOTH inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const double sum = a.high + b.high, b_part = sum - a.high;
  const double rest = (a.high - (sum - b_part)) + (b.high - b_part) + (a.low + b.low);
  const double high = sum + rest;
  return {high, rest - (high - sum)};
}
TESSERA_BOTH inline Twofold operator-(const Twofold& a, const Twofold& b) {
  return a + Twofold{-b.high, -b.low};
}

/// sum|filter| / sum|weights inside the image|, or 0 if none is inside.
///
/// `prefix` holds (filter_width + 1) x (filter_height + 1) sums: entry (j, i) is the sum of
/// |weight| over rows < j and columns < i.
TESSERA_BOTH inline double inside_share(const Twofold* prefix, int filter_width, int filter_height,
                                        int first_column, int first_row, int image_width,
                                        int image_height) {
  const auto clamp = [](int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
  };
  const int i0 = clamp(-first_column, filter_width);
  const int i1 = clamp(image_width - first_column, filter_width);
  const int j0 = clamp(-first_row, filter_height);
  const int j1 = clamp(image_height - first_row, filter_height);
  const int step = filter_width + 1;
  const double all = prefix[filter_height * step + filter_width].high;
  const Twofold above = prefix[j0 * step + i1] - prefix[j0 * step + i0];
  const Twofold inside = prefix[j1 * step + i1] - prefix[j1 * step + i0] - above;
  return inside.high > 0 ? all / inside.high : 0.0;
}

}  // namespace tessera
