// SPDX-License-Identifier: Apache-2.0
// Rows of samples to keys and back. Included once a SIMD target (after foreach_target).
#if defined(TESSERA_MORPHOLOGY_KEYS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_MORPHOLOGY_KEYS_INL
#undef TESSERA_MORPHOLOGY_KEYS_INL
#else
#define TESSERA_MORPHOLOGY_KEYS_INL
#endif

#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include "ops/morphology/parts/morphology_keys.cuh"
#include "tessera/border.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Keys of samples of so many bytes, for minima or maxima.
template <int kBytes, bool kMax>
struct Keys {
  using Bits = hwy::UnsignedFromSize<kBytes>;
  using Key = std::conditional_t<(kBytes > 2), std::make_signed_t<Bits>, Bits>;
  using D = hn::ScalableTag<Key>;
  using V = hn::Vec<D>;
  static constexpr Key kLosing = static_cast<Key>(losing_key<kBytes, kMax>());

  static HWY_INLINE V best(V a, V b) {
    if constexpr (kMax)
      return hn::Max(a, b);
    else
      return hn::Min(a, b);
  }

  static HWY_INLINE V ordered(V v) {  // its own inverse
    const D d;
    return hn::Xor(
        v, hn::And(hn::BroadcastSignBit(v), hn::Set(d, static_cast<Key>(FloatBits<kBytes>::kAll))));
  }
  static HWY_INLINE V shift() {
    using F = FloatBits<kBytes>;
    return hn::Set(D(), static_cast<Key>(F::kAll - F::kInfinity));
  }
  static HWY_INLINE V encode(V bits) {
    if constexpr (kBytes <= 2)
      return bits;
    else if constexpr (kMax)
      return hn::Sub(ordered(bits), shift());
    else
      return hn::Add(ordered(bits), shift());
  }
  static HWY_INLINE V decode(V key) {
    if constexpr (kBytes <= 2) {
      return key;
    } else {
      const D d;
      const V bits = ordered(kMax ? hn::Add(key, shift()) : hn::Sub(key, shift()));
      const V magnitude = hn::And(bits, hn::Set(d, static_cast<Key>(FloatBits<kBytes>::kAll)));
      const auto nan =
          hn::Gt(magnitude, hn::Set(d, static_cast<Key>(FloatBits<kBytes>::kInfinity)));
      return hn::IfThenElse(nan, hn::Set(d, static_cast<Key>(FloatBits<kBytes>::kNan)), bits);
    }
  }

  static Key key_at(const unsigned char* sample) {
    typename KeyTypes<kBytes>::Bits bits;
    std::memcpy(&bits, sample, kBytes);
    return static_cast<Key>(to_key<kBytes, kMax>(bits));
  }

  /// Samples side by side to keys.
  static void encode_samples(const unsigned char* from, long long count, Key* to) {
    if constexpr (kBytes <= 2) {
      std::memcpy(to, from, static_cast<std::size_t>(count) * kBytes);
    } else {
      const D d;
      const auto lanes = static_cast<long long>(hn::Lanes(d));
      long long k = 0;
      for (; k + lanes <= count; k += lanes)
        hn::StoreU(encode(hn::LoadU(d, reinterpret_cast<const Key*>(from) + k)), d, to + k);
      for (; k < count; ++k) to[k] = key_at(from + k * kBytes);
    }
  }

  /// Copies `count` pixels from column `first` on, which may lie outside the row. `row` null: the
  /// row itself lies outside. Pixels that the border does not give are `outside`.
  static void load_row(const unsigned char* row, long long pixel, int width, int channels,
                       Border border, Key outside, int first, int count, Key* to) {
    const auto fill = [&](int from, int end) {  // columns outside the row
      for (int x = from; x < end; ++x) {
        const int column = row ? border_index(x, width, border) : kNoPixel;
        Key* target = to + static_cast<long long>(x - first) * channels;
        for (int c = 0; c < channels; ++c)
          target[c] = column == kNoPixel ? outside : key_at(row + (column * pixel + c) * kBytes);
      }
    };
    const int end = first + count;
    if (!row) return fill(first, end);
    const int inside = HWY_MIN(HWY_MAX(first, 0), end);
    const int beyond = HWY_MAX(HWY_MIN(end, width), inside);
    fill(first, inside);
    Key* target = to + static_cast<long long>(inside - first) * channels;
    const unsigned char* source = row + inside * pixel * kBytes;
    if (pixel == channels) {
      encode_samples(source, static_cast<long long>(beyond - inside) * channels, target);
    } else {
      for (int x = inside; x < beyond; ++x, target += channels, source += pixel * kBytes)
        for (int c = 0; c < channels; ++c) target[c] = key_at(source + c * kBytes);
    }
    fill(beyond, end);
  }

  /// Where a row of results goes: straight to the image where its pixels lie side by side, else
  /// through memory of our own.
  struct Sink {
    unsigned char* out;
    long long out_pixel;
    int columns, channels;
    Key* between;

    bool packed() const { return out_pixel == channels; }
    long long samples() const { return static_cast<long long>(columns) * channels; }
    HWY_INLINE void put(long long at, V key) const {
      const D d;
      const V bits = decode(key);
      const auto lanes = static_cast<long long>(hn::Lanes(d));
      if (!packed()) {
        hn::StoreU(bits, d, between + at);
      } else if (at + lanes <= samples()) {
        hn::StoreU(bits, d, reinterpret_cast<Key*>(out) + at);
      } else {
        HWY_ALIGN Key last[hn::MaxLanes(D())];
        hn::Store(bits, d, last);
        std::memcpy(out + at * kBytes, last, static_cast<std::size_t>(samples() - at) * kBytes);
      }
    }
    void finish() const {
      if (packed()) return;
      for (int x = 0; x < columns; ++x)
        std::memcpy(out + x * out_pixel * kBytes, between + static_cast<long long>(x) * channels,
                    static_cast<std::size_t>(channels) * kBytes);
    }
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
