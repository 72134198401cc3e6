// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes, on every SIMD target; plain loops on the one without vectors. Per SIMD
// target.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(TESSERA_NOISE_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_LANES_INL_HPP
#undef TESSERA_NOISE_LANES_INL_HPP
#else
#define TESSERA_NOISE_LANES_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
constexpr int kLanesOf = 16 / static_cast<int>(sizeof(T));

/// Bits of a word, and how many each of its bytes has.
struct CountedBits {
  std::uint64_t bits, in_bytes;
};

#if HWY_TARGET == HWY_SCALAR

template <class T>
struct Lanes {
  T at[kLanesOf<T>];
};

template <class T, class Make>
Lanes<T> lane_by_lane(Make make) {
  Lanes<T> made;
  for (int i = 0; i < kLanesOf<T>; ++i) made.at[i] = static_cast<T>(make(i));
  return made;
}
template <class T>
Lanes<T> all(T value) {
  return lane_by_lane<T>([=](int) { return value; });
}
/// From any address; From may be narrower.
template <class T, class From>
Lanes<T> load(const From* from) {
  return lane_by_lane<T>([=](int i) { return from[i]; });
}
template <class T>
void store(const Lanes<T>& a, T* to) {
  std::copy_n(a.at, kLanesOf<T>, to);
}
template <class T>
Lanes<T> add(const Lanes<T>& a, const Lanes<T>& b) {
  return lane_by_lane<T>([&](int i) { return a.at[i] + b.at[i]; });
}
template <class T>
Lanes<T> subtract(const Lanes<T>& a, const Lanes<T>& b) {
  return lane_by_lane<T>([&](int i) { return a.at[i] - b.at[i]; });
}
/// -1 where below 0, else 0.
template <class T>
Lanes<T> signs(const Lanes<T>& a) {
  return lane_by_lane<T>([&](int i) { return a.at[i] < 0 ? -1 : 0; });
}
template <class T>
Lanes<T> last_lane(const Lanes<T>& a) {
  return all(a.at[kLanesOf<T> - 1]);
}
template <class T>
T value_of_last(const Lanes<T>& a) {
  return a.at[kLanesOf<T> - 1];
}
/// Compares signed lanes as if they were unsigned: negative ones are the largest.
template <class T>
Lanes<T> least_unsigned(const Lanes<T>& a, const Lanes<T>& b) {
  using U = std::make_unsigned_t<T>;
  return lane_by_lane<T>(
      [&](int i) { return static_cast<U>(a.at[i]) < static_cast<U>(b.at[i]) ? a.at[i] : b.at[i]; });
}
template <class T>
Lanes<T> most_unsigned(const Lanes<T>& a, const Lanes<T>& b) {
  using U = std::make_unsigned_t<T>;
  return lane_by_lane<T>(
      [&](int i) { return static_cast<U>(a.at[i]) > static_cast<U>(b.at[i]) ? a.at[i] : b.at[i]; });
}
template <class T>
int sum_of(const Lanes<T>& a) {
  int sum = 0;
  for (const T lane : a.at) sum += lane;
  return sum;
}
template <class T>
T least_unsigned_of(Lanes<T> a) {
  for (const T lane : a.at) a = least_unsigned(a, all(lane));
  return a.at[0];
}
template <class T>
T most_unsigned_of(Lanes<T> a) {
  for (const T lane : a.at) a = most_unsigned(a, all(lane));
  return a.at[0];
}
/// One bit for each of 64 numbers stored 8 by 8 and transposed (column_place): set if it is one of
/// the `count` numbers from `first` on, and `mask` has the bit.
template <class T>
CountedBits bits_between(const T* numbers, T first, T count, std::uint64_t mask) {
  CountedBits found{0, 0};
  for (int i = 0; i < 64; ++i)
    if (static_cast<T>(numbers[i] - first) < count)
      found.bits |= std::uint64_t{1} << ((i & 7) << 3 | i >> 3);
  found.bits &= mask;
  for (int byte = 0; byte < 64; byte += 8)
    found.in_bytes |= static_cast<std::uint64_t>(std::popcount(found.bits >> byte & 255)) << byte;
  return found;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
template <class T>
using TagOf = hn::FixedTag<T, static_cast<std::size_t>(kLanesOf<T>)>;
template <class T>
using Lanes = hn::Vec<TagOf<T>>;
template <class T>
using UnsignedTagOf = hn::RebindToUnsigned<TagOf<T>>;

template <class T>
HWY_INLINE Lanes<T> all(T value) {
  return hn::Set(TagOf<T>(), value);
}
template <class T, class From>
HWY_INLINE Lanes<T> load(const From* from) {
  const TagOf<T> d;
  if constexpr (sizeof(From) == sizeof(T))
    return hn::BitCast(d, hn::LoadU(TagOf<From>(), from));
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<From, TagOf<T>>(), from));
}
template <class V, class T>
HWY_INLINE void store(V a, T* to) {
  hn::StoreU(a, TagOf<T>(), to);
}
template <class V>
HWY_INLINE V add(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
HWY_INLINE V subtract(V a, V b) {
  return hn::Sub(a, b);
}
template <class V>
HWY_INLINE V signs(V a) {
  return hn::ShiftRight<8 * sizeof(hn::TFromV<V>) - 1>(a);
}
template <class V>
HWY_INLINE V last_lane(V a) {
  return hn::Broadcast<kLanesOf<hn::TFromV<V>> - 1>(a);
}
template <class V>
HWY_INLINE hn::TFromV<V> value_of_last(V a) {
  return hn::ExtractLane(a, kLanesOf<hn::TFromV<V>> - 1);
}
template <class V>
HWY_INLINE V least_unsigned(V a, V b) {
  const UnsignedTagOf<hn::TFromV<V>> du;
  return hn::BitCast(hn::DFromV<V>(), hn::Min(hn::BitCast(du, a), hn::BitCast(du, b)));
}
template <class V>
HWY_INLINE V most_unsigned(V a, V b) {
  const UnsignedTagOf<hn::TFromV<V>> du;
  return hn::BitCast(hn::DFromV<V>(), hn::Max(hn::BitCast(du, a), hn::BitCast(du, b)));
}
template <class V>
HWY_INLINE int sum_of(V a) {
  return static_cast<int>(hn::GetLane(hn::SumOfLanes(hn::DFromV<V>(), a)));
}
template <class V>
HWY_INLINE hn::TFromV<V> least_unsigned_of(V a) {
  const UnsignedTagOf<hn::TFromV<V>> du;
  return static_cast<hn::TFromV<V>>(hn::GetLane(hn::MinOfLanes(du, hn::BitCast(du, a))));
}
template <class V>
HWY_INLINE hn::TFromV<V> most_unsigned_of(V a) {
  const UnsignedTagOf<hn::TFromV<V>> du;
  return static_cast<hn::TFromV<V>>(hn::GetLane(hn::MaxOfLanes(du, hn::BitCast(du, a))));
}
/// The bit of each row of the 8 by 8.
template <class T>
struct RowBits {
  T at[64] = {};
  constexpr RowBits() {
    for (int i = 0; i < 64; ++i) at[i] = static_cast<T>(1 << i / 8);
  }
};
template <class T>
inline constexpr RowBits<T> kRowBits;

template <class T>
HWY_INLINE CountedBits bits_between(const T* numbers, T first, T count, std::uint64_t mask) {
  const TagOf<T> d;
  const auto first_lanes = hn::Set(d, first), count_lanes = hn::Set(d, count);
  auto bits = hn::Zero(d);
  for (int row = 0; row < 8; row += kLanesOf<T> / 8) {
    const auto bit = hn::LoadU(d, kRowBits<T>.at + 8 * row);
    const auto from_first = hn::Sub(hn::LoadU(d, numbers + 8 * row), first_lanes);
    bits = hn::Or(bits, hn::IfThenElseZero(hn::Lt(from_first, count_lanes), bit));
  }
  const hn::FixedTag<std::uint8_t, 8> bytes;
  const hn::FixedTag<std::uint64_t, 1> word;
  auto row_bits = hn::Zero(bytes);
  if constexpr (sizeof(T) == 1)
    row_bits = hn::Or(hn::LowerHalf(bytes, bits), hn::UpperHalf(bytes, bits));
  else
    row_bits = hn::TruncateTo(bytes, bits);
  row_bits = hn::And(row_bits, hn::BitCast(bytes, hn::Set(word, mask)));
  return {hn::GetLane(hn::BitCast(word, row_bits)),
          hn::GetLane(hn::BitCast(word, hn::PopulationCount(row_bits)))};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
