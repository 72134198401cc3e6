// SPDX-License-Identifier: Apache-2.0
// Lengths of transforms in shared memory and the passes that compute them, for host and device.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

struct LineValue {
  float re, im;
};

/// Radices whose product is a length, in the order of passes; none if there are no such radices.
struct LinePasses {
  int count = 0, sum = 0;
  int radix[8] = {};
};

/// Exactly `count` radices from `least` upwards whose product is `n`, with the smallest sum.
TESSERA_BOTH constexpr LinePasses find_line_passes(int n, int count, int least) {
  constexpr int radices[] = {2, 3, 4, 5, 6, 8, 9, 10, 12, 16};
  LinePasses best;
  long long most = 1;
  for (int i = 0; i < count; ++i) most *= 16;
  if (n > most) return best;
  for (const int radix : radices) {
    if (radix < least || n % radix != 0) continue;
    LinePasses found;
    if (count > 1)
      found = find_line_passes(n / radix, count - 1, radix);
    else if (n != radix)
      continue;
    if (found.count != count - 1 || (best.count > 0 && best.sum <= found.sum + radix)) continue;
    best.count = count;
    best.sum = found.sum + radix;
    best.radix[0] = radix;
    for (int i = 1; i < count; ++i) best.radix[i] = found.radix[i - 1];
  }
  return best;
}

/// As few passes as possible; none if n has prime factors other than 2, 3 and 5, which is
/// checked first, because searching all lengths in vain took longer than a transform.
TESSERA_BOTH constexpr LinePasses line_passes(int n) {
  constexpr int primes[] = {2, 3, 5};
  int rest = n;
  for (const int prime : primes)
    while (rest > 1 && rest % prime == 0) rest /= prime;
  if (rest != 1) return {};
  for (int count = 1; count <= 8; ++count) {
    const LinePasses passes = find_line_passes(n, count, 2);
    if (passes.count > 0) return passes;
  }
  return {};
}

/// Lines that a block transforms at once: their length and number (a power of two up to 16).
/// A kernel compiled for any shape has length 0 and takes its shape, with the passes, as an
/// argument.
struct LineShape {
  int length = 0, lines = 0;
};

inline constexpr int kLineThreads = 256;

/// Two copies of the lines: passes go from one to the other.
TESSERA_BOTH constexpr int line_fft_bytes(const LineShape& s) {
  return 2 * static_cast<int>(sizeof(LineValue)) * s.length * s.lines;
}

}  // namespace tessera
