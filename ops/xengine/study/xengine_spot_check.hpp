// SPDX-License-Identifier: Apache-2.0
/// Pairs of inputs of the first channel, summed by hand: the whole reference would take minutes.
#pragma once

#include <array>
#include <random>
#include <utility>
#include <vector>

#include "tessera/xengine.hpp"

namespace tessera {

/// Samples of random bits.
inline std::vector<signed char> random_bytes(std::size_t count) {
  std::vector<signed char> bytes(count);
  std::mt19937_64 random(1);
  for (signed char& byte : bytes) byte = static_cast<signed char>(random() >> 56);
  return bytes;
}

/// Useful operations: 8 per pair of inputs and sample, N^2 / 2 pairs of antennas, whichever method
/// computes them.
inline double useful_operations(const XEngineShape& s, long long samples) {
  return 4.0 * s.inputs() * s.inputs() * s.channels * static_cast<double>(samples);
}

/// Pairs at the corners of the triangle and inside it.
inline std::array<std::pair<int, int>, 4> spot_pairs(int inputs) {
  return {std::pair{0, 0}, {inputs - 1, 0}, {inputs / 2, inputs / 3}, {inputs - 1, inputs - 1}};
}

/// The sum of ci8 samples of input i and the conjugates of input j.
inline std::pair<long long, long long> visibility_by_hand(const XEngineShape& s,
                                                          const VoltageLayout& l,
                                                          const std::vector<signed char>& v,
                                                          long long samples, int i, int j) {
  long long re = 0, im = 0;
  for (long long t = 0; t < samples; ++t) {
    const auto at = [&](int input) {
      return &v[static_cast<std::size_t>(input / s.polarisations * l.antenna +
                                         input % s.polarisations * l.polarisation +
                                         t / l.group * l.group_step + t % l.group * l.time)];
    };
    const signed char *a = at(i), *b = at(j);
    re += a[0] * b[0] + a[1] * b[1];
    im += a[1] * b[0] - a[0] * b[1];
  }
  return {re, im};
}

}  // namespace tessera
