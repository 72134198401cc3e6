// SPDX-License-Identifier: Apache-2.0
/// Exponential and logarithm from + - * / alone, so that every machine has the same bits; the C
/// library's differ between versions and processors. Good to about 1e-13 of the value.
#pragma once

#include <cstdint>

namespace tessera {

/// exp(-t) for t >= 0.
constexpr double exp_of_minus(double t) {
  if (t > 700) return 0;
  // Taylor's series of a small part, then squared back.
  constexpr int kHalvings = 10;
  const double part = t / (1 << kHalvings);
  double sum = 1;
  for (int term = 8; term >= 1; --term) sum = 1 - part / term * sum;
  for (int i = 0; i < kHalvings; ++i) sum *= sum;
  return sum;
}

/// The natural logarithm of x > 0.
constexpr double log_of(double x) {
  constexpr double kLog2 = 0.693147180559945309417232121458;
  int twos = 0;
  for (; x > 1.5; x /= 2) ++twos;
  for (; x < 0.75; x *= 2) --twos;
  // 2 atanh((x - 1) / (x + 1)); the argument is at most 1/5.
  const double z = (x - 1) / (x + 1), square = z * z;
  double sum = 0;
  for (int term = 25; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return 2 * z * sum + twos * kLog2;
}

}  // namespace tessera
