// SPDX-License-Identifier: Apache-2.0
/// One block of a CPU method: the work of one thread between two synchronisations.
#pragma once

#include <cstddef>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// Output rows [out_first_row, + rows) and columns [first_column, + columns) of one plane. Serial;
/// input and output are plain memory, and vertical borders are already resolved into row addresses.
struct ConvolveBlock {
  const ConvolveProblem* problem;
  const Twofold* prefix;                ///< for border `inside`, else null
  const unsigned char* const* in_rows;  ///< rows + filter_height - 1 addresses; null: outside
  long long in_pixel;
  unsigned char* out;  ///< first pixel of row out_first_row in the plane's view
  long long out_pixel, out_row;
  int out_first_row, rows, first_column, columns;
  void* sums;  ///< kTileRows rows of sums_step samples
  long long sums_step;
};

using ConvolveBlockFunction = void (*)(const ConvolveBlock&);

/// The addresses of the rows that `rows` of a plane need; null: outside.
std::vector<const unsigned char*> needed_rows(const ConvolveProblem&, const Piece& in, int plane,
                                              Rows rows);

/// Fills in the part of a plane that `rows` cover.
void place_block(ConvolveBlock&, const Piece& in, const MutablePiece& out, int plane, Rows rows);

/// Bytes from one row of a buffer to the next, chosen so that rows spread over all sets of a cache.
inline std::size_t spread_bytes(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  return ((bytes + kLine - 1) / kLine | 1) * kLine;
}

/// Whole tiles of columns, as many as fit if a column takes `column_bytes`, at least one.
int block_columns(long long bytes, long long column_bytes, int width);

/// How many columns a thread takes at once: images with few rows are cut into columns too, so that
/// many threads have work. A multiple of `step`.
int chunk_columns(const Size& size, int piece_rows, int step);

}  // namespace tessera
