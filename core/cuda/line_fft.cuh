// SPDX-License-Identifier: Apache-2.0
// Transforms of lines (rows or columns of an image) by a block, in shared memory.
//
// Stockham passes: each takes values a share of the line apart, and leaves them in order, so that
// nothing is ever turned round. The first pass reads through `load(line, n)`, the last writes
// through `store(line, n, value)`: straight from and to device memory, zeros that pad a line are
// never fetched. Threads are neighbouring lines first, then neighbouring values. The same thread
// stores the same (line, n) in every transform of a shape.
#pragma once

#include "core/cuda/dft.cuh"
#include "core/cuda/line_fft_args.cuh"

namespace tessera {

/// Lines lie side by side, and change places so that both 16 neighbours of one value and of one
/// line lie in different banks.
__device__ inline int line_index(int line, int n, int lines) {
  return n * lines + (line ^ ((n * lines / 16) & (lines - 1)));
}

/// `done`: the product of the radices of the passes before. `turns`: exp(-2 pi i k / length).
template <int kRadix, bool kInverse, class Load, class Store>
__device__ __forceinline__ void line_pass(LineShape s, int done, const LineValue* turns, Load load,
                                          Store store) {
  const int share = s.length / kRadix, step = share / done;
  for (int i = static_cast<int>(threadIdx.x); i < share * s.lines; i += kLineThreads) {
    const int line = i % s.lines, j = i / s.lines, k = j % done;
    float2 v[kRadix];
#pragma unroll
    for (int q = 0; q < kRadix; ++q) v[q] = load(line, j + q * share);
    if (done > 1) {
#pragma unroll
      for (int q = 1; q < kRadix; ++q) {
        const float2 w = __ldg(reinterpret_cast<const float2*>(turns) + q * k * step);
        v[q] = kInverse ? times_conjugate(v[q], w) : times(v[q], w);
      }
    }
    dft<kRadix, kInverse>(v);
#pragma unroll
    for (int q = 0; q < kRadix; ++q) store(line, (j - k) * kRadix + k + q * done, v[q]);
  }
}

/// The passes from kPass on, known when compiling.
template <LineShape kShape, bool kInverse, int kPass, int kDone, class Load, class Store>
__device__ __forceinline__ void fixed_passes(const LineValue* turns, float2* here, float2* there,
                                             Load load, Store store) {
  constexpr LinePasses passes = line_passes(kShape.length);
  constexpr int radix = passes.radix[kPass];
  if constexpr (kPass + 1 == passes.count) {
    line_pass<radix, kInverse>(kShape, kDone, turns, load, store);
  } else {
    line_pass<radix, kInverse>(kShape, kDone, turns, load, [&](int line, int n, float2 value) {
      here[line_index(line, n, kShape.lines)] = value;
    });
    __syncthreads();
    fixed_passes<kShape, kInverse, kPass + 1, kDone * radix>(
        turns, there, here,
        [&](int line, int n) { return here[line_index(line, n, kShape.lines)]; }, store);
  }
}

template <bool kInverse, class Load, class Store>
__device__ inline void any_pass(int radix, LineShape s, int done, const LineValue* turns, Load load,
                                Store store) {
  switch (radix) {
    case 2:
      return line_pass<2, kInverse>(s, done, turns, load, store);
    case 3:
      return line_pass<3, kInverse>(s, done, turns, load, store);
    case 4:
      return line_pass<4, kInverse>(s, done, turns, load, store);
    case 5:
      return line_pass<5, kInverse>(s, done, turns, load, store);
    case 6:
      return line_pass<6, kInverse>(s, done, turns, load, store);
    case 8:
      return line_pass<8, kInverse>(s, done, turns, load, store);
    case 9:
      return line_pass<9, kInverse>(s, done, turns, load, store);
    case 10:
      return line_pass<10, kInverse>(s, done, turns, load, store);
    case 12:
      return line_pass<12, kInverse>(s, done, turns, load, store);
    default:
      return line_pass<16, kInverse>(s, done, turns, load, store);
  }
}

/// Any length: the same passes between copies in and out of shared memory.
template <bool kInverse, class Load, class Store>
__device__ inline void any_passes(LineShape s, const LinePasses& passes, const LineValue* turns,
                                  float2* here, float2* there, Load load, Store store) {
  const int first = static_cast<int>(threadIdx.x), values = s.length * s.lines;
  for (int i = first; i < values; i += kLineThreads)
    here[line_index(i % s.lines, i / s.lines, s.lines)] = load(i % s.lines, i / s.lines);
  for (int pass = 0, done = 1; pass < passes.count; done *= passes.radix[pass++]) {
    __syncthreads();
    any_pass<kInverse>(
        passes.radix[pass], s, done, turns,
        [&](int line, int n) { return here[line_index(line, n, s.lines)]; },
        [&](int line, int n, float2 value) { there[line_index(line, n, s.lines)] = value; });
    float2* const next = there;
    there = here;
    here = next;
  }
  __syncthreads();
  for (int i = first; i < values; i += kLineThreads)
    store(i % s.lines, i / s.lines, here[line_index(i % s.lines, i / s.lines, s.lines)]);
}

/// Transforms s.lines lines, without a factor; s and `passes` matter where kShape is any. `memory`
/// holds line_fft_bytes. All threads of the block call it, and what `load` reads is there before.
template <LineShape kShape, bool kInverse, class Load, class Store>
__device__ __forceinline__ void fft_lines(LineShape s, const LinePasses& passes,
                                          const LineValue* turns, float2* memory, Load load,
                                          Store store) {
  __syncthreads();  // another transform may still read this memory
  float2* const other = memory + s.length * s.lines;
  if constexpr (kShape.length > 0)
    fixed_passes<kShape, kInverse, 0, 1>(turns, memory, other, load, store);
  else
    any_passes<kInverse>(s, passes, turns, memory, other, load, store);
}

}  // namespace tessera
