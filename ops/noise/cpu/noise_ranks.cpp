// SPDX-License-Identifier: Apache-2.0
// Sorting by digits from the lowest up, using only the bits in which keys differ.
#include "ops/noise/cpu/noise_ranks.hpp"

#include <array>
#include <bit>

namespace tessera {
namespace {

/// 2048 counters of a digit fit the first-level cache together with the items.
constexpr int kMostDigitBits = 11;

/// One pass by the digit at `shift`.
template <class Key>
void sort_by_digit(const NoiseItem<Key>* from, NoiseItem<Key>* to, std::size_t count, int shift,
                   int bits) {
  const Key mask = (Key{1} << bits) - 1;
  std::array<std::uint32_t, std::size_t{1} << kMostDigitBits> places{};
  for (std::size_t i = 0; i < count; ++i) ++places[from[i].key() >> shift & mask];
  std::uint32_t before = 0;
  for (std::size_t digit = 0; digit <= mask; ++digit) {
    const std::uint32_t here = places[digit];
    places[digit] = before;
    before += here;
  }
  for (std::size_t i = 0; i < count; ++i) to[places[from[i].key() >> shift & mask]++] = from[i];
}

}  // namespace

template <class Key>
NoiseItem<Key>* sort_noise_items(NoiseItem<Key>* items, NoiseItem<Key>* other, std::size_t count,
                                 Key differing) {
  if (differing == 0) return items;
  const int lowest = std::countr_zero(differing), end = static_cast<int>(std::bit_width(differing));
  const int passes = (end - lowest + kMostDigitBits - 1) / kMostDigitBits;
  const int bits = (end - lowest + passes - 1) / passes;
  for (int pass = 0; pass < passes; ++pass) {
    sort_by_digit(items, other, count, lowest + pass * bits, bits);
    std::swap(items, other);
  }
  return items;
}

template NoiseItem<unsigned>* sort_noise_items(NoiseItem<unsigned>*, NoiseItem<unsigned>*,
                                               std::size_t, unsigned);
template NoiseItem<unsigned long long>* sort_noise_items(NoiseItem<unsigned long long>*,
                                                         NoiseItem<unsigned long long>*,
                                                         std::size_t, unsigned long long);

}  // namespace tessera
