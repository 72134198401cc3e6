// SPDX-License-Identifier: Apache-2.0
// Compares rows with guessed percentiles, once per SIMD target.
#include "ops/enhance/cpu/enhance_row_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_guess_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Bytes count up to 255 comparisons each before they are added up.
void compare_row(const std::array<std::uint8_t, kGuessedValues>& values, const std::uint8_t* in,
                 long long samples, std::uint64_t* greater) {
  long long x = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint8_t> d;
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d);
  const V v0 = hn::Set(d, values[0]), v1 = hn::Set(d, values[1]), v2 = hn::Set(d, values[2]),
          v3 = hn::Set(d, values[3]), v4 = hn::Set(d, values[4]), v5 = hn::Set(d, values[5]);
  const auto one_more = [d](V count, V v, V limit) HWY_ATTR {
    return hn::Sub(count, hn::VecFromMask(d, hn::Gt(v, limit)));
  };
  while (x + lanes <= samples) {
    V c0 = hn::Zero(d), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0;
    const long long end = HWY_MIN(samples, x + 255 * lanes);
    for (; x + lanes <= end; x += lanes) {
      const V v = hn::LoadU(d, in + x);
      c0 = one_more(c0, v, v0);
      c1 = one_more(c1, v, v1);
      c2 = one_more(c2, v, v2);
      c3 = one_more(c3, v, v3);
      c4 = one_more(c4, v, v4);
      c5 = one_more(c5, v, v5);
    }
    const auto add = [d64](V count, std::uint64_t& sum)
                         HWY_ATTR { sum += hn::GetLane(hn::SumOfLanes(d64, hn::SumsOf8(count))); };
    add(c0, greater[0]);
    add(c1, greater[1]);
    add(c2, greater[2]);
    add(c3, greater[3]);
    add(c4, greater[4]);
    add(c5, greater[5]);
  }
#endif
  for (; x < samples; ++x)
    for (std::size_t k = 0; k < kGuessedValues; ++k) greater[k] += in[x] > values[k];
}

#if HWY_TARGET != HWY_SCALAR

template <class V>
HWY_INLINE std::uint64_t sum_of_words(V v) {
  const hn::DFromV<V> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  const auto both = hn::BitCast(d32, v);
  const auto sums = hn::Add(hn::And(both, hn::Set(d32, 0xFFFF)), hn::ShiftRight<16>(both));
  return hn::GetLane(hn::SumOfLanes(d32, sums));
}

/// Groups of vectors without a sample in a range (most of them) are not counted. Returns the number
/// of samples done.
HWY_INLINE long long count_groups(const ValueRanges& r, const std::uint16_t* in, long long samples,
                                  std::uint32_t* table, std::uint64_t* below) {
  constexpr int kGroup = 4;
  const hn::ScalableTag<std::uint16_t> d;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d), group = kGroup * lanes;
  const auto set = [d](int v) HWY_ATTR { return hn::Set(d, static_cast<std::uint16_t>(v)); };
  const V first0 = set(r.first[0]), first1 = set(r.first[1]),
          length0 = set(r.last[0] - r.first[0] + 1), length1 = set(r.last[1] - r.first[1] + 1);
  long long x = 0;
  while (x + group <= samples) {
    V below0 = hn::Zero(d), below1 = below0;  // lanes count to 65535
    const long long end = HWY_MIN(samples, x + 65535 / kGroup * group);
    for (; x + group <= end; x += group) {
      V inside = hn::Zero(d);
      for (int k = 0; k < kGroup; ++k) {
        const V v = hn::LoadU(d, in + x + k * lanes);
        below0 = hn::Sub(below0, hn::VecFromMask(d, hn::Lt(v, first0)));
        below1 = hn::Sub(below1, hn::VecFromMask(d, hn::Lt(v, first1)));
        inside = hn::Or(inside, hn::VecFromMask(d, hn::Lt(hn::Sub(v, first0), length0)));
        inside = hn::Or(inside, hn::VecFromMask(d, hn::Lt(hn::Sub(v, first1), length1)));
      }
      if (hn::AllFalse(d, hn::MaskFromVec(inside))) continue;
      for (long long k = x; k < x + group; ++k) ++table[in[k]];
    }
    below[0] += sum_of_words(below0);
    below[1] += sum_of_words(below1);
  }
  return x;
}

#endif

void count_ranges_row(const ValueRanges& r, const std::uint16_t* in, long long samples,
                      std::uint32_t* table, std::uint64_t* below) {
  long long x = 0;
#if HWY_TARGET != HWY_SCALAR
  x = count_groups(r, in, samples, table, below);
#endif
  for (; x < samples; ++x) {
    ++table[in[x]];
    for (std::size_t k = 0; k < 2; ++k) below[k] += in[x] < r.first[k];
  }
}
void guess_rows_8(EnhanceRows<std::uint8_t>& rows) { rows.compare = compare_row; }
void guess_rows_16(EnhanceRows<std::uint16_t>& rows) { rows.count_ranges = count_ranges_row; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(guess_rows_8);
HWY_EXPORT(guess_rows_16);

void add_guess_rows(EnhanceRows<std::uint8_t>& rows) { HWY_DYNAMIC_DISPATCH(guess_rows_8)(rows); }
void add_guess_rows(EnhanceRows<std::uint16_t>& rows) { HWY_DYNAMIC_DISPATCH(guess_rows_16)(rows); }

}  // namespace tessera
#endif
