// SPDX-License-Identifier: Apache-2.0
// Which ranks of a region lie in the rows under the boxes, and which of them under one box. Per
// SIMD target.
#include <bit>
#include <cstring>

#include "ops/noise/cpu/noise_slider.hpp"

#if defined(TESSERA_NOISE_ACTIVE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_ACTIVE_INL_HPP
#undef TESSERA_NOISE_ACTIVE_INL_HPP
#else
#define TESSERA_NOISE_ACTIVE_INL_HPP
#endif

#include "ops/noise/cpu/noise_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Positions of the first, second … set bit of a byte.
struct BitOfByte {
  std::uint8_t place[256][8] = {};
  constexpr BitOfByte() {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned bit = 0, found = 0; bit < 8; ++bit)
        if (byte >> bit & 1) place[byte][found++] = static_cast<std::uint8_t>(bit);
  }
};
inline constexpr BitOfByte kBitOfByte;

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
  /// The ranks of a row.
  void enter(const std::uint32_t* ranks, int count) {
    std::uint64_t* words = words_;
    for (int x = 0; x < count; ++x)
      words[ranks[x] / kWordRanks] |= std::uint64_t{1} << (ranks[x] % kWordRanks);
  }
  void leave(const std::uint32_t* ranks, int count) {
    std::uint64_t* words = words_;
    for (int x = 0; x < count; ++x)
      words[ranks[x] / kWordRanks] &= ~(std::uint64_t{1} << (ranks[x] % kWordRanks));
  }

  /// The first word of a code: which of its ranks are under the box.
  HWY_INLINE CountedBits first_word(int code, int shift, int x, int box_width) const {
    return under_box(word_of(code, shift), x, box_width);
  }

  /// The rank of a code that has `past` of the code's ranks under the box before it and, if wanted,
  /// the next rank under the box; false if that is not near. `under` is the code's first word.
  HWY_INLINE bool pick(CountedBits under, const NoiseLocated& at, int shift, int x, int box_width,
                       bool want_next, NoiseFound& found) const {
    std::uint32_t word = word_of(at.code, shift);
    std::uint64_t up_to = under.in_bytes * kOnes;  // cumulative, for each byte and those below it
    int past = at.past;
    while (HWY_UNLIKELY(has_more(up_to, std::min(past, kWordRanks)) == 0)) {
      past -= static_cast<int>(up_to >> 56);
      under = under_box(++word, x, box_width);
      up_to = under.in_bytes * kOnes;
    }
    const int bit = place_of_bit(under.bits, up_to, past);
    found.rank = word * kWordRanks + static_cast<std::uint32_t>(bit);
    if (!want_next) return true;
    std::uint64_t after = under.bits & ~std::uint64_t{1} << bit;
    for (int tries = 0; HWY_UNLIKELY(after == 0); ++tries) {
      if (tries == kNearWords || ++word == words_count_) return false;
      after = under_box(word, x, box_width).bits;
    }
    found.next = word * kWordRanks + static_cast<std::uint32_t>(std::countr_zero(after));
    return true;
  }

 private:
  static HWY_INLINE std::uint32_t word_of(int code, int shift) {
    return static_cast<std::uint32_t>(code) << (shift - 6);
  }
  /// Searching this many words is faster than moving the bracket.
  static constexpr int kNearWords = 8;

  static constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = kOnes << 7;

  /// The highest bit of each byte up to which more than `before` bits are set.
  static HWY_INLINE std::uint64_t has_more(std::uint64_t up_to, int before) {
    return ~((static_cast<std::uint64_t>(before) * kOnes | kHighs) - up_to) & kHighs;
  }
  /// The position of the set bit with `before` set bits below it: the byte by comparing all at
  /// once, the bit in it by table, because loops of unknown length are mispredicted.
  static HWY_INLINE int place_of_bit(std::uint64_t word, std::uint64_t up_to, int before) {
    const int byte = std::countr_zero(has_more(up_to, before)) - 7;
    const auto before_byte = static_cast<int>((up_to << 8) >> byte & 255);
    return byte + kBitOfByte.place[word >> byte & 255][before - before_byte];
  }

  HWY_INLINE CountedBits under_box(std::uint32_t word, int x, int box_width) const {
    return bits_between(columns_ + std::size_t{word} * kWordRanks, static_cast<Column>(x),
                        static_cast<Column>(box_width), words_[word]);
  }

  Scratch memory_;
  std::uint32_t words_count_ = 0;  ///< without that of the blanks
  std::uint64_t* words_ = nullptr;
  const Column* columns_ = nullptr;
};
template <>
class ActiveRanks<void> {};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
