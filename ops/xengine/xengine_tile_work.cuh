// SPDX-License-Identifier: Apache-2.0
// Which tile a block makes, where its inputs come from and where its sums go.
#pragma once

#include "ops/xengine/xengine_index.cuh"
#include "ops/xengine/xengine_tile_args.cuh"

namespace tessera {

/// 64 inputs of a channel; `rows` of them are there, maybe none.
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

  /// Rows and columns of a tile on the diagonal are the same inputs, and fetched once.
  __device__ bool on_diagonal() const { return row_tile == column_tile; }
  __device__ int stage_tiles() const { return on_diagonal() ? 1 : 2; }

  /// Whether a quarter has sums that are wanted.
  __device__ bool makes(int row_half, int column_half) const {
    if (two_channels) return row_half == column_half;
    return !on_diagonal() || column_half <= row_half;
  }

  /// Inputs of half a tile; tile 0 of a stage are the rows.
  template <int kInputBytes>
  __device__ HalfTile inputs(const XEngineTileArgs& a, int stage_tile, int half) const {
    const int c = channel + (two_channels ? half : 0);
    const int first =
        two_channels ? 0
                     : (stage_tile == 0 ? row_tile : column_tile) * kTileInputs + half * kHalfTile;
    if (c >= a.channels || first >= a.inputs) return {a.samples, 0};
    const int left = a.inputs - first;
    return {a.samples + c * a.channel_step + 1LL * first * kInputBytes,
            left < kHalfTile ? left : kHalfTile};
  }
};

/// Where sums of a quarter go.
struct TileQuarter {
  __device__ TileQuarter(const XEngineTileArgs& a, const TileWork& w, int row_half, int column_half)
      : polarisations(a.polarisations), add(a.add) {
    const int c = w.channel + (w.two_channels ? row_half : 0);
    first_row = w.two_channels ? 0 : w.row_tile * kTileInputs + row_half * kHalfTile;
    first_column = w.two_channels ? 0 : w.column_tile * kTileInputs + column_half * kHalfTile;
    inputs = c < a.channels ? a.inputs : 0;
    sums = reinterpret_cast<int2*>(a.sums) + c * a.values;
  }

  /// V_ij of a row and a column of the quarter. Of one antenna's polarisations, those above the
  /// diagonal are the conjugates of those below: both may lie in tiles that nobody makes.
  __device__ void store(int row, int column, int re, int im) const {
    const int i = first_row + row, j = first_column + column;
    if (i >= inputs || j > i) return;
    write(triangular_place(i, j, polarisations), re, im);
    if (i != j && i / polarisations == j / polarisations)
      write(triangular_place(j, i, polarisations), re, static_cast<int>(0U - im));
  }

  /// Of two neighbouring columns, the first of them even.
  __device__ void store(int row, int column, int2 first, int2 second) const {
    const int i = first_row + row, j = first_column + column;
    if (i >= inputs) return;
    const long long place = triangular_place(i, j, polarisations);
    const bool together = polarisations % 2 == 0 && i / polarisations > j / polarisations;
    if (!together) {
      store(row, column, first.x, first.y);
      store(row, column + 1, second.x, second.y);
      return;
    }
    int4* const to = reinterpret_cast<int4*>(sums + place);
    int4 sum = {first.x, first.y, second.x, second.y};
    if (add) {
      const int4 old = *to;
      sum = {wrap(old.x, sum.x), wrap(old.y, sum.y), wrap(old.z, sum.z), wrap(old.w, sum.w)};
    }
    *to = sum;
  }

  /// Four products of tensor cores: two columns of a row, and of the row 8 farther.
  __device__ void store_fragment(int row, int column, const int* re, const int* im,
                                 const int (&sums_of_columns)[2]) const {
    const auto value = [&](int n) { return int2{re[n], wrap(im[n], sums_of_columns[n % 2])}; };
    store(row, column, value(0), value(1));
    store(row + 8, column, value(2), value(3));
  }

  __device__ static int wrap(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  }

 private:
  __device__ void write(long long place, int re, int im) const {
    int2& to = sums[place];
    to = add ? int2{wrap(to.x, re), wrap(to.y, im)} : int2{re, im};
  }

  int2* sums;
  int first_row, first_column, inputs, polarisations;
  bool add;
};

}  // namespace tessera
