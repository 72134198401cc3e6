// SPDX-License-Identifier: Apache-2.0
// Rows of samples to keys and back. Included once per SIMD target (after foreach_target).
#if defined(TESSERA_MORPHOLOGY_KEYS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_MORPHOLOGY_KEYS_INL
#undef TESSERA_MORPHOLOGY_KEYS_INL
#else
#define TESSERA_MORPHOLOGY_KEYS_INL
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstring>
#include <type_traits>

#include "ops/morphology/cpu/morphology_minmax_neon-inl.hpp"
#include "ops/morphology/parts/morphology_keys.cuh"
#include "tessera/border.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Keys of samples of the given size in bytes, for minima or maxima. ARM's instructions order
/// floats as keys do (NaN wins, -0 is less than 0), so there floats are their own keys; those of
/// x86 do not.
constexpr bool kFloatsAreKeys = HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON;

template <int kBytes>
using KeyOfBytes =
    std::conditional_t<(kBytes <= 2), hwy::UnsignedFromSize<kBytes>,
                       std::conditional_t<kFloatsAreKeys, hwy::FloatFromSize<HWY_MAX(kBytes, 4)>,
                                          hwy::SignedFromSize<kBytes>>>;

template <int kBytes, bool kMax>
struct Keys {
  using Key = KeyOfBytes<kBytes>;
  using D = hn::ScalableTag<Key>;
  using V = hn::Vec<D>;
  static constexpr bool kEncoded = kBytes > 2 && !kFloatsAreKeys;

  /// The key of a sample's bits.
  static constexpr Key key_of(typename KeyTypes<kBytes>::Bits bits) {
    if constexpr (kBytes > 2 && kFloatsAreKeys)
      return std::bit_cast<Key>(bits);
    else
      return static_cast<Key>(to_key<kBytes, kMax>(bits));
  }
  static constexpr Key kLosing = key_of(from_key<kBytes, kMax>(losing_key<kBytes, kMax>()));

  static HWY_INLINE V best(V a, V b) {
#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
    if constexpr (kBytes > 2) {
      if constexpr (kMax)
        return nan_max(a, b);
      else
        return nan_min(a, b);
    }
#endif
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
    if constexpr (!kEncoded)
      return bits;
    else
      return kMax ? hn::Sub(ordered(bits), shift()) : hn::Add(ordered(bits), shift());
  }
  static HWY_INLINE V decode(V key) {
    [[maybe_unused]] const D d;
    if constexpr (!kEncoded) {
      return key;
    } else {
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
    return key_of(bits);
  }

  /// Contiguous samples to keys.
  static void encode_samples(const unsigned char* from, long long count, Key* to) {
    if constexpr (!kEncoded) {
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
  /// row itself lies outside. Pixels that the border rule does not define are `outside`.
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

  /// Destination of a row of results: directly the image if its pixels are contiguous, otherwise a
  /// buffer.
  class Sink {
   public:
    Sink(unsigned char* out, long long out_pixel, int columns, int channels, Key* own)
        : out_(out), out_pixel_(out_pixel), columns_(columns), channels_(channels) {
      to_ = is_packed() ? reinterpret_cast<Key*>(out) : own;
    }
    long long samples() const { return static_cast<long long>(columns_) * channels_; }

    HWY_INLINE void put(long long at, V key) const { hn::StoreU(decode(key), D(), to_ + at); }
    /// Results that may reach past the last sample.
    HWY_INLINE void put_end(long long at, V key) const {
      const D d;
      const auto lanes = static_cast<long long>(hn::Lanes(d));
      if (!is_packed() || at + lanes <= samples()) return put(at, key);
      HWY_ALIGN Key last[hn::MaxLanes(D())];
      hn::Store(decode(key), d, last);
      std::memcpy(to_ + at, last, static_cast<std::size_t>(samples() - at) * kBytes);
    }
    void finish() const {
      if (is_packed()) return;
      for (int x = 0; x < columns_; ++x)
        std::memcpy(out_ + x * out_pixel_ * kBytes, to_ + static_cast<long long>(x) * channels_,
                    static_cast<std::size_t>(channels_) * kBytes);
    }

   private:
    bool is_packed() const { return out_pixel_ == channels_; }
    unsigned char* out_;
    long long out_pixel_;
    int columns_, channels_;
    Key* to_;
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
