// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 by 64 inputs in plain arithmetic: floats in FMA, 16-bit integers exactly.
//
// A thread has 4 x 4 pairs of inputs in registers. Slices of 16 samples of both sides go through
// shared memory, the next being read while one is multiplied; a sample read from there feeds 16
// products. What layout, type and mask samples have is seen only as they are read.
#pragma once

#include "ops/xengine/xengine_fma_args.cuh"
#include "ops/xengine/xengine_order.cuh"

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

/// A half-precision number, exactly: its bits as those of a float are 2^-112 of it.
TESSERA_BOTH inline float half_value(unsigned short half) {
  const unsigned sign = (half & 0x8000U) << 16, rest = (half & 0x7fffU) << 13;
  if (rest >= 0x7c00U << 13)  // infinite, or no number
    return __builtin_bit_cast(float, sign | 0x70000000U | rest);
  return __builtin_bit_cast(float, sign | rest) * 0x1p112F;
}

// Kinds of samples: how one is read, and how products are summed. `Sums` are a pair's own until
// `flush` after each run.

struct XEngineOfFloat {
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
    return {*reinterpret_cast<const float*>(at), *reinterpret_cast<const float*>(at + s.imaginary)};
  }
};

struct XEngineOfCf16 : XEngineOfFloat {
  static __device__ XEnginePair<float> read(const XEngineSamples& s, const unsigned char* at) {
    return {half_value(*reinterpret_cast<const unsigned short*>(at)),
            half_value(*reinterpret_cast<const unsigned short*>(at + s.imaginary))};
  }
};

struct XEngineOfCi16 {
  using Part = int;
  using Out = long long;
  long long all_re = 0, all_im = 0;

  static __device__ XEnginePair<int> read(const XEngineSamples& s, const unsigned char* at) {
    const int flip = s.offset_binary ? 0x8000 : 0;
    const auto part = [&](const unsigned char* from) {
      return int{static_cast<short>(*reinterpret_cast<const unsigned short*>(from) ^ flip)};
    };
    return {part(at), part(at + s.imaginary)};
  }
  __device__ void multiply(XEnginePair<int> a, XEnginePair<int> b) {
    all_re += static_cast<long long>(a.re) * b.re;
    all_re += static_cast<long long>(a.im) * b.im;
    all_im += static_cast<long long>(a.im) * b.re;
    all_im -= static_cast<long long>(a.re) * b.im;
  }
  __device__ void flush() {}
};

/// A thread's four of the 64 inputs of a tile, in two twos: threads side by side then read shared
/// memory without conflicts.
TESSERA_BOTH constexpr int xengine_fma_input(int thread, int k) {
  return 2 * (thread + k / 2 * 16) + k % 2;
}

extern __shared__ XEngineTwo<float> xengine_fma_memory[];

/// What a thread brings of a slice of 128 inputs, 64 of either side: half the times of one input.
template <class Kind>
struct XEngineSlice {
  static constexpr int kInputs = 2 * kXEngineFmaTile;
  static constexpr int kReads = kXEngineFmaSlice * kInputs / kXEngineFmaThreads;
  using Shared = XEngineTwo<typename Kind::Part>[kXEngineFmaSlice][kInputs / 2];
  static_assert(2 * sizeof(Shared) == kXEngineFmaShared);

  bool there;
  long long t;
  XEngineWalk walk;
  XEngineMaskWalk mask;
  XEnginePair<typename Kind::Part> pair[kReads];

  __device__ XEngineSlice(const XEngineSamples& s, int c, int input, bool is_there)
      : there(is_there),
        t(threadIdx.x / kInputs * kReads),
        walk(s, c, is_there ? input : 0, t),
        mask(s, is_there ? input : 0, t) {}

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

/// A pair's sums to where they belong; pairs above the diagonal of antennas are not kept.
template <class Kind>
__device__ void xengine_fma_keep(const XEngineFmaArgs& a, int i, int j, const Kind& kind) {
  const XEngineSamples& s = a.samples;
  if (i >= s.inputs || j >= s.inputs || i / s.polarisations < j / s.polarisations) return;
  using Out = typename Kind::Out;
  Out* to = static_cast<Out*>(a.sums) + 2 * ((a.first_channel + blockIdx.y) * a.place +
                                             triangular_place(i, j, s.polarisations));
  to[0] = kind.all_re + (a.add ? to[0] : Out(0));
  to[1] = kind.all_im + (a.add ? to[1] : Out(0));
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
  Slice slice(s, a.first_channel + static_cast<int>(blockIdx.y), input,
              place < a.tile && input < s.inputs);
  slice.read_next(s);
  int half = 0;
  for (long long t = kXEngineFmaSlice; t < s.samples + kXEngineFmaSlice; t += kXEngineFmaSlice) {
    slice.store(shared[half]);
    __syncthreads();  // and all are done with the other half
    if (t < s.samples) slice.read_next(s);
#pragma unroll 4
    for (int k = 0; k < kXEngineFmaSlice; ++k) xengine_fma_step(shared[half][k], x, y, sum);
    half ^= 1;
    if (t % kXEngineFmaRun != 0 && t < s.samples) continue;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum[k / 4][k % 4].flush();
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int i = xengine_fma_input(y, k / 4), j = xengine_fma_input(x, k % 4);
    if (i < a.tile && j < a.tile)
      xengine_fma_keep(a, row * a.tile + i, column * a.tile + j, sum[k / 4][k % 4]);
  }
}

}  // namespace tessera
