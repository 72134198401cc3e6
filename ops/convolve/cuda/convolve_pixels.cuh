// SPDX-License-Identifier: Apache-2.0
// Tiles of pixels into shared memory and of sums out of it, for the kernels of convolve.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "ops/convolve/cuda/convolve_pixel.cuh"

namespace tessera {

__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }

/// The sum at one output, with plain loops; only for the rare tiles with pixels that are not
/// finite.
template <class In, class T>
__device__ inline T plain_sum(const ConvolveArgs<T>& a, const T* weights, int plane, int channel,
                              int x, int y) {
  T sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = fused(weights[static_cast<long long>(j) * a.filter_width + i],
                  border_pixel<In>(a, plane, channel, x + i - a.anchor_x, y + j - a.anchor_y), sum);
  return sum;
}

// --- Tiles of samples: contiguous pixels, channels as neighbours (in_pixel == channels). ---

/// Four samples at once.
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T v[4];
};

/// Layout of a tile of samples: `kSamples` per row (a multiple of 4), rows kStep apart in shared
/// memory, a gap of 4 samples after every kRun of them (a multiple of 4; no gaps if kRun is
/// kSamples or more).
template <int kSamplesOf, int kRowsOf, int kRunOf>
struct SampleTile {
  static constexpr int kSamples = kSamplesOf, kRows = kRowsOf, kRun = kRunOf;
  static constexpr int kStep = tile_step(kSamples, kRun);
  static constexpr int kMapsAt = kRows * kStep;  ///< samples before the maps of an edge tile
  __device__ static int at(int sample) { return sample + sample / kRun * 4; }
};

/// Sources of the samples and rows of a tile cut by the image's edge: positions in a row of the
/// piece and rows of it, or kNoPixel. Not inlined, to keep the code for inner tiles short: it must
/// fit the instruction cache.
template <class T, class Tile>
__device__ __noinline__ void find_edge_maps(const ConvolveArgs<T>& a, int first, int top,
                                            int* columns, int thread, int threads) {
  int* rows = columns + Tile::kSamples;
  for (int k = thread; k < Tile::kSamples; k += threads) {
    const int sample = first + k;
    const int x = sample >= 0 ? sample / a.channels : -((a.channels - 1 - sample) / a.channels);
    const int column = border_index(x, a.width, a.border);
    columns[k] = column == kNoPixel ? kNoPixel : (column - x) * a.channels + sample;
  }
  for (int r = thread; r < Tile::kRows; r += threads) rows[r] = held_row(a, top + r);
  __syncthreads();
}

/// A tile cut by the image's edge.
template <class In, class T, class Tile>
__device__ __noinline__ void load_edge_tile(const ConvolveArgs<T>& a, int plane, int first, int top,
                                            T* tile, int thread, int threads) {
  int* columns = reinterpret_cast<int*>(tile) + Tile::kMapsAt;
  int* rows = columns + Tile::kSamples;
  find_edge_maps<T, Tile>(a, first, top, columns, thread, threads);
#pragma unroll 4
  for (int k = thread; k < Tile::kSamples * Tile::kRows; k += threads) {
    const int r = k / Tile::kSamples, c = k % Tile::kSamples;
    const int row = rows[r], column = columns[c];
    T* to = tile + r * Tile::kStep + Tile::at(c);
    if (row == kNoPixel || column == kNoPixel)
      *to = a.outside;
    else if constexpr (sizeof(In) == 4)
      async_copy4(to, row_address<In>(a, plane, row) + column);
    else
      *to = static_cast<T>(row_address<In>(a, plane, row)[column]);
  }
}

/// Tiles at the lower edge take longest: the last row of blocks comes first, so that nothing waits
/// for it at the end.
__device__ inline int edge_first(int index, int count) {
  return index == 0 ? count - 1 : index - 1;
}

/// Whether every pixel of a tile is in the piece and can be moved four at a time.
template <class Tile, class T>
__device__ inline bool tile_is_inside(const ConvolveArgs<T>& a, int first, int top) {
  return a.wide_in && first >= 0 && first + Tile::kSamples <= a.width * a.channels &&
         a.held.contains(top) && a.held.contains(top + Tile::kRows - 1);
}

/// Loads four samples through the read-only cache, in the sums' type.
template <class Vector>
__device__ inline Four<float> as_floats(Vector v) {
  return {{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
           static_cast<float>(v.w)}};
}
__device__ inline Four<float> read_four(const float* from) {
  return as_floats(__ldg(reinterpret_cast<const float4*>(from)));
}
__device__ inline Four<float> read_four(const unsigned char* from) {
  return as_floats(__ldg(reinterpret_cast<const uchar4*>(from)));
}
__device__ inline Four<float> read_four(const unsigned short* from) {
  return as_floats(__ldg(reinterpret_cast<const ushort4*>(from)));
}

/// Four samples on their way to shared memory.
template <class In, class T>
__device__ inline void move_four(const In* from, T* to) {
  if constexpr (sizeof(In) == sizeof(T))
    async_copy16(to, from);
  else
    *reinterpret_cast<Four<T>*>(to) = read_four(from);
}

/// A tile inside the image. Every warp takes rows kWarps apart, every lane groups of four samples
/// 32 groups apart, so pointers only advance. The groups left over after the last whole 32 are
/// shared out evenly.
template <class In, class T, class Tile, int kWarps>
__device__ inline void load_inner_tile(const ConvolveArgs<T>& a, const In* from, T* tile, int lane,
                                       int warp) {
  constexpr int kFours = Tile::kSamples / 4, kWhole = kFours / 32 * 32, kLeft = kFours - kWhole;
  const long long step = kWarps * a.in_row;
#pragma unroll
  for (int c = 0; c < kWhole; c += 32) {
    const In* source = from + warp * a.in_row + (c + lane) * 4;
    T* to = tile + warp * Tile::kStep + Tile::at((c + lane) * 4);
#pragma unroll
    for (int r = 0; r < Tile::kRows; r += kWarps, source += step)
      if (r + kWarps <= Tile::kRows || r + warp < Tile::kRows)
        move_four(source, to + r * Tile::kStep);
  }
  if constexpr (kLeft > 0)
#pragma unroll
    for (int k = 0; k < kLeft * Tile::kRows; k += 32 * kWarps) {
      const int mine = k + warp * 32 + lane, r = mine / kLeft, c = kWhole + mine % kLeft;
      if (k + 32 * kWarps <= kLeft * Tile::kRows || mine < kLeft * Tile::kRows)
        move_four(from + r * a.in_row + c * 4, tile + r * Tile::kStep + Tile::at(c * 4));
    }
}

/// Copies a tile to shared memory and waits for it. Called by all 32 x kWarps threads of the block.
template <class In, class T, class Tile, int kWarps>
__device__ inline void load_sample_tile(const ConvolveArgs<T>& a, int plane, int first, int top,
                                        T* tile) {
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  if (tile_is_inside<Tile>(a, first, top))
    load_inner_tile<In, T, Tile, kWarps>(a, row_address<In>(a, plane, top - a.held.first) + first,
                                         tile, lane, warp);
  else
    load_edge_tile<In, T, Tile>(a, plane, first, top, tile, warp * 32 + lane, 32 * kWarps);
  async_wait();
  __syncthreads();
}

/// kHeight rows of kWidth sums (a multiple of 4) from sample column `first` (negative in the lead)
/// and row `y` on. kShares: border `inside`.
template <class Out, bool kShares, class T, int kHeight, int kWidth>
__device__ inline void store_sums(const ConvolveArgs<T>& a, int plane, int first, int y,
                                  const T (&sums)[kHeight][kWidth]) {
  const int end = a.out_width * a.channels;
  Out* row =
      static_cast<Out*>(a.out) + plane * a.out_plane + (y - a.made.first) * a.out_row + first;
  if (!kShares && a.wide_out && first >= 0 && first + kWidth <= end && y + kHeight <= a.made.end) {
#pragma unroll
    for (int r = 0; r < kHeight; ++r, row += a.out_row)
#pragma unroll
      for (int k = 0; k < kWidth; k += 4) {
        Four<Out> four;
#pragma unroll
        for (int n = 0; n < 4; ++n) four.v[n] = converted<Out>(a.scale * sums[r][k + n]);
        *reinterpret_cast<Four<Out>*>(row + k) = four;
      }
    return;
  }
#pragma unroll
  for (int r = 0; r < kHeight; ++r, row += a.out_row)
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
      if (first + k >= 0 && first + k < end && y + r < a.made.end) {
        if constexpr (kShares)
          row[k] = converted<Out>(finished(a, (first + k) / a.channels, y + r, sums[r][k]));
        else
          row[k] = converted<Out>(a.scale * sums[r][k]);
      }
}

}  // namespace tessera
