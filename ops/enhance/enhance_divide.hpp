// SPDX-License-Identifier: Apache-2.0
/// Division of smoothing's sums without dividing: exact for every sum there can be (README.md has
/// the proofs, enhance_rows_test.cpp tries the sums).
#pragma once

#include <cstdint>

namespace tessera {

/// (sum + total div 2) div total, for sums from 0 to total * largest.
struct ExactDivision {
  enum class Way : unsigned char {
    none,     ///< sums do not fit the lanes
    fixed15,  ///< ((sum * times - centre) * factor rounded at bit 15) >> 7, plus 128
    high16,   ///< ((sum + half) * factor >> 16) >> shift
    floats,   ///< in 32-bit lanes: by a float reciprocal, and one step up or down
  };
  Way way = Way::none;
  int total = 1, half = 0;
  int times = 0, centre = 0;
  int factor = 0, shift = 0;
};

/// For sums of u8 in 16-bit lanes; way none where no such multiplication is exact. `thorough` also
/// looks for the shortest one, which takes as many trials as there are sums.
ExactDivision division_of_16(long long total, bool thorough);
/// For 32-bit lanes.
ExactDivision division_of_32(long long total, int largest);

/// Contrast of u8 in 16-bit lanes: with x = clamp(v - low, 0, high - low), the result is
/// ((x << up) * factor >> 16) + bias) >> shift, or the same rounded at bit 15.
struct ContrastSteps {
  bool exact = false;    ///< such numbers were found
  bool rounded = false;  ///< x << 7 times factor, rounded at bit 15
  std::uint8_t low = 0, range = 0;
  int up = 0, factor = 0, bias = 0, shift = 0;
};
ContrastSteps contrast_steps(int low, int high);

}  // namespace tessera
