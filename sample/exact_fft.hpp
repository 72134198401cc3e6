// SPDX-License-Identifier: Apache-2.0
/// A transform that has the same bits on every machine: + - * only, tables from exact_math.hpp.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sample/exact_math.hpp"

namespace tessera {

class ExactFft {
 public:
  /// Complex numbers as two arrays.
  struct Numbers {
    std::vector<double> re, im;
    explicit Numbers(std::size_t size) : re(size), im(size) {}
  };

  /// `size` is a power of two.
  explicit ExactFft(std::size_t size) : size_(size), cosine_(size / 2), sine_(size / 2) {
    for (std::size_t k = 0; k < size / 2; ++k) {
      const double turns = static_cast<double>(k) / static_cast<double>(size);
      cosine_[k] = cosine_of_turns(turns);
      sine_[k] = -sine_of_turns(turns);
    }
  }

  /// Sums of x exp(-2 pi i k n / size). Not scaled.
  void forward(Numbers& x) const { transform(x.re, x.im); }
  /// The same with exp(+...): the parts change places.
  void inverse(Numbers& x) const { transform(x.im, x.re); }

 private:
  void transform(std::vector<double>& re, std::vector<double>& im) const {
    reverse_bits(re, im);
    for (std::size_t half = 1; half < size_; half *= 2)
      for (std::size_t first = 0; first < size_; first += 2 * half)
        for (std::size_t k = 0; k < half; ++k) {
          const double c = cosine_[k * (size_ / 2 / half)], s = sine_[k * (size_ / 2 / half)];
          const std::size_t a = first + k, b = a + half;
          const double x = c * re[b] - s * im[b], y = c * im[b] + s * re[b];
          re[b] = re[a] - x;
          im[b] = im[a] - y;
          re[a] += x;
          im[a] += y;
        }
  }
  void reverse_bits(std::vector<double>& re, std::vector<double>& im) const {
    for (std::size_t i = 1, j = 0; i < size_; ++i) {
      std::size_t bit = size_ / 2;
      for (; (j & bit) != 0; bit /= 2) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(re[i], re[j]), std::swap(im[i], im[j]);
    }
  }

  std::size_t size_;
  std::vector<double> cosine_, sine_;
};

}  // namespace tessera
