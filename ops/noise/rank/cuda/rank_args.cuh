// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of rank filters, and their knobs.
#pragma once

#include "core/piece_args.cuh"

namespace tessera {

/// Threads per block, each of which makes `rows` outputs, one above the other: for squares a
/// multiple of their side less one. They change no bit of the result.
struct RankKnobs {
  int threads = 128, rows = 8;
};
TESSERA_BOTH constexpr RankKnobs usual_rank_knobs(int side) {
  return side == 7 ? RankKnobs{128, 6} : RankKnobs{};
}
/// For small images, where more rows per thread would leave multiprocessors idle; not for 7x7.
TESSERA_BOTH constexpr RankKnobs small_rank_knobs(int side) { return {128, side == 3 ? 2 : 4}; }
inline constexpr long long kMostSmallRankPixels = 1 << 19;

/// Threads that bisect share nothing between rows.
inline constexpr RankKnobs kRankBisectKnobs{128, 1};

/// A pixel of the footprint, counted from the corner of its box; its plane from that of the output.
struct RankPixel {
  short x, y, plane;
};

struct RankArgs : PieceArgs {
  double constant;  ///< the value outside, with border constant
  double percent;   ///< which of the sorted values, by SciPy's rule
  /// The footprint; not for squares.
  const RankPixel* pixels;
  int count;
  int plane, planes;  ///< that `in` begins with, and of the whole image
};

}  // namespace tessera
