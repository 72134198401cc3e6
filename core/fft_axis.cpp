// SPDX-License-Identifier: Apache-2.0
#include "core/fft_axis.hpp"

#include <cmath>
#include <numbers>

namespace tessera {
namespace {

/// Eights first, because the first pass has no factors; then fours. Never a two: an odd power is
/// made even by one radix 8.
std::vector<int> radices_of(int length, int most_radix) {
  std::vector<int> radices;
  int odd = 0;
  for (int n = length; n > 1; n /= 2) odd = !odd;
  if (most_radix < 8) {
    if (odd) radices.push_back(8);
    for (int left = odd ? length / 8 : length; left > 1; left /= 4) radices.push_back(4);
    return radices;
  }
  int left = length;
  for (; left >= 32 || left == 8; left /= 8) radices.push_back(8);
  for (; left > 1; left /= 4) radices.push_back(4);
  return radices;
}

}  // namespace

template <class T>
FftAxis<T>::FftAxis(int length_, int most_radix)
    : length(length_), radices(radices_of(length_, most_radix)) {
  int blocks = radices[0];
  for (std::size_t pass = 1; pass < radices.size(); blocks *= radices[pass++])
    for (int b = 0; b < blocks; ++b)
      for (int q = 1; q < radices[pass]; ++q) {
        const double turns =
            static_cast<double>(bits_reversed(b, blocks)) * q / (1.0 * blocks * radices[pass]);
        twiddles.push_back(static_cast<T>(std::cos(2 * std::numbers::pi * turns)));
        twiddles.push_back(static_cast<T>(-std::sin(2 * std::numbers::pi * turns)));
      }
}

template struct FftAxis<float>;
template struct FftAxis<double>;

}  // namespace tessera
