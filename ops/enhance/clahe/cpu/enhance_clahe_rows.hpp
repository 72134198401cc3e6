// SPDX-License-Identifier: Apache-2.0
/// Goes through rows of an image block by block; within a block the four tiles around a pixel stay
/// the same.
#pragma once

#include <functional>
#include <vector>

#include "ops/enhance/clahe/cpu/enhance_clahe_simd.hpp"
#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

namespace tessera {

/// At most this many pixels of a row are made at once: they and the data they read stay in the
/// cache.
inline constexpr int kClaheChunk = 1024;
/// Rows a thread takes at once of `rows` of `planes` planes: 64, or fewer if threads would have
/// nothing to do. Every piece prepares the curves of its blocks again.
int clahe_piece_rows(Rows rows, int planes, int threads);

/// Levels of pixels x … x + count - 1 of a row, one channel.
struct ClaheChunk {
  int x, y, channel, count;
  const std::uint16_t* levels;
};

struct ClaheExtremes {
  int low = kClaheMost, high = 0;
};

/// Data that is the same for all rows of a call.
class ClaheBlocks {
 public:
  explicit ClaheBlocks(const ClaheShape& shape);
  /// Calls `take` with the levels of all pixels of `rows`, which are in `in`.
  void levels(const ClaheGroup& group, const Piece& in, Rows rows,
              const std::function<void(const ClaheChunk&)>& take) const;
  /// The smallest and largest level. Runs of pixels that certainly lie between the extremes found
  /// so far (most of them) are skipped.
  ClaheExtremes extremes(const ClaheGroup& group, const Piece& in, Rows rows) const;

 private:
  struct Block;
  void each_block(const ClaheGroup& group, Rows rows,
                  const std::function<void(const Block&)>& visit) const;
  /// Calls take(run, chunk) with levels that have not been computed yet.
  template <class Take>
  void each_chunk(const Block& block, const Piece& in, Take take) const;
  ClaheRun run_of(const Block& block, const unsigned char* slots, const ClaheChunk& chunk,
                  std::uint16_t* levels) const;
  void make_levels(const Block& block, const ClaheRun& run) const;

  ClaheShape shape_;
  ClaheFunctions functions_;
  std::vector<double> across_;  ///< weights of left and right tile, for every offset in a block
  std::vector<float> right_;
};

/// Reads `count` samples in the form that tiles count and curves take: 8-bit values, or the bins of
/// others. If memory already has them in this form, nothing is copied; otherwise `buffer` holds
/// them. At most kClaheChunk samples.
const unsigned char* clahe_slots(const AnyView& in, int x, int y, int channel, int count,
                                 const ClaheGroup& group, unsigned char* buffer);

}  // namespace tessera
