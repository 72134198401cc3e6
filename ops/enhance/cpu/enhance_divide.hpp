// SPDX-License-Identifier: Apache-2.0
/// Divides the sums of smoothing without a division: exact for every possible sum (README.md has
/// the proofs, enhance_rows_test.cpp tries the sums).
#pragma once

#include <cstdint>

namespace tessera {

/// (sum + total div 2) div total, for sums from 0 to total * largest.
struct ExactDivision {
  enum class Way : unsigned char {
    none,     ///< sums do not fit the lanes, or no such multiplication is exact
    high16,   ///< ((sum + half) * factor >> 16) >> shift, in 16-bit lanes
    shifted,  ///< in 32-bit lanes, like those below: (sum + half) >> shift
    rounded,  ///< sum, plus a half if total is even, times a float reciprocal, rounded
    floats,   ///< by a float reciprocal, and one step up or down
  };
  Way way = Way::none;
  int total = 1, half = 0;
  int factor = 0, shift = 0;
};

/// For sums of u8 in 16-bit lanes.
ExactDivision division_of_16(long long total);
/// For 32-bit lanes.
ExactDivision division_of_32(long long total, int largest);

/// Contrast of u8 in 16-bit lanes: with y = clamp(v - low, 0, high - low) << up, the result is the
/// upper byte of y + (y * factor >> 16) + bias. Exists for every range.
struct ContrastSteps {
  bool exact = false;
  std::uint8_t low = 0, range = 0;
  int up = 0;
  std::uint16_t factor = 0, bias = 0;
};
ContrastSteps contrast_steps(int low, int high);

/// Contrast of u16: with x = clamp(v - low, 0, high - low), x * whole + ((x * f + b) >> 32), where
/// f and b have 32 bits: upper and lower 16 are stored separately. Values loaded as a vector are
/// repeated eight times.
struct WideContrastSteps {
  bool exact = false;
  std::uint16_t low = 0, whole = 0;
  alignas(16) std::uint16_t range[8] = {}, factor_high[8] = {}, factor_low[8] = {};
  std::uint16_t bias_high = 0, bias_low = 0;
};
WideContrastSteps wide_contrast_steps(int low, int high);

}  // namespace tessera
