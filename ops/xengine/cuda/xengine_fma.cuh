// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 by 64 inputs in plain arithmetic: floats in FMA, 16-bit integers exactly.
//
// A thread has 4 x 4 pairs of inputs in registers. Slices of 16 samples of both sides go through
// shared memory; the next slice is read while one is multiplied, and a sample read from there feeds
// 16 products. Layout, type and mask of the samples matter only where they are read.
#pragma once

#include "ops/xengine/cuda/xengine_fma_args.cuh"
#include "ops/xengine/cuda/xengine_order.cuh"

namespace tessera {

template <class Part>
struct alignas(8) XEnginePair {
  Part re, im;
};
/// Samples of two neighbouring inputs, loaded as one.
template <class Part>
struct alignas(16) XEngineTwo {
  XEnginePair<Part> pair[2];
};

/// A half-precision number, exactly: its bits, read as those of a float, are 2^-112 times its
/// value.
TESSERA_BOTH inline float half_value(unsigned short half) {
  const unsigned sign = (half & 0x8000U) << 16, rest = (half & 0x7fffU) << 13;
  if (rest >= 0x7c00U << 13)  // infinite or NaN
    return __builtin_bit_cast(float, sign | 0x70000000U | rest);
  return __builtin_bit_cast(float, sign | rest) * 0x1p112F;
}

/// A part of a sample.
template <class T>
TESSERA_BOTH inline T xengine_load(const XEngineSamples& s, const unsigned char* at) {
  if (s.aligned) return *reinterpret_cast<const T*>(at);
  T value;
  for (int k = 0; k < static_cast<int>(sizeof(T)); ++k)
    reinterpret_cast<unsigned char*>(&value)[k] = at[k];
  return value;
}

// Kinds of samples: how one is read, and how products are summed. `flush` adds a run of float sums
// to the double ones.

struct XEngineOfFloat {
  static constexpr bool kRuns = true;
  using Part = float;
  using Out = double;
  float re = 0, im = 0;
  double all_re = 0, all_im = 0;

  __device__ void multiply(XEnginePair<float> a, XEnginePair<float> b) {
    re = __fmaf_rn(a.im, b.im, __fmaf_rn(a.re, b.re, re));
    im = __fmaf_rn(-a.re, b.im, __fmaf_rn(a.im, b.re, im));
  }
  __device__ void flush() {
    all_re += re;
    all_im += im;
    re = im = 0;
  }
};

struct XEngineOfCf32 : XEngineOfFloat {
  static __device__ XEnginePair<float> read(const XEngineSamples& s, const unsigned char* at) {
    return {xengine_load<float>(s, at), xengine_load<float>(s, at + s.imaginary)};
  }
};

struct XEngineOfCf16 : XEngineOfFloat {
  static __device__ XEnginePair<float> read(const XEngineSamples& s, const unsigned char* at) {
    return {half_value(xengine_load<unsigned short>(s, at)),
            half_value(xengine_load<unsigned short>(s, at + s.imaginary))};
  }
};

struct XEngineOfCi16 {
  static constexpr bool kRuns = false;
  using Part = int;
  using Out = long long;
  long long all_re = 0, all_im = 0;

  static __device__ int part(const XEngineSamples& s, const unsigned char* at) {
    return static_cast<short>(xengine_load<unsigned short>(s, at) ^ (s.offset_binary ? 0x8000 : 0));
  }
  static __device__ XEnginePair<int> read(const XEngineSamples& s, const unsigned char* at) {
    return {part(s, at), part(s, at + s.imaginary)};
  }
  __device__ void multiply(XEnginePair<int> a, XEnginePair<int> b) {
    all_re += static_cast<long long>(a.re) * b.re;
    all_re += static_cast<long long>(a.im) * b.im;
    all_im += static_cast<long long>(a.im) * b.re;
    all_im -= static_cast<long long>(a.re) * b.im;
  }
  __device__ void flush() {}
};

/// A thread's four of the 64 inputs of a tile, as two pairs, so that neighbouring threads read
/// shared memory without bank conflicts.
TESSERA_BOTH constexpr int xengine_fma_input(int thread, int k) {
  return 2 * (thread + k / 2 * 16) + k % 2;
}

extern __shared__ XEngineTwo<float> xengine_fma_memory[];

/// A thread's part of a slice of 128 inputs, 64 of either side: half the times of one input.
template <class Kind>
struct XEngineSlice {
  static constexpr int kInputs = 2 * kXEngineFmaTile;
  static constexpr int kReads = kXEngineFmaSlice * kInputs / kXEngineFmaThreads;
  using Shared = XEngineTwo<typename Kind::Part>[kXEngineFmaSlice][kInputs / 2];
  static_assert(2 * sizeof(Shared) == kXEngineFmaShared);

  bool there;
  long long t;  ///< of its next sample; slices are counted from the beginning of the first run
  XEngineWalk walk;
  XEngineMaskWalk mask;
  XEnginePair<typename Kind::Part> pair[kReads];

  __device__ XEngineSlice(const XEngineSamples& s, int c, int input, bool is_there, int before)
      : there(is_there),
        t(static_cast<int>(threadIdx.x) / kInputs * kReads - before),
        walk(s, c, is_there ? input : 0, t < 0 ? 0 : t),
        mask(s, is_there ? input : 0, t < 0 ? 0 : t) {}

  /// The first slice, if samples of it came in an earlier block.
  __device__ void read_rest(const XEngineSamples& s) {
    for (int k = 0; k < kReads; ++k, ++t) {
      pair[k] = {};
      if (t < 0) continue;
      if (there && t < s.samples && mask.is_valid()) pair[k] = Kind::read(s, walk.at);
      walk.next(s);
      mask.skip(s, 1);
    }
    constexpr int kOthers = kXEngineFmaSlice - kReads;
    t += kOthers;
    const int steps = t < kOthers ? static_cast<int>(t) : kOthers;
    walk.skip(s, steps);
    mask.skip(s, steps);
  }

  __device__ void read_next(const XEngineSamples& s) {
#pragma unroll
    for (int k = 0; k < kReads; ++k, walk.next(s), mask.skip(s, 1)) {
      pair[k] = {};
      if (there && t + k < s.samples && mask.is_valid()) pair[k] = Kind::read(s, walk.at);
    }
    t += kXEngineFmaSlice;
    walk.skip(s, kXEngineFmaSlice - kReads);
    mask.skip(s, kXEngineFmaSlice - kReads);
  }
  __device__ void store(Shared& to) const {
    const int input = threadIdx.x % kInputs;
#pragma unroll
    for (int k = 0; k < kReads; ++k)
      to[threadIdx.x / kInputs * kReads + k][input / 2].pair[input % 2] = pair[k];
  }
};

/// Where the sums of V_ij lie.
__device__ inline long long xengine_fma_place(const XEngineFmaArgs& a, int i, int j) {
  const long long channel = a.first_channel + static_cast<int>(blockIdx.y);
  return 2 * (channel * a.values + triangular_place(i, j, a.samples.polarisations));
}

/// Continues with the sums of earlier blocks, so that blocks change no bit of floats.
template <class Kind>
__device__ void xengine_fma_begin(const XEngineFmaArgs& a, int i, int j, Kind& sum) {
  if (i >= a.samples.inputs || j > i) return;
  const long long place = xengine_fma_place(a, i, j);
  if (a.add) {
    const auto* from = static_cast<const typename Kind::Out*>(a.sums) + place;
    sum.all_re = from[0];
    sum.all_im = from[1];
  }
  if constexpr (Kind::kRuns)
    if (a.continued) {
      sum.re = a.run[place];
      sum.im = a.run[place + 1];
    }
}

/// Values above the diagonal are set to the conjugates of those below, and the diagonal to real
/// values, to the last bit: rounding would make them differ.
template <class Out>
__device__ void xengine_fma_write(const XEngineFmaArgs& a, Out* sums, int i, int j, Out re,
                                  Out im) {
  Out* to = sums + xengine_fma_place(a, i, j);
  to[0] = re;
  to[1] = i == j ? Out(0) : im;
  if (i == j || i / a.samples.polarisations != j / a.samples.polarisations) return;
  Out* mirror = sums + xengine_fma_place(a, j, i);
  mirror[0] = re;
  mirror[1] = -im;
}

template <class Kind>
__device__ void xengine_fma_keep(const XEngineFmaArgs& a, int i, int j, const Kind& sum) {
  if (i >= a.samples.inputs || j > i) return;
  xengine_fma_write(a, static_cast<typename Kind::Out*>(a.sums), i, j, sum.all_re, sum.all_im);
  if constexpr (Kind::kRuns)
    if ((a.phase + a.samples.samples) % kXEngineFmaRun != 0)
      xengine_fma_write(a, a.run, i, j, sum.re, sum.im);
}

/// Calls use(i, j, sum) for the 16 pairs of a thread.
template <class Kind, class Use>
__device__ void xengine_fma_pairs(const XEngineFmaArgs& a, int row, int column, Kind (&sum)[4][4],
                                  Use use) {
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int i = xengine_fma_input(threadIdx.x / 16, k / 4),
              j = xengine_fma_input(threadIdx.x % 16, k % 4);
    if (i < a.tile && j < a.tile) use(row * a.tile + i, column * a.tile + j, sum[k / 4][k % 4]);
  }
}

/// One sample of all inputs of both sides: 4 x 4 products.
template <class Kind, class Two>
__device__ inline void xengine_fma_step(const Two* samples, int x, int y, Kind (&sum)[4][4]) {
  const Two a[2] = {samples[y], samples[y + 16]}, b[2] = {samples[x + 32], samples[x + 48]};
#pragma unroll
  for (int k = 0; k < 16; ++k)
    sum[k / 4][k % 4].multiply(a[k / 8].pair[k / 4 % 2], b[k % 4 / 2].pair[k % 2]);
}

template <class Kind>
__device__ void xengine_fma_tiles(const XEngineFmaArgs& a) {
  using Slice = XEngineSlice<Kind>;
  auto* shared = reinterpret_cast<typename Slice::Shared*>(xengine_fma_memory);  // two of them
  const XEngineSamples& s = a.samples;
  const int row = antenna_of_baseline(blockIdx.x);
  const int column = static_cast<int>(blockIdx.x - baseline_of(row, 0));
  const int place = threadIdx.x % kXEngineFmaTile;
  const int input = (threadIdx.x / kXEngineFmaTile % 2 ? column : row) * a.tile + place;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  Kind sum[4][4];
  xengine_fma_pairs(a, row, column, sum,
                    [&](int i, int j, Kind& one) { xengine_fma_begin(a, i, j, one); });
  const int before = a.phase % kXEngineFmaSlice;
  Slice slice(s, a.first_channel + static_cast<int>(blockIdx.y), input,
              place < a.tile && input < s.inputs, before);
  if (before > 0)
    slice.read_rest(s);
  else
    slice.read_next(s);
  const long long end = s.samples + before;
  int half = 0;
  for (long long t = kXEngineFmaSlice; t < end + kXEngineFmaSlice; t += kXEngineFmaSlice) {
    slice.store(shared[half]);
    __syncthreads();  // and all have finished with the other half
    if (t < end) slice.read_next(s);
#pragma unroll 4
    for (int k = 0; k < kXEngineFmaSlice; ++k) xengine_fma_step(shared[half][k], x, y, sum);
    half ^= 1;
    if ((a.phase - before + t) % kXEngineFmaRun != 0 || t > end) continue;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum[k / 4][k % 4].flush();
  }
  xengine_fma_pairs(a, row, column, sum,
                    [&](int i, int j, const Kind& one) { xengine_fma_keep(a, i, j, one); });
}

}  // namespace tessera
