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
    const std::size_t bytes = (blank_mark / kWordRanks + 1) * sizeof(std::uint64_t);
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

  /// The rank with `past` ranks of its code before it under the box, and the next; false where the
  /// code has no next.
  HWY_INLINE bool pick(int code, int shift, int past, int x, int box_width,
                       NoiseFound& found) const {
    auto word = static_cast<std::uint32_t>(code) << (shift - 6);
    const auto last = word + (1U << (shift - 6)) - 1;
    std::uint64_t under = under_box(word, x, box_width);
    while (word < last && std::popcount(under) <= past) {
      past -= std::popcount(under);
      under = under_box(++word, x, box_width);
    }
    for (; past > 0; --past) under &= under - 1;
    found.mark = word * kWordRanks + static_cast<std::uint32_t>(std::countr_zero(under));
    under &= under - 1;
    while (under == 0 && word < last) under = under_box(++word, x, box_width);
    found.next = word * kWordRanks + static_cast<std::uint32_t>(std::countr_zero(under));
    return under != 0;
  }

 private:
  HWY_INLINE std::uint64_t under_box(std::uint32_t word, int x, int box_width) const {
    return words_[word] & bits_between(columns_ + std::size_t{word} * kWordRanks,
                                       static_cast<Column>(x), static_cast<Column>(box_width));
  }

  Scratch memory_;
  std::uint64_t* words_ = nullptr;
  const Column* columns_ = nullptr;
};
template <>
class ActiveRanks<void> {};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
