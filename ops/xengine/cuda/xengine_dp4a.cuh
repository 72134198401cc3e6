// SPDX-License-Identifier: Apache-2.0
// Tiles by dp4a: products of four bytes, any device.
#pragma once

#include "ops/xengine/cuda/xengine_tile_pipeline.cuh"

namespace tessera {

/// A thread has 8 by 8 sums, 16 inputs apart, so that 8 threads read neighbouring pieces.
template <class Form>
class Dp4aMultiply {
 public:
  __device__ explicit Dp4aMultiply(const XEngineTileArgs& a, int thread)
      : args_(a), row_(thread / 16), column_(thread % 16) {}

  __device__ void begin(const TileWork& work) {
    work_ = work;
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) re_[r][c] = im_[r][c] = 0;
  }

  __device__ void stage(const unsigned char* memory) {
#pragma unroll 1
    for (int product = 0; product < work_.stage_products(); ++product)
      multiply(memory, work_.rows_half(product), work_.columns_half(product));
  }

  __device__ void store(const TileWork& work, const int* column_sums) const {
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        if (!work.makes(r / 4, c / 4)) continue;
        const TileQuarter quarter(args_, work, r / 4, c / 4);
        quarter.store(row_ + r % 4 * 16, column_ + c % 4 * 16, re_[r][c],
                      TileQuarter::wrap(im_[r][c], column_sums[column_ + 16 * c]));
      }
  }

 private:
  __device__ void multiply(const unsigned char* memory, int rows_half, int columns_half) {
#pragma unroll 1
    for (int piece = 0; piece < kStagePieces; ++piece) {
      const unsigned char* const columns = memory + Form::place(columns_half, piece, column_);
      const unsigned char* const rows = memory + Form::place(rows_half, piece, row_);
      uint4 b[8];
#pragma unroll
      for (int c = 0; c < 8; ++c) b[c] = piece_of(columns, c);
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        const uint4 a = piece_of(rows, r);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          if (!work_.makes(r / 4, half)) continue;
#pragma unroll
          for (int c = 4 * half; c < 4 * half + 4; ++c) add(a, b[c], re_[r][c], im_[r][c]);
        }
      }
    }
  }

  /// For an input n * 16 further on.
  __device__ static uint4 piece_of(const unsigned char* from, int n) {
    return *reinterpret_cast<const uint4*>(from + n * Form::kSixteenStep);
  }
  __device__ static int dot(unsigned a, unsigned b, int sum) {
    return __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
  }
  __device__ static void add(const uint4& a, const uint4& b, int& re, int& im) {
    re = dot(a.w, b.w, dot(a.z, b.z, dot(a.y, b.y, dot(a.x, b.x, re))));
    im = dot(turn_samples(a.x), b.x, im);
    im = dot(turn_samples(a.y), b.y, im);
    im = dot(turn_samples(a.z), b.z, im);
    im = dot(turn_samples(a.w), b.w, im);
  }

  const XEngineTileArgs& args_;
  TileWork work_;
  int row_, column_;
  int re_[8][8], im_[8][8];
};

template <bool kGrouped>
__device__ inline void xengine_dp4a_tiles(const XEngineTileArgs& a) {
  extern __shared__ uint4 xengine_tile_memory[];
  using Loader = typename LoaderOf<kGrouped, kTileThreads>::Type;
  Dp4aMultiply<typename Loader::Form> multiply(a, static_cast<int>(threadIdx.x));
  make_tiles<Loader>(a, reinterpret_cast<unsigned char*>(xengine_tile_memory), multiply);
}

}  // namespace tessera
