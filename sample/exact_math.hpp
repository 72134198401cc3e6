// SPDX-License-Identifier: Apache-2.0
/// Exponential, logarithm, sine and cosine using only + - * /, so that every machine has the same
/// bits; the C library's differ between versions and processors. Accurate to about 1e-13 of the
/// value.
#pragma once

#include <cstdint>
#include <limits>

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

/// The natural logarithm of x >= 0.
constexpr double log_of(double x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (x == 0 || x == kInfinity) return x == 0 ? -kInfinity : x;  // halving would never end
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

/// The sine of an angle in turns: 0.25 gives 1. Accurate to about 1e-15.
constexpr double sine_of_turns(double turns) {
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  turns -= static_cast<double>(static_cast<long long>(turns));  // -1 to 1
  if (turns > 0.5) turns -= 1;
  if (turns < -0.5) turns += 1;
  // sin(pi - a) = sin a brings the angle to a quarter turn at most.
  if (turns > 0.25) turns = 0.5 - turns;
  if (turns < -0.25) turns = -0.5 - turns;
  const double angle = turns * kTwoPi, square = angle * angle;
  double sum = 1;
  for (int term = 20; term >= 2; term -= 2) sum = 1 - square / (term * (term + 1)) * sum;
  return angle * sum;
}
constexpr double cosine_of_turns(double turns) { return sine_of_turns(turns + 0.25); }

}  // namespace tessera
