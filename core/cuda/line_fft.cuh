// SPDX-License-Identifier: Apache-2.0
// Transforms of lines (rows or columns of an image) by a block, in shared memory.
//
// Stockham passes: each takes values a fraction of the line apart, and leaves them in order, so
// that nothing has to be reordered. The first pass reads value n = first + offset of a line through
// `load(line, first, offset)`, the last writes it through `store(line, first, offset, value)`:
// directly from and to device memory; zeros that pad a line are never fetched. Threads are
// neighbouring lines first, then neighbouring values. The same thread stores the same (line, n) in
// every transform of a shape.
#pragma once

#include "core/cuda/dft.cuh"
#include "core/cuda/line_fft_args.cuh"

namespace tessera {

/// Lines in shared memory. They lie side by side, permuted so that both 16 neighbours of one value
/// and 16 of one line lie in different banks. Value n = first + offset; an `offset` known at
/// compile time then costs nothing.
struct SharedLines {
  float2* values;
  unsigned lines;

  __device__ __forceinline__ float2& at(unsigned line, unsigned first, unsigned offset) const {
    const unsigned turn = offset * lines % 16 == 0 ? first * lines / 16 + offset * lines / 16
                                                   : (first + offset) * lines / 16;
    return values[first * lines + (line ^ (turn & (lines - 1))) + offset * lines];
  }
  __device__ __forceinline__ float2 operator()(unsigned line, unsigned first,
                                               unsigned offset) const {
    return at(line, first, offset);
  }
  __device__ __forceinline__ void operator()(unsigned line, unsigned first, unsigned offset,
                                             float2 value) const {
    at(line, first, offset) = value;
  }
};

/// `done`: the product of the radices of earlier passes. `turns`: exp(-2 pi i k / length).
template <int kRadix, bool kInverse, class Load, class Store>
__device__ __forceinline__ void line_pass(LineShape s, unsigned done, const LineValue* turns,
                                          Load load, Store store) {
  const unsigned lines = static_cast<unsigned>(s.lines);
  const unsigned share = static_cast<unsigned>(s.length) / kRadix, step = share / done;
  for (unsigned i = threadIdx.x; i < share * lines; i += kLineThreads) {
    const unsigned line = i % lines, j = i / lines, k = j % done;
    float2 v[kRadix];
#pragma unroll
    for (unsigned q = 0; q < kRadix; ++q) v[q] = load(line, j, q * share);
    if (done > 1) {
#pragma unroll
      for (unsigned q = 1; q < kRadix; ++q) {
        const float2 w = __ldg(reinterpret_cast<const float2*>(turns) + q * (k * step));
        v[q] = kInverse ? times_conjugate(v[q], w) : times(v[q], w);
      }
    }
    dft<kRadix, kInverse>(v);
#pragma unroll
    for (unsigned q = 0; q < kRadix; ++q) store(line, (j - k) * kRadix + k, q * done, v[q]);
  }
}

/// The passes from kPass on, known at compile time.
template <LineShape kShape, bool kInverse, int kPass, int kDone, class Load, class Store>
__device__ __forceinline__ void fixed_passes(const LineValue* turns, float2* here, float2* there,
                                             Load load, Store store) {
  constexpr LinePasses passes = line_passes(kShape.length);
  constexpr int radix = passes.radix[kPass];
  if constexpr (kPass + 1 == passes.count) {
    line_pass<radix, kInverse>(kShape, kDone, turns, load, store);
  } else {
    const SharedLines to{here, static_cast<unsigned>(kShape.lines)};
    line_pass<radix, kInverse>(kShape, kDone, turns, load, to);
    __syncthreads();
    fixed_passes<kShape, kInverse, kPass + 1, kDone * radix>(turns, there, here, to, store);
  }
}

template <bool kInverse, class Load, class Store>
__device__ inline void any_pass(int radix, LineShape s, unsigned done, const LineValue* turns,
                                Load load, Store store) {
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
  const auto lines = static_cast<unsigned>(s.lines), values = lines * s.length;
  SharedLines from{here, lines}, to{there, lines};
  for (unsigned i = threadIdx.x; i < values; i += kLineThreads)
    from(i % lines, i / lines, 0, load(i % lines, i / lines, 0));
  for (unsigned pass = 0, done = 1; pass < passes.count; done *= passes.radix[pass++]) {
    __syncthreads();
    any_pass<kInverse>(passes.radix[pass], s, done, turns, from, to);
    float2* const next = to.values;
    to.values = from.values;
    from.values = next;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < values; i += kLineThreads)
    store(i % lines, i / lines, 0, from(i % lines, i / lines, 0));
}

/// Transforms s.lines lines, without a factor; s and `passes` matter only for kShape any. `memory`
/// holds line_fft_bytes. All threads of the block call it, after the data that `load` reads exist.
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
