// SPDX-License-Identifier: Apache-2.0
/// Blocks and tiles of the ladder's rungs: arithmetic only.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tessera {

/// A block of threads, `tiles` of them side by side, and the shared tile they read.
struct LadderShape {
  int block_x = 32, block_y = 32, tiles = 1;
  int tile_row = 0;      ///< floats from a row of the shared tile to the next
  int shared_bytes = 0;  ///< of the tile

  int outputs_x() const { return block_x * tiles; }
};

/// A tile of the outputs and the border around them.
LadderShape tiled_shape(int filter_width, int filter_height, int block_x, int block_y, int tiles);

/// The same with padding columns (r06_padded_row.cuh).
LadderShape padded_shape(int filter_width, int filter_height, int block_x, int block_y, int tiles);

/// Tiles below each other, for a filter of one column.
LadderShape column_shape(int taps, int block_x, int block_y, int tiles);

/// The paper's arithmetic intensity, flop per byte:
/// 2 Fw Fh Bw T Bh / ((Fw - 1 + Bw T) (Fh - 1 + Bh) 4).
double ladder_intensity(int filter_width, int filter_height, const LadderShape& shape);

/// The resources of a multiprocessor for its blocks.
struct LadderLimits {
  int shared_bytes_per_block = 0;
  int registers = 65536;  ///< of every NVIDIA multiprocessor since Kepler
  /// How many blocks must fit; none: two for small filters and one for large ones, as in the paper.
  std::optional<int> blocks = std::nullopt;
  int reserved_bytes = 1024;  ///< the system's share of every block's shared memory; none in 2012
};

/// "" or why a block's tile is too large.
std::string why_no_tile(const LadderShape& shape, int shared_bytes_per_block);

/// Whether that many blocks of a kernel fit by their registers alone: a warp gets them in multiples
/// of 8 per thread.
bool registers_fit(int registers, int threads, int blocks, const LadderLimits& limits);

inline constexpr int kMostAdaptiveTiles = 10;

/// Rung 7: the largest tile factor with which two blocks of 32x32 threads fit a multiprocessor; for
/// filters too large for that at kLeastForTwo, the largest with which one fits; 0: none. As in the
/// paper two blocks are for small filters: large ones gain more from a larger tile. If the limits
/// name a number of blocks, it is the largest with which that many fit, or else fewer.
int adaptive_tiles(int filter_width, int filter_height, const LadderLimits& limits,
                   const std::function<int(int)>& registers);
/// The same for other blocks: `shape_of` makes the tile of a factor.
int adaptive_tiles(const std::function<LadderShape(int)>& shape_of, const LadderLimits& limits,
                   const std::function<int(int)>& registers);

}  // namespace tessera
