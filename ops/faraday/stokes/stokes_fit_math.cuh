// SPDX-License-Identifier: Apache-2.0
// exp and ln from multiplications, additions and one division: the same bits on host and device,
// and in SIMD lanes that do the same steps (cpu/stokes_fit_lanes_simd.cpp).
#pragma once

#include "tessera/view.hpp"

namespace tessera {

inline constexpr double kStokesLn10 = 2.302585092994045684;
inline constexpr double kStokesLog2E = 1.4426950408889634074;
/// ln 2 in two parts: products of the first with whole numbers up to 2^11 are exact.
inline constexpr double kStokesLn2 = 0.69314718036912381649,
                        kStokesLn2Rest = 1.9082149292705877e-10;
/// 1.5 2^52: adding it rounds to whole numbers, which are then the last bits.
inline constexpr double kStokesWhole = 6755399441055744.0;
/// Exponents of models are kept inside, so that no model is infinite.
inline constexpr double kStokesMostExponent = 600;

/// 1 / n! for n = 13 to 0: on |r| <= ln(2) / 2 the next term is below 4e-18.
inline constexpr int kStokesExpTerms = 14;
struct StokesSeries {
  double exp[kStokesExpTerms] = {1.0 / 6227020800,
                                 1.0 / 479001600,
                                 1.0 / 39916800,
                                 1.0 / 3628800,
                                 1.0 / 362880,
                                 1.0 / 40320,
                                 1.0 / 5040,
                                 1.0 / 720,
                                 1.0 / 120,
                                 1.0 / 24,
                                 1.0 / 6,
                                 0.5,
                                 1,
                                 1};
  /// 1 / (2 n + 1) for n = 11 to 0, of ln m = 2 s (1 + s^2 / 3 + …), s = (m - 1) / (m + 1).
  double log[12] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                    1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1};
};

/// e^x for |x| <= kStokesMostExponent.
TESSERA_BOTH inline double stokes_exp(double x) {
  constexpr StokesSeries kSeries{};
  const double shifted = x * kStokesLog2E + kStokesWhole;
  const double n = shifted - kStokesWhole;
  const double r = (x - n * kStokesLn2) - n * kStokesLn2Rest;
  double sum = kSeries.exp[0];
  for (int k = 1; k < kStokesExpTerms; ++k) sum = sum * r + kSeries.exp[k];
  const auto bits = __builtin_bit_cast(unsigned long long, shifted);
  return sum * __builtin_bit_cast(double, (bits << 52) + (1023ULL << 52));
}

/// ln x for normal x above 0.
TESSERA_BOTH inline double stokes_log(double x) {
  constexpr StokesSeries kSeries{};
  const auto bits = __builtin_bit_cast(unsigned long long, x);
  double power = static_cast<double>(static_cast<long long>(bits >> 52) - 1023);
  double m = __builtin_bit_cast(double, (bits & ((1ULL << 52) - 1)) | (1023ULL << 52));
  if (m > 1.4142135623730951) {
    m = m * 0.5;
    power = power + 1;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = kSeries.log[0];
  for (int k = 1; k < 12; ++k) sum = sum * square + kSeries.log[k];
  return power * kStokesLn2 + (power * kStokesLn2Rest + (2 * s) * sum);
}

TESSERA_BOTH inline bool is_stokes_value(double value) { return value - value == 0; }

}  // namespace tessera
