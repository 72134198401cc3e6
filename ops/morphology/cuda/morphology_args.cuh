// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of erode and dilate, and their knobs.
#pragma once

#include "core/piece_args.cuh"

namespace tessera {

/// Threads per block across and down, and output rows per thread. They change no bit of the result.
/// A block makes block_x by block_y*rows outputs.
struct MorphologyKnobs {
  int block_x = 64, block_y = 4, rows = 16;
};
/// Keys of eight bytes use a smaller tile, because its apron must fit into 48 KB too.
TESSERA_BOTH constexpr MorphologyKnobs usual_morphology_knobs(int bytes) {
  return bytes == 8 ? MorphologyKnobs{32, 8, 4} : MorphologyKnobs{};
}
/// For small images, whose few tiles of the usual size would leave multiprocessors idle.
inline constexpr MorphologyKnobs kSmallMorphologyKnobs{32, 8, 1};

/// Elements are processed in chunks of at most this many pixels in each direction.
inline constexpr int kElementChunk = 32;
/// Whether a kernel can have these knobs: whole warps, and a tile with its apron within the shared
/// memory that a kernel has without asking.
TESSERA_BOTH constexpr bool morphology_knobs_fit(const MorphologyKnobs& k, int bytes) {
  const int threads = k.block_x * k.block_y;
  return threads % 32 == 0 && threads <= 1024 &&
         (k.block_x + kElementChunk - 1) * (k.block_y * k.rows + kElementChunk - 1) * bytes <=
             48 << 10;
}
/// Windows of 1, 2, 4 … 32 pixels.
inline constexpr int kWindowLevels = 6;

/// A run of the element in its chunk: the best of the level's window at x and at x + shift.
struct ChunkRun {
  unsigned char x, y, shift;
};

/// Runs [first_run[k], first_run[k + 1]) have windows of 1 << k pixels.
struct ElementChunk {
  int x, y, width, height;
  int levels;  ///< how many of them there are
  int first_run[kWindowLevels + 1];
};

/// Up to this many runs and chunks are passed with the launch; more are read from memory.
inline constexpr int kInlineRuns = 512, kInlineChunks = 16;

/// Images in and out, and where the border is.
struct MorphologyArgs : PieceArgs {
  long long outside;  ///< the key of a pixel that the border rule does not define
  bool keep_keys;     ///< the output is keys, for a following pass
};

struct MorphologyDirectArgs {
  MorphologyArgs image;
  const ChunkRun* runs;        ///< null: inline_runs
  const ElementChunk* chunks;  ///< null: inline_chunks
  int chunk_count;
  ChunkRun inline_runs[kInlineRuns];
  ElementChunk inline_chunks[kInlineChunks];
};

/// A box of at most kElementChunk pixels in each direction.
struct MorphologySeparableArgs {
  MorphologyArgs image;
  int box_width, box_height;
};

/// Keys in, a wider window out: out(x, y) = best of in(x + offset_x, y + offset_y).
struct MorphologyExtendArgs {
  const void* in;
  long long in_row;
  void* out;
  long long out_pixel, out_row;
  int out_width, out_rows;
  int offset_x[4], offset_y[4];
  int reads_x, reads_y;
  bool keep_keys;
};

}  // namespace tessera
