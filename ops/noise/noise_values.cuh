// SPDX-License-Identifier: Apache-2.0
/// Arithmetic that reference, CPU and CUDA methods share to the bit: which values count, keys that
/// sort as values do, the place of a quantile and its value.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Unsigned keys in the order of values. Floats: sign and magnitude turned; -0 is +0.
template <class T>
struct NoiseKeys;
template <>
struct NoiseKeys<unsigned char> {
  using Key = unsigned;
  TESSERA_BOTH static Key of(unsigned char v) { return v; }
  TESSERA_BOTH static double value(Key k) { return static_cast<double>(k); }
};
template <>
struct NoiseKeys<unsigned short> {
  using Key = unsigned;
  TESSERA_BOTH static Key of(unsigned short v) { return v; }
  TESSERA_BOTH static double value(Key k) { return static_cast<double>(k); }
};
template <>
struct NoiseKeys<float> {
  using Key = unsigned;
  union Bits {
    float value;
    unsigned key;
  };
  TESSERA_BOTH static Key of(float v) {
    Bits bits;
    bits.value = v + 0.0F;  // -0 becomes +0
    // All bits of a negative value turn, the sign alone of others; no branch, for vectors' sake.
    return bits.key ^ (static_cast<unsigned>(static_cast<int>(bits.key) >> 31) | 0x80000000U);
  }
  TESSERA_BOTH static double value(Key k) {
    Bits bits;
    bits.key = k & 0x80000000U ? k & 0x7fffffffU : ~k;
    return static_cast<double>(bits.value);
  }
};
template <>
struct NoiseKeys<double> {
  using Key = unsigned long long;
  union Bits {
    double value;
    unsigned long long key;
  };
  static constexpr unsigned long long kSign = 1ULL << 63;
  TESSERA_BOTH static Key of(double v) {
    Bits bits;
    bits.value = v + 0.0;
    return bits.key ^
           (static_cast<unsigned long long>(static_cast<long long>(bits.key) >> 63) | kSign);
  }
  TESSERA_BOTH static double value(Key k) {
    Bits bits;
    bits.key = k & kSign ? k & ~kSign : ~k;
    return bits.value;
  }
};

/// Which values are blank.
struct NoiseBlanks {
  bool zero = false;       ///< exact zeros too
  bool infinities = true;  ///< infinities too; NaN always

  template <class T>
  TESSERA_BOTH bool operator()(T v) const {
    if (zero && v == T(0)) return true;
    // A value that is not finite minus itself is NaN, and only NaN differs from itself.
    // NOLINTBEGIN(misc-redundant-expression)
    const T nothing = v - v;
    return infinities ? nothing != nothing : v != v;
    // NOLINTEND(misc-redundant-expression)
  }
};

/// A box with this number of pixels needs at least this many valid values.
TESSERA_BOTH constexpr int least_valid(int pixels) {
  const int few = pixels < 8 ? pixels : 8, quarter = (pixels + 3) / 4;
  return few > quarter ? few : quarter;
}

/// Where quantile q of n sorted values lies: v[index], and `fraction` of the way to v[index + 1].
struct QuantilePlace {
  int index;
  double fraction;
};
TESSERA_BOTH inline QuantilePlace quantile_place(double q, int n) {
  const double h = q * (n - 1);
  const int index = static_cast<int>(h);
  return {index, h - index};
}
/// SciPy's rule: an element of the list, never between two.
TESSERA_BOTH inline QuantilePlace percentile_place(double percent, int n) {
  const int index = static_cast<int>(static_cast<double>(n) * percent / 100.0);
  return {index < n ? index : n - 1, 0};
}
TESSERA_BOTH inline double between(double low, double high, double fraction) {
  return fraction == 0 ? low : low + fraction * (high - low);
}

/// Most quantiles at once.
inline constexpr int kMostNoiseOrders = 8;
/// From the quartiles' distance to a standard deviation: the usual constant, and the normal
/// distribution's own. From the median distance to it.
inline constexpr double kQuartilesToSigma = 1.34896, kNormalQuartilesToSigma = 1.3489795;
inline constexpr double kMedianDistanceToSigma = 1.4826;
/// Clipping keeps values within this many standard deviations of the mean (clip) or the median
/// (mode), and is repeated at most this many times.
inline constexpr double kClipSigmas = 3;
inline constexpr int kClipRounds = 10, kModeRounds = 100;
/// The background of estimator mode, from the values that clipping left.
TESSERA_BOTH inline double noise_mode_of(double mean, double median, double deviation) {
  const double apart = mean < median ? median - mean : mean - median;
  return apart < 0.3 * deviation ? 2.5 * median - 1.5 * mean : median;
}

/// A result as it is written. Differences may overflow, and the sign of a NaN that arithmetic made
/// of infinities depends on the machine: there is one NaN, the positive quiet one.
TESSERA_BOTH inline double one_nan() {
  NoiseKeys<double>::Bits nothing;
  nothing.key = 0x7ff8000000000000ULL;
  return nothing.value;
}
TESSERA_BOTH inline double with_one_nan(double value) { return value != value ? one_nan() : value; }

/// Between two passes: a value minus its background, NaN if it is blank.
template <class Map, class T>
TESSERA_BOTH Map noise_difference(const NoiseBlanks& blanks, T value, Map background) {
  const double apart = static_cast<double>(value) - static_cast<double>(background);
  return static_cast<Map>(blanks(value) ? one_nan() : with_one_nan(apart));
}

/// The bins of a tile in mode binned. `per_unit` is 0 if the tile has no spread: then it is
/// computed exactly.
struct NoiseBins {
  double low, width, per_unit;
  int count;

  TESSERA_BOTH int of(double v) const {
    const double at = (v - low) * per_unit;
    return at < 0 ? 0 : at >= count ? count - 1 : static_cast<int>(at);
  }
  /// The quantile at h = q (n - 1) with `before` values in bins under `bin` and `in` in it.
  TESSERA_BOTH double quantile(int bin, double h, int before, int in) const {
    return low + width * (bin + (h - before + 0.5) / in);
  }
};
/// Tiles of mode binned, counted from pixel 0, 0.
inline constexpr int kNoiseTile = 256;
/// Pixels of a tile's surroundings that its range is made of: those whose column and row are
/// multiples of this.
inline constexpr int kNoiseRangeStep = 4;
/// Fewer valid ones than this: all pixels are taken.
inline constexpr int kEnoughForNoiseRange = 64;
/// All bins together, in standard deviations.
inline constexpr double kNoiseRangeSigmas = 12;

}  // namespace tessera
