// SPDX-License-Identifier: Apache-2.0
// Tiles by mma: tensor cores of compute capability 8.0 and up.
#pragma once

#include "core/cuda/tensor_core.cuh"
#include "ops/xengine/cuda/xengine_tile_pipeline.cuh"

namespace tessera {

/// Eight warps, each 64 rows by 32 columns: 4 by 4 products of 16 by 8, real and imaginary. 32
/// bytes of time take 6 loads of fragments for 32 products.
template <class Form>
class MmaMultiply {
 public:
  __device__ MmaMultiply(const XEngineTileArgs& a, int thread)
      : args_(a), lane_(thread % 32), row_half_(thread / 128), columns_(thread / 32 % 4 * 32) {}

  __device__ void begin(const TileWork& work) {
    work_ = work;
    makes_ = work.makes(row_half_, columns_ / kHalfTile);
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n)
#pragma unroll
        for (int k = 0; k < 4; ++k) re_[m][n][k] = im_[m][n][k] = 0;
  }

  __device__ void stage(const unsigned char* memory) {
    if (!makes_) return;
    for (int product = 0; product < work_.stage_products(); ++product)
      multiply(memory, work_.rows_half(product), work_.columns_half(product));
  }

  __device__ void store(const TileWork& work, const int* column_sums) const {
    if (!makes_) return;
    const TileQuarter quarter(args_, work, row_half_, columns_ / kHalfTile);
    const int first = columns_ / kHalfTile * kHalfTile;
#pragma unroll
    for (int m = 0; m < 4; ++m)
      quarter.template store_octets<4>(16 * m + lane_ / 4, columns_ - first + lane_ % 4 * 2,
                                       re_[m][0], im_[m][0], column_sums + first);
  }

 private:
  __device__ void multiply(const unsigned char* memory, int rows_half, int columns_half) {
    // For rows: the first pieces of 16 inputs, then the second ones. For columns: both pieces of 8
    // inputs, then of 8 more.
    const int row = row_half_ * kHalfTile + lane_ % 16,
              column = columns_ + lane_ / 16 * 8 + lane_ % 8;
    const unsigned rows = shared_address(memory + Form::place(rows_half, lane_ / 16, row));
    const unsigned columns =
        shared_address(memory + Form::place(columns_half, lane_ / 8 % 2, column));
#pragma unroll
    for (int piece = 0; piece < kStagePieces; piece += 2) {
      unsigned b[2][4];
#pragma unroll
      for (int n = 0; n < 2; ++n)
        load_fragments(b[n], columns + piece / 2 * Form::kPairStep + n * Form::kSixteenStep);
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        unsigned a[4], turned[4];
        load_fragments(a, rows + piece / 2 * Form::kPairStep + m * Form::kSixteenStep);
#pragma unroll
        for (int k = 0; k < 4; ++k) turned[k] = turn_samples(a[k]);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          multiply_bytes(re_[m][n], a, b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
          multiply_bytes(im_[m][n], turned, b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
        }
      }
    }
  }

  const XEngineTileArgs& args_;
  int lane_, row_half_, columns_;
  TileWork work_{};
  bool makes_ = false;
  int re_[4][4][4], im_[4][4][4];
};

template <bool kGrouped>
__device__ inline void xengine_mma_tiles(const XEngineTileArgs& a) {
  extern __shared__ uint4 xengine_tile_memory[];
  using Loader = typename LoaderOf<kGrouped, kTileThreads>::Type;
  MmaMultiply<typename Loader::Form> multiply(a, static_cast<int>(threadIdx.x));
  make_tiles<Loader>(a, reinterpret_cast<unsigned char*>(xengine_tile_memory), multiply);
}

}  // namespace tessera
