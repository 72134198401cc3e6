// SPDX-License-Identifier: Apache-2.0
// Some spectra of an input and coarse channel by a block: samples are filtered into shared memory,
// transformed there, rounded and stored. Nothing else passes through device memory.
#pragma once

#include "core/cuda/line_fft.cuh"
#include "ops/channelise/cuda/channelise_args.cuh"

namespace tessera {

extern __shared__ __align__(16) unsigned char channelise_memory[];

/// One sample of a packed line: two parts, or a real one in x.
template <int kType, bool kReal>
__device__ __forceinline__ float2 channelise_value(const unsigned char* line, long long t) {
  if constexpr (kReal) {
    if constexpr (kType == kChanneliseCi8)
      return {static_cast<float>(reinterpret_cast<const signed char*>(line)[t]), 0};
    else if constexpr (kType == kChanneliseCi16)
      return {static_cast<float>(reinterpret_cast<const short*>(line)[t]), 0};
    else
      return {reinterpret_cast<const float*>(line)[t], 0};
  } else if constexpr (kType == kChanneliseCi8) {
    const unsigned both = __ldg(reinterpret_cast<const unsigned short*>(line) + t);
    return {static_cast<float>(static_cast<signed char>(both & 0xffU)),
            static_cast<float>(static_cast<signed char>(both >> 8))};
  } else if constexpr (kType == kChanneliseCi16) {
    const unsigned both = __ldg(reinterpret_cast<const unsigned*>(line) + t);
    return {static_cast<float>(static_cast<short>(both & 0xffffU)),
            static_cast<float>(static_cast<short>(both >> 16))};
  } else {
    return __ldg(reinterpret_cast<const float2*>(line) + t);
  }
}

/// Value n of a transform holds a complex sample, or an even and an odd real one.
template <int kType, bool kReal>
__device__ __forceinline__ float2 channelise_pair(const unsigned char* line, long long t, int n) {
  if constexpr (kReal)
    return {channelise_value<kType, true>(line, t + 2 * n).x,
            channelise_value<kType, true>(line, t + 2 * n + 1).x};
  else
    return channelise_value<kType, false>(line, t + n);
}
template <bool kReal>
__device__ __forceinline__ float2 channelise_weights(const float* filter, int n) {
  if constexpr (kReal) return __ldg(reinterpret_cast<const float2*>(filter) + n);
  const float h = __ldg(filter + n);
  return {h, h};
}

/// The sums over taps, critically sampled: value n of some neighbouring spectra, the first of which
/// begins at sample t. Sums of every spectrum grow in the order of its taps.
template <int kType, bool kReal>
__device__ __forceinline__ void channelise_fold_some(const ChanneliseArgs& a,
                                                     const unsigned char* line, long long t,
                                                     int length, int n, int count, float2* sums) {
  constexpr int kMost = kChanneliseTogether;
  float2 h[kMost];
#pragma unroll
  for (int i = 0; i < kMost; ++i) sums[i] = h[i] = {0, 0};
  for (int j = 0; j < count + a.taps - 1; ++j) {
    const float2 x = channelise_pair<kType, kReal>(line, t + static_cast<long long>(j) * a.hop, n);
#pragma unroll
    for (int i = kMost - 1; i > 0; --i) h[i] = h[i - 1];
    if (j < a.taps) h[0] = channelise_weights<kReal>(a.filter, j * length + n);
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      // A coefficient of 0 would let NaN of other spectra in.
      if (i >= count || j < i || j - i >= a.taps) continue;
      sums[i].x = __fmaf_rn(h[i].x, x.x, sums[i].x);
      sums[i].y = __fmaf_rn(h[i].y, x.y, sums[i].y);
    }
  }
}

/// The same sums of kChanneliseTogether spectra with a known number of taps: all loads first.
template <int kType, bool kReal, int kTaps>
__device__ __forceinline__ void channelise_fold_all(const ChanneliseArgs& a,
                                                    const unsigned char* line, long long t,
                                                    int length, int n, float2* sums) {
  constexpr int kMost = kChanneliseTogether;
  float2 h[kTaps];
#pragma unroll
  for (int j = 0; j < kTaps; ++j) h[j] = channelise_weights<kReal>(a.filter, j * length + n);
#pragma unroll
  for (int i = 0; i < kMost; ++i) sums[i] = {0, 0};
#pragma unroll
  for (int j = 0; j < kMost + kTaps - 1; ++j) {
    const float2 x = channelise_pair<kType, kReal>(line, t + static_cast<long long>(j) * a.hop, n);
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (j < i || j - i >= kTaps) continue;
      sums[i].x = __fmaf_rn(h[j - i].x, x.x, sums[i].x);
      sums[i].y = __fmaf_rn(h[j - i].y, x.y, sums[i].y);
    }
  }
}

/// The same for one spectrum whose samples are turned: sample m D + j lies at (m D + j) mod N2.
template <int kType, bool kReal>
__device__ __forceinline__ float2 channelise_fold_turned(const ChanneliseArgs& a,
                                                         const unsigned char* line, long long t,
                                                         int length, int turn, int n) {
  float2 sum = {0, 0};
  if constexpr (kReal) {
    const int values = 2 * length;
    int even = 2 * n - turn, odd = 2 * n + 1 - turn;
    if (even < 0) even += values;
    if (odd < 0) odd += values;
    for (int tap = 0; tap < a.taps; ++tap, even += values, odd += values) {
      sum.x =
          __fmaf_rn(__ldg(a.filter + even), channelise_value<kType, true>(line, t + even).x, sum.x);
      sum.y =
          __fmaf_rn(__ldg(a.filter + odd), channelise_value<kType, true>(line, t + odd).x, sum.y);
    }
  } else {
    int at = n - turn;
    if (at < 0) at += length;
    for (int tap = 0; tap < a.taps; ++tap, at += length) {
      const float h = __ldg(a.filter + at);
      const float2 x = channelise_value<kType, false>(line, t + at);
      sum.x = __fmaf_rn(h, x.x, sum.x);
      sum.y = __fmaf_rn(h, x.y, sum.y);
    }
  }
  return sum;
}

/// Spectra `first` to `first + count` of the call, filtered into shared lines; lines without a
/// spectrum are zeros.
template <int kType, bool kReal, int kTaps>
__device__ __forceinline__ void channelise_fold(const ChanneliseArgs& a, LineShape s,
                                                const unsigned char* line, long long first,
                                                int count, SharedLines to) {
  const long long t = (a.first_spectrum + first) * a.hop - a.first_sample;
  const int values = kReal ? 2 * s.length : s.length;
  if (a.hop == values) {
    for (int n = static_cast<int>(threadIdx.x); n < s.length; n += kLineThreads)
      for (int i = 0; i < s.lines; i += kChanneliseTogether) {
        float2 sums[kChanneliseTogether];
        const int here = count - i < kChanneliseTogether ? count - i : kChanneliseTogether;
        const long long begin = t + static_cast<long long>(i) * a.hop;
        if (kTaps > 0 && here == kChanneliseTogether)
          channelise_fold_all<kType, kReal, kTaps == 0 ? 1 : kTaps>(a, line, begin, s.length, n,
                                                                    sums);
        else
          channelise_fold_some<kType, kReal>(a, line, begin, s.length, n, here, sums);
#pragma unroll
        for (int k = 0; k < kChanneliseTogether; ++k)
          if (i + k < s.lines) to(i + k, n, 0, sums[k]);
      }
    return;
  }
  for (int i = 0; i < s.lines; ++i) {
    const int turn = static_cast<int>((a.first_spectrum + first + i) % values * a.hop % values);
    for (int n = static_cast<int>(threadIdx.x); n < s.length; n += kLineThreads) {
      const float2 zero = {0, 0};
      to(i, n, 0,
         i < count ? channelise_fold_turned<kType, kReal>(
                         a, line, t + static_cast<long long>(i) * a.hop, s.length, turn, n)
                   : zero);
    }
  }
}

/// All passes, between two copies in shared memory; returns the one with the result.
template <LineShape kShape, int kPass, int kDone>
__device__ __forceinline__ float2* channelise_fixed_passes(const LineValue* turns, float2* from,
                                                           float2* to) {
  constexpr LinePasses passes = line_passes(kShape.length);
  __syncthreads();
  if constexpr (kPass == passes.count) {
    return from;
  } else {
    constexpr auto lines = static_cast<unsigned>(kShape.lines);
    line_pass<passes.radix[kPass], false>(kShape, kDone, turns, SharedLines{from, lines},
                                          SharedLines{to, lines});
    return channelise_fixed_passes<kShape, kPass + 1, kDone * passes.radix[kPass]>(turns, to, from);
  }
}
template <LineShape kShape>
__device__ __forceinline__ float2* channelise_passes(const ChanneliseArgs& a, LineShape s,
                                                     float2* from, float2* to) {
  if constexpr (kShape.length > 0) {
    return channelise_fixed_passes<kShape, 0, 1>(a.turns, from, to);
  } else {
    const auto lines = static_cast<unsigned>(s.lines);
    for (int pass = 0, done = 1; pass < a.passes.count; done *= a.passes.radix[pass++]) {
      __syncthreads();
      any_pass<false>(a.passes.radix[pass], s, static_cast<unsigned>(done), a.turns,
                      SharedLines{from, lines}, SharedLines{to, lines});
      float2* const next = to;
      to = from;
      from = next;
    }
    __syncthreads();
    return from;
  }
}

/// Channel c of a transformed spectrum.
template <bool kReal>
__device__ __forceinline__ float2 channelise_channel(const ChanneliseArgs& a, SharedLines from,
                                                     unsigned line, int c) {
  const int n = a.channels;
  if constexpr (kReal) {
    const float2 v = from(line, static_cast<unsigned>(c), 0),
                 w = from(line, static_cast<unsigned>(c == 0 ? 0 : n - c), 0);
    const float2 even = {0.5F * (v.x + w.x), 0.5F * (v.y - w.y)},
                 odd = {0.5F * (v.y + w.y), 0.5F * (w.x - v.x)};
    return plus(even, times(odd, __ldg(reinterpret_cast<const float2*>(a.half_turns) + c)));
  } else {
    const int k = c - n / 2;
    return from(line, static_cast<unsigned>(k < 0 ? k + n : k), 0);
  }
}

/// A value as it is stored: up to 8 bytes.
__device__ __forceinline__ unsigned long long channelise_bits(const ChanneliseArgs& a, float2 v,
                                                              float gain,
                                                              ChanneliseTallies& counts) {
  unsigned re, im;
  if (a.most == 0) {
    re = __builtin_bit_cast(unsigned, v.x);
    im = __builtin_bit_cast(unsigned, v.y);
    return static_cast<unsigned long long>(im) << 32 | re;
  }
  re = static_cast<unsigned>(channelise_quantise(v.x, gain, a.most, counts));
  im = static_cast<unsigned>(channelise_quantise(v.y, gain, a.most, counts));
  return a.bytes == 2 ? (re & 0xffU) | (im & 0xffU) << 8 : (re & 0xffffU) | im << 16;
}

/// Stores the parts of a value one by one: steps may be odd.
__device__ __forceinline__ void channelise_store(const ChanneliseArgs& a, unsigned char* at,
                                                 unsigned long long bits) {
  const int part = a.bytes / 2;
  for (int k = 0; k < part; ++k) {
    at[k] = static_cast<unsigned char>(bits >> 8 * k);
    at[a.to.imaginary + k] = static_cast<unsigned char>(bits >> 8 * (part + k));
  }
}

/// A thread stores neighbouring spectra of a channel, 8 bytes of them.
template <bool kReal>
__device__ __forceinline__ void channelise_output(const ChanneliseArgs& a, LineShape s, int coarse,
                                                  int input, long long first, int count,
                                                  SharedLines from) {
  const int most = 8 / a.bytes, each = most < s.lines ? most : s.lines, chunks = s.lines / each;
  ChanneliseTallies counts = {0, 0};
  for (int e = static_cast<int>(threadIdx.x); e < a.channels * chunks; e += kLineThreads) {
    const int c = e / chunks, line = e % chunks * each;
    const int output = coarse * a.channels + c;
    const float gain =
        __ldg(a.gains + static_cast<long long>(output) * a.gain_channel + input * a.gain_input);
    unsigned char* const out = a.out + a.to.input(output, input);
    unsigned long long bits = 0;
    const int here = count - line < each ? count - line : each;
    for (int k = 0; k < here; ++k) {
      const long long spectrum = first + line + k;
      const bool whole = !a.whole || a.whole[spectrum * a.inputs + input];
      const float2 zero = {0, 0};
      const float2 v =
          whole ? channelise_channel<kReal>(a, from, static_cast<unsigned>(line + k), c) : zero;
      const unsigned long long one = channelise_bits(a, v, gain, counts);
      if (a.wide)
        bits |= one << 8 * a.bytes * k;
      else
        channelise_store(a, out + a.to.at(spectrum), one);
    }
    if (!a.wide || here <= 0) continue;
    unsigned char* const at = out + a.to.at(first + line);
    const int bytes = here * a.bytes;
    if (bytes == 8) {
      *reinterpret_cast<unsigned long long*>(at) = bits;
    } else if (bytes == 4) {
      *reinterpret_cast<unsigned*>(at) = static_cast<unsigned>(bits);
    } else if (bytes == 2) {
      *reinterpret_cast<unsigned short*>(at) = static_cast<unsigned short>(bits);
    } else {  // three of four spectra
      for (int k = 0; k < here; ++k) channelise_store(a, at + k * a.bytes, bits >> 8 * a.bytes * k);
    }
  }
  if (counts.saturated) atomicAdd(a.counts, static_cast<unsigned long long>(counts.saturated));
  if (counts.not_a_number)
    atomicAdd(a.counts + 1, static_cast<unsigned long long>(counts.not_a_number));
}

/// Group of spectra x, line y. kTaps 0: any number.
template <int kType, bool kReal, LineShape kShape, int kTaps>
__device__ void channelise_spectra(const ChanneliseArgs& a) {
  const LineShape s = kShape.length > 0 ? kShape : a.shape;
  const int line = a.first_line + static_cast<int>(blockIdx.y);
  const int coarse = line / a.inputs, input = line % a.inputs;
  const long long first = static_cast<long long>(blockIdx.x) * s.lines;
  const int count = a.spectra - first < s.lines ? static_cast<int>(a.spectra - first) : s.lines;
  auto* const memory = reinterpret_cast<float2*>(channelise_memory);
  float2* const other = memory + s.length * s.lines;
  const auto lines = static_cast<unsigned>(s.lines);
  channelise_fold<kType, kReal, kTaps>(a, s, a.data + a.from.input(coarse, input), first, count,
                                       SharedLines{memory, lines});
  float2* const done = channelise_passes<kShape>(a, s, memory, other);
  channelise_output<kReal>(a, s, coarse, input, first, count, SharedLines{done, lines});
}

}  // namespace tessera
