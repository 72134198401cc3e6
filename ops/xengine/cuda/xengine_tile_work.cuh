// SPDX-License-Identifier: Apache-2.0
// Which tile a block makes, where its inputs come from and where its sums go.
#pragma once

#include "ops/xengine/cuda/xengine_tile_args.cuh"
#include "ops/xengine/xengine_index.cuh"

namespace tessera {

/// 64 inputs of a channel; `rows` of them exist, possibly none.
struct HalfTile {
  const unsigned char* from;
  int rows;
};

struct TileWork {
  int channel;
  int row_tile, column_tile;  ///< column_tile <= row_tile
  bool two_channels;

  /// Tiles of a channel follow each other: blocks that run at once share its samples in L2.
  __device__ static TileWork number(const XEngineTileArgs& a, long long tile) {
    if (two_channels_a_tile(a.inputs)) return {static_cast<int>(2 * tile), 0, 0, true};
    const long long each = count_tiles(1, a.inputs);
    int column = static_cast<int>(tile % each), row = 0;
    while (column > row) column -= ++row;
    return {static_cast<int>(tile / each), row, column, false};
  }

  /// A stage has two halves. Off the diagonal they are rows and columns; on it both are the same
  /// inputs, fetched once, and the second half is the time after the first.
  __device__ bool on_diagonal() const { return row_tile == column_tile; }
  __device__ int stage_samples() const { return on_diagonal() ? 2 * kStageSamples : kStageSamples; }
  /// How many times rows and columns are multiplied in a stage, and which half each is each time.
  __device__ int stage_products() const { return on_diagonal() ? 2 : 1; }
  __device__ int rows_half(int product) const { return product; }
  __device__ int columns_half(int product) const { return on_diagonal() ? product : 1; }
  __device__ bool has_columns(int half) const { return on_diagonal() || half == 1; }
  /// The first sample of half a stage.
  __device__ long long first_sample(long long stage, int half) const {
    return stage * stage_samples() + (on_diagonal() ? half * kStageSamples : 0);
  }

  /// Whether a quarter has sums that are wanted.
  __device__ bool makes(int row_half, int column_half) const {
    if (two_channels) return row_half == column_half;
    return !on_diagonal() || column_half <= row_half;
  }

  /// Inputs of half a tile, of half a stage.
  template <int kInputBytes>
  __device__ HalfTile inputs(const XEngineTileArgs& a, int stage_half, int half) const {
    const int c = channel + (two_channels ? half : 0);
    const int first =
        two_channels ? 0
                     : (stage_half == 0 ? row_tile : column_tile) * kTileInputs + half * kHalfTile;
    if (c >= a.channels || first >= a.inputs) return {a.samples, 0};
    const int left = a.inputs - first;
    return {a.samples + c * a.channel_step + 1LL * first * kInputBytes,
            left < kHalfTile ? left : kHalfTile};
  }
};

/// Destination of the sums of a quarter.
struct TileQuarter {
  __device__ TileQuarter(const XEngineTileArgs& a, const TileWork& w, int row_half, int column_half)
      : polarisations(a.polarisations), add(a.add) {
    const int c = w.channel + (w.two_channels ? row_half : 0);
    first_row = w.two_channels ? 0 : w.row_tile * kTileInputs + row_half * kHalfTile;
    first_column = w.two_channels ? 0 : w.column_tile * kTileInputs + column_half * kHalfTile;
    inputs = c < a.channels ? a.inputs : 0;
    sums = reinterpret_cast<int2*>(a.sums) + c * a.values;
  }

  /// V_ij of a row and a column of the quarter. For the polarisations of one antenna, those above
  /// the diagonal are the conjugates of those below: both may lie in tiles that are not computed.
  __device__ void store(int row, int column, int re, int im) const {
    const int i = first_row + row, j = first_column + column;
    if (i >= inputs || j > i) return;
    write(triangular_place(i, j, polarisations), re, im);
    if (i != j && i / polarisations == j / polarisations)
      write(triangular_place(j, i, polarisations), re, static_cast<int>(0U - im));
  }

  /// Products of tensor cores in kOctets times 8 columns, from an even one on: four per octet, two
  /// columns of a row and of the row 8 further down.
  template <int kOctets>
  __device__ void store_octets(int row, int column, const int* re, const int* im,
                               const int* column_sums) const {
    store_row<kOctets>(row, column, re, im, column_sums);
    store_row<kOctets>(row + 8, column, re + 2, im + 2, column_sums);
  }

  __device__ static int wrap(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }

 private:
  /// For two or more polarisations that divide 8: a pair of columns belongs to one antenna and is
  /// contiguous, 16 bytes, and octets of columns are steps apart. Everything except the diagonal is
  /// stored this way.
  template <int kOctets>
  __device__ void store_row(int row, int column, const int* re, const int* im,
                            const int* column_sums) const {
    const int i = first_row + row;
    if (i >= inputs) return;
    const bool paired = polarisations == 2 || polarisations == 4 || polarisations == 8;
    const int own_antenna = paired ? i - i % polarisations : 0;
    int2* const to = sums + triangular_place(i, first_column + column, polarisations);
#pragma unroll
    for (int n = 0; n < kOctets; ++n) {
      const int j = first_column + column + 8 * n;
      const int2 values[2] = {
          {re[4 * n], wrap(im[4 * n], column_sums[column + 8 * n])},
          {re[4 * n + 1], wrap(im[4 * n + 1], column_sums[column + 8 * n + 1])}};
      if (j < own_antenna) {
        write_pair(reinterpret_cast<int4*>(to + 8 * n * polarisations), values);
      } else if (j <= i) {
#pragma unroll 1  // rare, and long
        for (int k = 0; k < 2; ++k)
          store(row, column + 8 * n + k, k == 0 ? values[0].x : values[1].x,
                k == 0 ? values[0].y : values[1].y);
      }
    }
  }

  __device__ void write_pair(int4* to, const int2 (&v)[2]) const {
    int4 sum = {v[0].x, v[0].y, v[1].x, v[1].y};
    if (add) {
      const int4 old = *to;
      sum = {wrap(old.x, sum.x), wrap(old.y, sum.y), wrap(old.z, sum.z), wrap(old.w, sum.w)};
    }
    *to = sum;
  }

  __device__ void write(long long place, int re, int im) const {
    int2& to = sums[place];
    to = add ? int2{wrap(to.x, re), wrap(to.y, im)} : int2{re, im};
  }

  int2* sums;
  int first_row, first_column, inputs, polarisations;
  bool add;
};

}  // namespace tessera
