// SPDX-License-Identifier: Apache-2.0
#include "core/fft_axis.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace tessera {
namespace {

/// A three or a five first, because the first pass has no factors, then eights, then fours. Never a
/// two: an odd power is made even by one eight.
std::vector<int> radices_of(int length, int most_radix) {
  std::vector<int> radices;
  int left = length;
  for (const int odd : {3, 5})
    if (left % odd == 0) {
      radices.push_back(odd);
      left /= odd;
    }
  if (most_radix < 8) {
    if (std::countr_zero(static_cast<unsigned>(left)) % 2 == 1) {
      radices.push_back(8);
      left /= 8;
    }
  } else {
    for (; left >= 32 || left == 8; left /= 8) radices.push_back(8);
  }
  for (; left > 1; left /= 4) radices.push_back(4);
  return radices;
}

/// The frequencies of the blocks that a pass makes of blocks with `frequencies`.
std::vector<int> split_frequencies(const std::vector<int>& frequencies, int radix) {
  const int blocks = static_cast<int>(frequencies.size());
  std::vector<int> split;
  split.reserve(frequencies.size() * static_cast<std::size_t>(radix));
  for (const int frequency : frequencies)
    for (int c = 0; c < radix; ++c)
      split.push_back(frequency + blocks * (radix % 2 == 0 ? bits_reversed(c, radix) : c));
  return split;
}

}  // namespace

template <class T>
FftAxis<T>::FftAxis(int length_, int most_radix) : length(length_) {
  std::vector<int> frequencies{0};
  for (const int radix : radices_of(length, most_radix)) {
    const int blocks = static_cast<int>(frequencies.size());
    passes.push_back(
        {radix, blocks, length / blocks / radix, static_cast<long long>(twiddles.size())});
    for (int b = 0; blocks > 1 && b < blocks; ++b)
      for (int q = 1; q < radix; ++q) {
        const double turns = static_cast<double>(frequencies[static_cast<std::size_t>(b)]) * q /
                             (1.0 * blocks * radix);
        twiddles.push_back(static_cast<T>(std::cos(2 * std::numbers::pi * turns)));
        twiddles.push_back(static_cast<T>(-std::sin(2 * std::numbers::pi * turns)));
      }
    frequencies = split_frequencies(frequencies, radix);
  }
}

template struct FftAxis<float>;
template struct FftAxis<double>;

}  // namespace tessera
