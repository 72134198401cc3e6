// SPDX-License-Identifier: Apache-2.0
/// Rows of one channel into a tile and back, for the methods that work on tiles: borders and types
/// are handled here.
#pragma once

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// Tiles side by side: tile k begins k * columns further right in the image and k * samples further
/// on in memory. Each row is copied for all tiles before the next, because rows of an image lie
/// pages apart.
struct TileParts {
  int count, columns;
  long long samples;
};

/// `rows` rows of `columns` pixels from `first_column` on, which may lie outside the image; the
/// tiles' other rows and columns become zero.
struct TileInput {
  const unsigned char* const* in_rows;  ///< addresses of pixel 0; null: outside
  long long in_pixel;
  int channel, first_column, rows, columns;
  TileParts parts;
  int tile_rows, tile_columns;
  void* tile;  ///< of type sums
  long long tile_row;
};

/// `rows` rows of `columns` results; border `inside` changes them.
struct TileOutput {
  const Twofold* prefix;  ///< for border `inside`, else null
  TileParts parts;
  void* tile;
  long long tile_row;
  int first_row, rows, first_column, columns;
  unsigned char* out;  ///< the sample at first_row and first_column
  long long out_pixel, out_row;
};

struct TileRows {
  void (*load)(const ConvolveProblem&, const TileInput&);
  void (*store)(const ConvolveProblem&, const TileOutput&);
};

/// For this CPU's best (or the forced) SIMD target.
TileRows tile_rows();

}  // namespace tessera
