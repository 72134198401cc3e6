// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for divisions, found by trying all there is to divide.
#include "ops/enhance/enhance_divide.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr int kLargest = 255;

int round15(int a, int b) { return (a * b + (1 << 14)) >> 15; }

bool fixed15_is_exact(const ExactDivision& d) {
  for (int sum = 0; sum <= d.total * kLargest; ++sum)
    if ((round15(sum * d.times - d.centre, d.factor) >> 7) + 128 != (sum + d.half) / d.total)
      return false;
  return true;
}

/// Sums are stretched to all of 16 signed bits, and results come with 7 bits of fraction.
bool find_fixed15(ExactDivision& d) {
  const int span = d.total * kLargest;
  for (d.times = 65535 / span; d.times > 0; --d.times) {
    d.centre = (d.times * span + 1) / 2;
    const auto factor = static_cast<int>((1LL << 22) / (1LL * d.total * d.times));
    for (d.factor = factor; d.factor <= std::min(factor + 1, 32767); ++d.factor)
      if (fixed15_is_exact(d)) return true;
  }
  return false;
}

/// With e = factor * total - 2^(16 + shift), n * factor lies n * e above n / total scaled: too
/// little to reach the next whole number as long as n * e < 2^(16 + shift).
bool find_high16(ExactDivision& d) {
  const long long most = 1LL * d.total * kLargest + d.half;
  for (d.shift = 0; d.shift < 16; ++d.shift) {
    const long long one = 1LL << (16 + d.shift);
    const long long factor = (one + d.total - 1) / d.total;
    if (factor > 65535 || (factor * d.total - one) * most >= one) continue;
    d.factor = static_cast<int>(factor);
    return true;
  }
  return false;
}

bool contrast_is_exact(const ContrastSteps& c) {
  for (int x = 0; x <= c.range; ++x) {
    const long long product = (1LL * x << c.up) * c.factor;
    const long long scaled = c.rounded ? (product + (1 << 14)) >> 15 : product >> 16;
    if ((scaled + c.bias) >> c.shift != (x * kLargest + c.range / 2) / c.range) return false;
  }
  return true;
}

bool find_contrast(ContrastSteps& c) {
  const int bits = c.rounded ? 15 : 16;
  for (c.shift = bits - 8; c.shift >= 0; --c.shift) {
    const double factor = kLargest * std::ldexp(1.0, bits + c.shift - c.up) / c.range;
    for (const double f : {std::round(factor), std::round(factor) - 1, std::round(factor) + 1}) {
      if (f < 1 || f >= std::ldexp(1.0, bits)) continue;
      c.factor = static_cast<int>(f);
      for (c.bias = 0; c.bias < 1 << c.shift; ++c.bias)
        if (contrast_is_exact(c)) return true;
    }
  }
  return false;
}

}  // namespace

ExactDivision division_of_16(long long total, bool thorough) {
  ExactDivision d;
  if (total < 1 || total * kLargest + total / 2 > 65535) return d;
  d.total = static_cast<int>(total);
  d.half = d.total / 2;
  if (find_high16(d)) d.way = ExactDivision::Way::high16;
  ExactDivision shorter = d;
  if ((thorough || d.way == ExactDivision::Way::none) && find_fixed15(shorter)) {
    d = shorter;
    d.way = ExactDivision::Way::fixed15;
  }
  return d;
}

ExactDivision division_of_32(long long total, int largest) {
  ExactDivision d;
  if (total < 1 || total * largest + total / 2 > 2147483647) return d;
  d.way = ExactDivision::Way::floats;
  d.total = static_cast<int>(total);
  d.half = d.total / 2;
  return d;
}

ContrastSteps contrast_steps(int low, int high) {
  ContrastSteps c;
  c.low = static_cast<std::uint8_t>(low);
  c.range = static_cast<std::uint8_t>(high - low);
  c.rounded = true;
  c.up = 7;
  c.exact = find_contrast(c);
  if (c.exact) return c;
  c.rounded = false;
  for (c.up = 0; c.range << (c.up + 1) < 65536;) ++c.up;
  c.exact = find_contrast(c);
  return c;
}

}  // namespace tessera
