// SPDX-License-Identifier: Apache-2.0
// Sums over channels, once per SIMD target: lanes are pixels, a group of turns by some vectors of
// sums stays in registers while the channels pass.
//
// A float sum has at most kMostTerms terms before it is added to the total. The worst case is terms
// of equal size, whose rounding errors may all have one sign: each of n is then at most 2^-24 of a
// sum that is on average half as large as the last, and both parts of a depth may be affected:
// 2^-24 n / sqrt(2) of the mean |P|, 8.1e-6 with 192.
#include "ops/faraday/synth/cpu/faraday_direct.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/synth/cpu/faraday_direct_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMostTerms = 192;
// 24 sums, 6 vectors of pixels and the turns fill the 32 registers of NEON and AVX-512; AVX2
// has 16.
constexpr int kVectors = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 1 : 3;

/// Cosines and sines of one channel. NEON multiplies by a lane of a vector; other targets broadcast
/// each number as they load it.
template <class D, int kTurns>
struct ChannelTurns {
  using T = hn::TFromD<D>;
#if HWY_TARGET == HWY_NEON
  static constexpr int kLanes = 16 / sizeof(T), kLoads = (2 * kTurns + kLanes - 1) / kLanes;
  hn::Vec<D> packed[kLoads];
  HWY_INLINE ChannelTurns(D d, const T* from) {
    for (int i = 0; i < kLoads; ++i) packed[i] = hn::LoadU(d, from + i * kLanes);
  }
  template <int kAt>
  HWY_INLINE hn::Vec<D> get(D) const {
    return hn::Broadcast<kAt % kLanes>(packed[kAt / kLanes]);
  }
#else
  const T* packed;
  HWY_INLINE ChannelTurns(D, const T* from) : packed(from) {}
  template <int kAt>
  HWY_INLINE hn::Vec<D> get(D d) const {
    return hn::Set(d, packed[kAt]);
  }
#endif
};

/// The sums of a group of turns for kVectors vectors of pixels.
template <class D, bool kMirrored>
struct GroupSums {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr int kTurns = kMirrored ? kMirroredTurns : kPlainTurns;
  static constexpr int kParts = kMirrored ? 4 : 2;
  static constexpr int kMostChannels = kMirrored ? kMostTerms : kMostTerms / 2;
  V sum[kTurns][kParts][kVectors];

  HWY_INLINE explicit GroupSums(D d) {
    for (auto& turn : sum)
      for (auto& part : turn)
        for (V& v : part) v = hn::Zero(d);
  }

  template <int kTurn>
  HWY_INLINE void add(D d, const ChannelTurns<D, kTurns>& turns, const V* q, const V* u) {
    if constexpr (kTurn < kTurns) {
      const V c = turns.template get<2 * kTurn>(d), s = turns.template get<2 * kTurn + 1>(d);
      auto& to = sum[kTurn];
      for (int v = 0; v < kVectors; ++v) {
        to[0][v] = hn::MulAdd(q[v], c, to[0][v]);
        to[1][v] = hn::MulAdd(u[v], c, to[1][v]);
        if constexpr (kMirrored) {
          to[2][v] = hn::MulAdd(u[v], s, to[2][v]);
          to[3][v] = hn::MulAdd(q[v], s, to[3][v]);
        } else {
          to[0][v] = hn::MulAdd(u[v], s, to[0][v]);
          to[1][v] = hn::NegMulAdd(q[v], s, to[1][v]);
        }
      }
    }
  }

  HWY_INLINE void add_channels(D d, const T* data, const T* turns, int channels) {
    const auto lanes = static_cast<int>(hn::Lanes(d));
    for (int k = 0; k < channels; ++k, data += 2 * kVectors * lanes, turns += 2 * kTurns) {
      const ChannelTurns<D, kTurns> these(d, turns);
      V q[kVectors], u[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        q[v] = hn::Load(d, data + v * lanes);
        u[v] = hn::Load(d, data + (kVectors + v) * lanes);
      }
      add<0>(d, these, q, u);
      add<1>(d, these, q, u);
      add<2>(d, these, q, u);
      add<3>(d, these, q, u);
    }
  }

  HWY_INLINE void put(D d, T* results, int width, bool first) const {
    const auto lanes = static_cast<int>(hn::Lanes(d));
    for (int t = 0; t < kTurns; ++t)
      for (int v = 0; v < kVectors; ++v) {
        T* const to = results + 1LL * t * kParts * width + v * lanes;
        const auto& s = sum[t];
        if constexpr (kMirrored) {
          put_one(d, to, hn::Add(s[0][v], s[2][v]), first);
          put_one(d, to + width, hn::Sub(s[1][v], s[3][v]), first);
          put_one(d, to + 2LL * width, hn::Sub(s[0][v], s[2][v]), first);
          put_one(d, to + 3LL * width, hn::Add(s[1][v], s[3][v]), first);
        } else {
          put_one(d, to, s[0][v], first);
          put_one(d, to + width, s[1][v], first);
        }
      }
  }
  HWY_INLINE static void put_one(D d, T* to, V v, bool first) {
    hn::Store(first ? v : hn::Add(hn::Load(d, to), v), d, to);
  }
};

/// The channels of one panel side by side, for all groups of turns. Directly from the tile, whose
/// rows lie far apart, symmetric grids took 0.31 s instead of 0.25 (300 channels, 401 depths).
template <class D>
class Panel {
 public:
  using T = hn::TFromD<D>;
  HWY_INLINE void load(D d, const T* data, int width, int channels) {
    const auto lanes = static_cast<int>(hn::Lanes(d));
    T* to = samples_;
    for (int row = 0; row < 2 * channels; ++row, data += width)
      for (int v = 0; v < kVectors; ++v, to += lanes)
        hn::Store(hn::Load(d, data + v * lanes), d, to);
  }
  HWY_INLINE const T* samples() const { return samples_; }

 private:
  HWY_ALIGN T samples_[2 * kMostTerms * kVectors * HWY_MAX_BYTES / sizeof(T)];
};

template <class T, bool kMirrored>
HWY_INLINE void sum_turns(const FaradayDirectBlock<T>& b) {
  const hn::ScalableTag<T> d;
  using Sums = GroupSums<decltype(d), kMirrored>;
  const int step = kVectors * static_cast<int>(hn::Lanes(d));
  const int chunks = (b.channels + Sums::kMostChannels - 1) / Sums::kMostChannels;
  const int chunk = (b.channels + chunks - 1) / chunks;
  Panel<decltype(d)> panel;
  for (int x = 0; x < b.pixels; x += step)
    for (int k = 0; k < b.channels; k += chunk) {
      const int channels = HWY_MIN(chunk, b.channels - k);
      panel.load(d, b.data + 2LL * k * b.width + x, b.width, channels);
      const T* turns = b.turns + 2LL * k * Sums::kTurns;
      T* results = b.results + x;
      for (int group = 0; group < b.groups; ++group) {
        Sums sums(d);
        sums.add_channels(d, panel.samples(), turns, channels);
        sums.put(d, results, b.width, k == 0);
        turns += 2LL * b.channels * Sums::kTurns;
        results += 1LL * Sums::kTurns * Sums::kParts * b.width;
      }
    }
}

void direct_f32(const FaradayDirectBlock<float>& b) {
  b.mirrored ? sum_turns<float, true>(b) : sum_turns<float, false>(b);
}
void direct_f64(const FaradayDirectBlock<double>& b) {
  b.mirrored ? sum_turns<double, true>(b) : sum_turns<double, false>(b);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(direct_f32);
HWY_EXPORT(direct_f64);

template <>
FaradayDirectFunction<float> faraday_direct_function<float>() {
  return HWY_DYNAMIC_DISPATCH(direct_f32);
}
template <>
FaradayDirectFunction<double> faraday_direct_function<double>() {
  return HWY_DYNAMIC_DISPATCH(direct_f64);
}
}  // namespace tessera
#endif
