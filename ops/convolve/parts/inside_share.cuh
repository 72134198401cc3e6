// SPDX-License-Identifier: Apache-2.0
// Border `inside`: the factor for the sum at an edge pixel. For CPU and GPU.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// A number with twice the digits of a double, so that sums of any filter are right to a rounding.
struct Twofold {
  double high = 0, low = 0;
};

TESSERA_BOTH inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const double sum = a.high + b.high, b_part = sum - a.high;
  const double rest = (a.high - (sum - b_part)) + (b.high - b_part) + (a.low + b.low);
  const double high = sum + rest;
  return {high, rest - (high - sum)};
}

/// sum|filter| / sum|weights inside the image|, or 0 if none is inside.
///
/// `prefix` holds (filter_width + 1) x (filter_height + 1) sums: entry (j, i) is the sum of
/// |weight| between row j and the anchor's and column i and the anchor's, which lies below and
/// right of the cut. The anchor's pixel is inside, so a rectangle is four such sums: nothing is
/// subtracted, and weights inside that are a tiny part of all keep their digits.
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
  if (i0 == 0 && j0 == 0 && i1 == filter_width && j1 == filter_height) return 1.0;
  const int step = filter_width + 1;
  const auto sum = [&](int left, int top, int right, int bottom) {
    return (prefix[top * step + left] + prefix[top * step + right] + prefix[bottom * step + left] +
            prefix[bottom * step + right])
        .high;
  };
  const double inside = sum(i0, j0, i1, j1);
  return inside > 0 ? sum(0, 0, filter_width, filter_height) / inside : 0.0;
}

}  // namespace tessera
