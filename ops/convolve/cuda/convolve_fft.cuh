// SPDX-License-Identifier: Apache-2.0
// Overlap-save FFT tiles, from pixels to results in one kernel: device memory is read once and
// written once.
//
// A block of 512 threads takes two tiles of 128 x 128 pixels side by side as the real and imaginary
// parts of one (the filter is real, so they stay apart). Each thread holds 32 values: it transforms
// 32 values of a column in registers. After an exchange through shared memory it finishes 8 columns
// (radix 4) and begins 4 rows (radix 8); after another it finishes rows (radix 16), multiplies by
// the filter's spectrum and goes back the same way. Exchanges have no bank conflicts: groups of 16
// values lie 17 apart. A thread always writes where it has read, so four barriers are enough.
#pragma once

#include "core/cuda/dft.cuh"
#include "ops/convolve/cuda/convolve_fft_args.cuh"
#include "ops/convolve/cuda/convolve_pixels.cuh"

namespace tessera {

struct FftTurns {
  float2 v[kFftTile];
};
TESSERA_BOTH constexpr FftTurns make_fft_turns() {
  FftTurns turns{};
  for (int k = 0; k < kFftTile; ++k) {
    turns.v[k].x = static_cast<float>(turn(k, kFftTile).cosine);
    turns.v[k].y = -static_cast<float>(turn(k, kFftTile).sine);
  }
  return turns;
}
static __constant__ FftTurns fft_turns = make_fft_turns();

/// A pair of tiles: its first output, and the plane and channel.
struct FftPlace {
  int x, y, plane, channel;
};

__device__ inline FftPlace fft_place(const FftArgs& a, int job) {
  const int pair = job % (a.pairs_across * a.tiles_down);
  const int rest = job / (a.pairs_across * a.tiles_down);
  // Downwards first, so that tiles at the left and right edges, which take longer, go to different
  // blocks.
  return {pair / a.tiles_down * 2 * a.valid_width,
          (a.first_tile_row + pair % a.tiles_down) * a.valid_height, rest / a.channels,
          rest % a.channels};
}

/// Rows and columns beyond the reach of the outputs are zero, so that strips change nothing.
inline constexpr int kZeroPixel = -2;

/// Source of each row of a tile that is not entirely inside the image: a row of the piece, kNoPixel
/// or kZeroPixel.
__device__ inline void find_tile_rows(const FftArgs& a, const FftPlace& p, int* rows) {
  const int thread = static_cast<int>(threadIdx.x);
  const int out_height = a.border == Border::valid ? a.height - a.filter_height + 1 : a.height;
  const int y = p.y - a.anchor_y + thread;
  if (thread < kFftTile)
    rows[thread] = y < out_height - a.anchor_y + a.filter_height - 1 ? held_row(a, y) : kZeroPixel;
  __syncthreads();
}

template <class In>
__device__ inline float edge_pixel(const FftArgs& a, const In* plane, int row, int column) {
  if (row == kZeroPixel || column == kZeroPixel) return 0;
  if (row == kNoPixel || column == kNoPixel) return a.outside;
  return static_cast<float>(plane[row * a.in_row + column * a.in_pixel]);
}

__device__ inline int edge_column(const FftArgs& a, int x) {
  const bool reached = x < a.out_width - a.anchor_x + a.filter_width - 1;
  return reached ? border_index(x, a.width, a.border) : kZeroPixel;
}

/// Column `x` of both tiles, rows `first`, first + 4 … Returns whether all are finite.
template <class In>
__device__ inline bool load_columns(const FftArgs& a, const FftPlace& p, int x, int first,
                                    int* tile_rows, float2 (&v)[32]) {
  const int left = p.x - a.anchor_x, top = p.y - a.anchor_y;
  const In* plane = static_cast<const In*>(a.in) + p.plane * a.in_plane + p.channel;
  if (left >= 0 && left + a.valid_width + kFftTile <= a.width && a.held.contains(top) &&
      a.held.contains(top + kFftTile - 1)) {
    const In* from = plane + (top + first - a.held.first) * a.in_row + (left + x) * a.in_pixel;
    const long long step = 4 * a.in_row, next = a.valid_width * a.in_pixel;
#pragma unroll
    for (int k = 0; k < 32; ++k, from += step)
      v[k] = {static_cast<float>(from[0]), static_cast<float>(from[next])};
  } else {
    find_tile_rows(a, p, tile_rows);
    const int column = edge_column(a, left + x), next = edge_column(a, left + x + a.valid_width);
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      const int row = tile_rows[first + 4 * k];
      v[k] = {edge_pixel(a, plane, row, column), edge_pixel(a, plane, row, next)};
    }
  }
  bool finite = true;
  if constexpr (sizeof(In) == 4)
#pragma unroll
    for (int k = 0; k < 32; ++k) finite = finite && isfinite(v[k].x) && isfinite(v[k].y);
  return finite;
}

/// `cell`: this thread's own values in shared memory, 32 * 17 apart; they may be overwritten.
template <class Out>
__device__ inline void store_columns(const FftArgs& a, const FftPlace& p, int x, int first,
                                     float2* cell, const float2 (&v)[32]) {
  if (x >= a.valid_width) return;
  if (!a.prefix) {  // for cut tiles too: if they took longer, their blocks would be late
    Out* to = static_cast<Out*>(a.out) + p.plane * a.out_plane +
              (p.y + first - a.made.first) * a.out_row + (p.x + x) * a.out_pixel + p.channel;
    const long long step = 4 * a.out_row, next = a.valid_width * a.out_pixel;
    const int begin = a.made.first - p.y, end = min(a.valid_height, a.made.end - p.y);
    const bool here = p.x + x < a.out_width, there = p.x + a.valid_width + x < a.out_width;
#pragma unroll
    for (int k = 0; k < 32; ++k, to += step)
      if (first + 4 * k >= begin && first + 4 * k < end) {
        if (here) to[0] = converted<Out>(a.scale * v[k].x);
        if (there) to[next] = converted<Out>(a.scale * v[k].y);
      }
    return;
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) cell[k * 32 * 17] = v[k];
#pragma unroll 1
  for (int k = 0; first + 4 * k < a.valid_height; ++k) {
    const int y = p.y + first + 4 * k;
    if (y < a.made.first) continue;
    store_pixel<Out>(a, p.plane, p.channel, p.x + x, y, cell[k * 32 * 17].x);
    store_pixel<Out>(a, p.plane, p.channel, p.x + a.valid_width + x, y, cell[k * 32 * 17].y);
  }
}

/// Tiles with pixels that are not finite: with the arithmetic of direct.
template <class In, class Out>
__device__ inline void plain_tiles(const FftArgs& a, const FftPlace& p) {
  const int width = 2 * a.valid_width;
  for (int k = static_cast<int>(threadIdx.x); k < width * a.valid_height; k += kFftThreads) {
    const int x = p.x + k % width, y = p.y + k / width;
    if (x < a.out_width && y >= a.made.first && y < a.made.end)
      store_pixel<Out>(a, p.plane, p.channel, x, y,
                       plain_sum<In>(a, a.weights, p.plane, p.channel, x, y));
  }
}

/// Columns end (radix 4), rows begin (radix 8): 8 columns, 16 apart, of rows q, q + 32 …
__device__ inline void middle_forward(float2* cell, const float2* turns, int across) {
  float2 v[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) v[i] = cell[i * 17];
#pragma unroll
  for (int m = 0; m < 8; ++m) dft<4, false, 8>(v + m);
#pragma unroll
  for (int p = 0; p < 4; ++p) dft<8, false>(v + p * 8);
#pragma unroll
  for (int s = 1; s < 8; ++s) {
    const float2 w = turns[across * s];
#pragma unroll
    for (int p = 0; p < 4; ++p) v[p * 8 + s] = times(v[p * 8 + s], w);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) cell[i * 17] = v[i];
}

__device__ inline void middle_inverse(float2* cell, const float2* turns, int across) {
  float2 v[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) v[i] = cell[i * 17];
#pragma unroll
  for (int s = 1; s < 8; ++s) {
    const float2 w = turns[across * s];
#pragma unroll
    for (int p = 0; p < 4; ++p) v[p * 8 + s] = times_conjugate(v[p * 8 + s], w);
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) dft<8, true>(v + p * 8);
#pragma unroll
  for (int m = 0; m < 8; ++m) dft<4, true, 8>(v + m);
#pragma unroll
  for (int i = 0; i < 32; ++i) cell[i * 17] = v[i];
}

/// Rows end (radix 16), times the spectrum, and back.
__device__ inline void multiply_rows(float2* values, const FftArgs& a) {
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = 0; i < kFftGroups / kFftThreads; ++i) {
    float2* cell = values + (thread + i * kFftThreads) * 17;
    const auto* spectrum =
        reinterpret_cast<const float2*>(a.spectrum) + i * 16 * kFftThreads + thread;
    float2 v[16];
#pragma unroll
    for (int t = 0; t < 16; ++t) v[t] = cell[t];
    dft<16, false>(v);
#pragma unroll
    for (int t = 0; t < 16; ++t) v[t] = times(v[t], __ldg(spectrum + t * kFftThreads));
    dft<16, true>(v);
#pragma unroll
    for (int t = 0; t < 16; ++t) cell[t] = v[t];
  }
}

template <class In, class Out>
__device__ void fft_tiles(const FftArgs& a) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto* values = reinterpret_cast<float2*>(memory);
  float2* turns = values + kFftGroups * 17;
  auto* tile_rows = reinterpret_cast<int*>(turns + kFftTile);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < kFftTile) turns[thread] = fft_turns.v[thread];
  const int x = thread % kFftTile, first = thread / kFftTile, across = thread % 16;
  float2* column = values + first * 8 * 17 + x / 16 * 17 + x % 16;
  float2* patch = values + thread / 16 * 32 * 17 + across;

  for (int job = static_cast<int>(blockIdx.x); job < a.jobs; job += static_cast<int>(gridDim.x)) {
    const FftPlace place = fft_place(a, job);
    float2 v[32];
    const bool finite = load_columns<In>(a, place, x, first, tile_rows, v);
    // Also the barrier after which the values of the last pair may be overwritten.
    if (__syncthreads_or(!finite)) {
      plain_tiles<In, Out>(a, place);
      continue;
    }
    dft<32, false>(v);
#pragma unroll
    for (int k = 0; k < 32; ++k)
      column[k * 32 * 17] = k == 0 ? v[k] : times(v[k], fft_turns.v[first * k]);
    __syncthreads();
    middle_forward(patch, turns, across);
    __syncthreads();
    multiply_rows(values, a);
    __syncthreads();
    middle_inverse(patch, turns, across);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      const float2 value = column[k * 32 * 17];
      v[k] = k == 0 ? value : times_conjugate(value, fft_turns.v[first * k]);
    }
    dft<32, true>(v);
    store_columns<Out>(a, place, x, first, column, v);
  }
}

}  // namespace tessera
