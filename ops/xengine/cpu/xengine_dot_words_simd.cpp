// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes on every target: a panel's row of eight samples.
#include "ops/xengine/cpu/xengine_dot_words_simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/xengine/cpu/xengine_dot_words_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // its single lane has no halves
DotWordFunctions functions() { return {nullptr, nullptr}; }
#else

using D16 = hn::CappedTag<std::uint16_t, 8>;
using D32 = hn::CappedTag<std::uint32_t, 4>;
using V16 = hn::VFromD<D16>;
using V32 = hn::VFromD<D32>;

/// Eight samples of ci8, real parts low.
struct Bytes {
  V16 flip;
  static constexpr int kBytes = 2;
  HWY_INLINE V16 operator()(const unsigned char* at) const {
    const hn::Repartition<std::uint8_t, D16> d8;
    return hn::Xor(hn::BitCast(D16(), hn::LoadU(d8, at)), flip);
  }
};

/// Eight samples of ci4.
struct Halves {
  V16 flip;  ///< 8 for two's complement: 8 is subtracted afterwards
  bool real_low;
  static constexpr int kBytes = 1;
  HWY_INLINE V16 operator()(const unsigned char* at) const {
    const D16 d;
    const hn::Rebind<std::uint8_t, D16> d8;
    const V16 both = hn::PromoteTo(d, hn::LoadU(d8, at));
    const V16 high = number(hn::ShiftRight<4>(both));
    const V16 low = number(hn::And(both, hn::Set(d, 15)));
    const V16 re = real_low ? low : high, im = real_low ? high : low;
    return hn::Or(hn::And(re, hn::Set(d, 0xff)), hn::ShiftLeft<8>(im));
  }

 private:
  HWY_INLINE V16 number(V16 half) const { return hn::Sub(hn::Xor(half, flip), hn::Set(D16(), 8)); }
};

template <class Read>
HWY_INLINE void zip_all(Read read, const unsigned char* from, const long long* offsets, int steps,
                        int panel, std::uint32_t* words) {
  const D16 d;
  const D32 d32;
  for (int s = 0; s < steps; ++s)
    for (int i = 0; i < panel; i += 8, words += 8) {
      const V16 even = read(from + offsets[2 * s] + i * Read::kBytes);
      const V16 odd = read(from + offsets[2 * s + 1] + i * Read::kBytes);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d, even, odd)), d32, words);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d, even, odd)), d32, words + 4);
    }
}

HWY_INLINE V16 byte_flip(const DotSamples& kind) {
  return hn::Set(D16(), static_cast<std::uint16_t>(kind.offset_binary ? 0x8080 : 0));
}

void zip(const DotSamples& kind, const unsigned char* from, const long long* offsets, int steps,
         int panel, std::uint32_t* words) {
  const V16 sign = hn::Set(D16(), static_cast<std::uint16_t>(kind.offset_binary ? 0 : 8));
  if (kind.halves)
    zip_all(Halves{sign, kind.real_low}, from, offsets, steps, panel, words);
  else
    zip_all(Bytes{byte_flip(kind)}, from, offsets, steps, panel, words);
}

/// Eight samples of two inputs; interleaved pairs are separated.
HWY_INLINE void read_two(const Bytes& read, bool pairs, const unsigned char* first,
                         const unsigned char* second, V32& a, V32& b) {
  const D16 d;
  const D32 d32;
  const V16 low = read(first), high = read(pairs ? first + 16 : second);
  a = hn::BitCast(d32, pairs ? hn::ConcatEven(d, high, low) : low);
  b = hn::BitCast(d32, pairs ? hn::ConcatOdd(d, high, low) : high);
}

/// Four words of four inputs, transposed.
void weave(const DotSamples& kind, bool pairs, const unsigned char* const* from, long long offset,
           int panel, std::uint32_t* words) {
  const D32 d;
  const hn::Repartition<std::uint64_t, D32> d64;
  const Bytes read{byte_flip(kind)};
  for (int i = 0; i < panel; i += 4) {
    V32 a, b, c, e;
    read_two(read, pairs, from[i] + offset, from[i + 1] + offset, a, b);
    read_two(read, pairs, from[i + 2] + offset, from[i + 3] + offset, c, e);
    const auto ab = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
    const auto ce = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
    const auto ab_late = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
    const auto ce_late = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab, ce)), d, words + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab, ce)), d, words + panel + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab_late, ce_late)), d,
               words + 2 * panel + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab_late, ce_late)), d,
               words + 3 * panel + i);
  }
}

DotWordFunctions functions() { return {zip, weave}; }
#endif

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(functions);

DotWordFunctions dot_word_functions() { return HWY_DYNAMIC_DISPATCH(functions)(); }

}  // namespace tessera
#endif
