// SPDX-License-Identifier: Apache-2.0
// Which ranks of a region lie in the rows under the boxes, and which of them under one box. Per
// SIMD target.
#include <bit>
#include <cstring>

#include "ops/noise/noise_slider.hpp"

#if defined(TESSERA_NOISE_ACTIVE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_ACTIVE_INL_HPP
#undef TESSERA_NOISE_ACTIVE_INL_HPP
#else
#define TESSERA_NOISE_ACTIVE_INL_HPP
#endif

#include "ops/noise/noise_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class Column>
class ActiveRanks {
 public:
  void start(const Column* columns, std::uint32_t blank_mark) {
    words_count_ = blank_mark / kWordRanks;
    const std::size_t bytes = (words_count_ + std::size_t{1}) * sizeof(std::uint64_t);
    if (memory_.bytes() < bytes) memory_ = host_scratch(bytes);
    words_ = memory_.as<std::uint64_t>();
    columns_ = columns;
    std::memset(words_, 0, bytes);
  }
  HWY_INLINE void set(std::uint32_t rank) {
    words_[rank / kWordRanks] |= std::uint64_t{1} << (rank % kWordRanks);
  }
  HWY_INLINE void clear(std::uint32_t rank) {
    words_[rank / kWordRanks] &= ~(std::uint64_t{1} << (rank % kWordRanks));
  }

  /// The rank of a code with `past` of its ranks before it under the box, and, if wanted, the next
  /// rank under the box; false where that is not near.
  HWY_INLINE bool pick(int code, int shift, int past, int x, int box_width, bool want_next,
                       NoiseFound& found) const {
    auto word = static_cast<std::uint32_t>(code) << (shift - 6);
    const auto last = word + (1U << (shift - 6)) - 1;
    std::uint64_t under = under_box(word, x, box_width);
    while (word < last && std::popcount(under) <= past) {
      past -= std::popcount(under);
      under = under_box(++word, x, box_width);
    }
    const int bit = place_of_bit(under, past);
    found.rank = word * kWordRanks + static_cast<std::uint32_t>(bit);
    under &= ~std::uint64_t{1} << bit;
    if (!want_next) return true;
    for (int tries = 0; HWY_UNLIKELY(under == 0); ++tries) {
      if (tries == kNearWords || ++word == words_count_) return false;
      under = under_box(word, x, box_width);
    }
    found.next = word * kWordRanks + static_cast<std::uint32_t>(std::countr_zero(under));
    return true;
  }

 private:
  /// So many words are cheaper to look through than a new place for the bracket.
  static constexpr int kNearWords = 8;

  /// Where the set bit is that has `before` set bits below it: byte by byte, then bit by bit.
  static HWY_INLINE int place_of_bit(std::uint64_t word, int before) {
    for (; before > 0; --before) word &= word - 1;
    return std::countr_zero(word);
  }

  HWY_INLINE std::uint64_t under_box(std::uint32_t word, int x, int box_width) const {
    return words_[word] & bits_between(columns_ + std::size_t{word} * kWordRanks,
                                       static_cast<Column>(x), static_cast<Column>(box_width));
  }

  Scratch memory_;
  std::uint32_t words_count_ = 0;  ///< without the blanks' own
  std::uint64_t* words_ = nullptr;
  const Column* columns_ = nullptr;
};
template <>
class ActiveRanks<void> {};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
