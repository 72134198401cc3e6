// SPDX-License-Identifier: Apache-2.0
// Constants that replace divisions.
#include "ops/enhance/cpu/enhance_divide.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace tessera {
namespace {

constexpr int kLargest = 255;

bool contrast_is_exact(const ContrastSteps& c) {
  for (int x = 0; x <= c.range; ++x) {
    const unsigned y = static_cast<unsigned>(x) << c.up;
    const unsigned made = y + (y * c.factor >> 16) + c.bias;
    const auto wanted = static_cast<unsigned>((x * kLargest + c.range / 2) / c.range);
    if (made > 65535 || made >> 8 != wanted) return false;
  }
  return true;
}

/// The rounded factor, and its neighbours, with any bias: one of them is exact for all ranges.
bool find_contrast(ContrastSteps& c) {
  const int range = c.range << (c.up - 8);  // 128 to 255
  const int nearest = (65536 * (kLargest - range) + range / 2) / range;
  for (int factor = std::max(0, nearest - 3); factor <= std::min(65535, nearest + 3); ++factor)
    for (int bias = 0; bias < 256; ++bias) {
      c.factor = static_cast<std::uint16_t>(factor);
      c.bias = static_cast<std::uint16_t>(bias);
      if (contrast_is_exact(c)) return true;
    }
  return false;
}

/// Searching takes 40 us, longer than the contrast of a small image: each range is searched once.
void look_up_contrast(ContrastSteps& c) {
  constexpr std::uint64_t kSearched = 1ULL << 48, kExact = 1ULL << 32;
  static std::array<std::atomic<std::uint64_t>, 256> known{};
  std::uint64_t found = known[c.range].load(std::memory_order_relaxed);
  if (found == 0) {
    const bool exact = find_contrast(c);
    found = kSearched | (exact ? kExact : 0) | std::uint64_t{c.factor} << 16 | c.bias;
    known[c.range].store(found, std::memory_order_relaxed);
  }
  c.exact = (found & kExact) != 0;
  c.factor = static_cast<std::uint16_t>(found >> 16);
  c.bias = static_cast<std::uint16_t>(found);
}

/// Quotients lie at least 1 / (2 total) from where rounding changes. The error of the product comes
/// from its own rounding (half the last bit of the largest result) and from that of the reciprocal.
bool rounding_is_exact(int total, int largest) {
  if (1LL * total * largest >= 1 << 23) return false;
  const double inverse = 1.0F / static_cast<float>(total);
  const double reciprocal = std::abs(inverse * total - 1);
  return (largest + 1) * (std::ldexp(1.0, -25) + reciprocal) < 0.5 / total;
}

}  // namespace

/// With e = factor * total - 2^(16 + shift), n * factor lies n * e above 2^(16 + shift) n / total:
/// too little to reach the next whole number as long as n * e < 2^(16 + shift).
ExactDivision division_of_16(long long total) {
  ExactDivision d;
  const long long half = total / 2, most = total * kLargest + half;
  if (total < 1 || most > 65535) return d;
  d.total = static_cast<int>(total);
  d.half = static_cast<int>(half);
  for (d.shift = 0; d.shift < 16; ++d.shift) {
    const long long one = 1LL << (16 + d.shift), factor = (one + total - 1) / total;
    if (factor > 65535 || (factor * total - one) * most >= one) continue;
    d.factor = static_cast<int>(factor);
    d.way = ExactDivision::Way::high16;
    return d;
  }
  return d;
}

ExactDivision division_of_32(long long total, int largest) {
  ExactDivision d;
  if (total < 1 || total * largest + total / 2 > 2147483647) return d;
  d.total = static_cast<int>(total);
  d.half = d.total / 2;
  while (1LL << d.shift < total) ++d.shift;
  d.way = 1LL << d.shift == total               ? ExactDivision::Way::shifted
          : rounding_is_exact(d.total, largest) ? ExactDivision::Way::rounded
                                                : ExactDivision::Way::floats;
  return d;
}

ContrastSteps contrast_steps(int low, int high) {
  ContrastSteps c;
  c.low = static_cast<std::uint8_t>(low);
  c.range = static_cast<std::uint8_t>(high - low);
  for (c.up = 8; c.range << (c.up - 7) < 256;) ++c.up;
  look_up_contrast(c);
  return c;
}

/// Both numbers are rounded up, which adds at most x / 2^32 and 1 / 2^32 to the true quotient: less
/// than 1 / range, its distance to the next whole number, as range is below 2^16.
WideContrastSteps wide_contrast_steps(int low, int high) {
  WideContrastSteps c;
  const auto range = static_cast<std::uint64_t>(high - low);
  const auto share = [&](std::uint64_t part) { return ((part << 32) + range - 1) / range; };
  const std::uint64_t factor = share(65535 % range), bias = share(range / 2);
  c.exact = true;
  c.low = static_cast<std::uint16_t>(low);
  std::fill_n(c.range, 8, static_cast<std::uint16_t>(range));
  c.whole = static_cast<std::uint16_t>(65535 / range);
  std::fill_n(c.factor_high, 8, static_cast<std::uint16_t>(factor >> 16));
  std::fill_n(c.factor_low, 8, static_cast<std::uint16_t>(factor));
  c.bias_high = static_cast<std::uint16_t>(bias >> 16);
  c.bias_low = static_cast<std::uint16_t>(bias);
  return c;
}

}  // namespace tessera
