// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of enhance for any image.
#pragma once

#include "core/piece_args.cuh"

namespace tessera {

/// A launch applies a curve, makes pixels grey, writes and counts them; steps whose argument is
/// null or false are skipped.
struct EnhancePointArgs {
  PieceArgs image;  ///< `channels` before the step, `made` are the rows; out may be null
  int out_channels;
  const unsigned short* curve;  ///< `levels` values per plane and group
  unsigned long long* counts;   ///< the same, for the pixels written
  int curve_groups, count_groups, levels;
  bool shared_counts;  ///< a block has shared memory for its counters
  bool grey;
  int weights[3];  ///< of red, green and blue, over 2^16
};

inline constexpr int kPointThreads = 256;
/// Counters of 16-bit values are in a block's shared memory, two per word.
inline constexpr int kWideCountThreads = 1024, kWideCountBytes = 4 * 65536 / 2;

/// Curves of all planes and groups from their counts.
struct EnhanceCurveArgs {
  unsigned long long* counts;
  unsigned short* curve;
  int* limits;  ///< low and high per plane and group
  int levels;
  bool equalise, by_threshold;
  long long low, high, threshold;  ///< as in EnhanceProblem
};

inline constexpr int kCurveThreads = 1024;

struct EnhanceClearArgs {
  unsigned long long* values;
  long long count;
};

/// A launch smooths rows of an image, after applying a curve to its pixels if there is one.
struct EnhanceSmoothArgs {
  PieceArgs image;
  const unsigned short* curve;  ///< `levels` values per plane and group
  int groups, levels;
  const int* weights;  ///< separable: those across, then those down
  int filter_width, filter_height;
};

/// A block makes this many samples by rows of one channel.
inline constexpr int kSmoothWidth = 32, kSmoothHeight = 32, kSmoothThreads = 256;

/// Values of the tile with its apron, then their sums along rows.
TESSERA_BOTH constexpr int smooth_shared_bytes(int filter_width, int filter_height) {
  const int rows = kSmoothHeight + filter_height - 1;
  return 4 * kSmoothWidth * rows + 2 * (kSmoothWidth + filter_width - 1) * rows;
}

}  // namespace tessera
