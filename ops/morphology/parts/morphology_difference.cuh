// SPDX-License-Identifier: Apache-2.0
// The difference of two samples, with the same bytes on CPU and GPU.
#pragma once

#include "ops/morphology/parts/morphology_keys.cuh"

namespace tessera {

/// How samples are subtracted. Kernels read this file, so it knows no options.
enum class DifferenceRule : unsigned char {
  numbers,  ///< integers are saturated
  shifted,  ///< the same for integers with half of their range added to them, before and after
  truth,    ///< 1 if one is 0 and the other is not, else 0
  i32,      ///< doubles that hold signed integers of 32 bits
  u32       ///< doubles that hold unsigned ones
};

/// Where an element reaches no pixel a pass gives infinity, which stands for the limit of integers.
template <DifferenceRule kRule>
TESSERA_BOTH inline double within_limits(double value) {
  if constexpr (kRule == DifferenceRule::i32 || kRule == DifferenceRule::u32) {
    constexpr double kLeast = kRule == DifferenceRule::i32 ? -2147483648.0 : 0.0;
    constexpr double kMost = kLeast + 4294967295.0;
    return value < kLeast ? kLeast : value > kMost ? kMost : value;
  } else {
    return value;
  }
}

TESSERA_BOTH inline float float_difference(float a, float b) {
  const float difference = a - b;
  return difference == difference  // NOLINT(misc-redundant-expression): NaN
             ? difference
             : __builtin_bit_cast(float, FloatBits<4>::kNan);
}
TESSERA_BOTH inline double float_difference(double a, double b) {
  const double difference = a - b;
  return difference == difference  // NOLINT(misc-redundant-expression): NaN
             ? difference
             : __builtin_bit_cast(double, FloatBits<8>::kNan);
}

/// Infinities that have no difference give the NaN that erode and dilate give. Other floats are
/// numbers by any rule.
template <DifferenceRule kRule, class T>
TESSERA_BOTH inline T morphology_difference(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    return float_difference(within_limits<kRule>(a), within_limits<kRule>(b));
  } else if constexpr (sizeof(T) == 4) {
    return float_difference(a, b);
  } else if constexpr (kRule == DifferenceRule::numbers) {
    return static_cast<T>((a > b ? a : b) - b);  // compilers know vectors of this maximum
  } else if constexpr (kRule == DifferenceRule::shifted) {
    constexpr int kHalf = sizeof(T) == 1 ? 128 : 32768, kMost = 2 * kHalf - 1;
    const int difference = a - b + kHalf;
    return static_cast<T>(difference < 0 ? 0 : difference > kMost ? kMost : difference);
  } else {
    return static_cast<T>((a != 0) != (b != 0));
  }
}

}  // namespace tessera
