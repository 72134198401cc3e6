// SPDX-License-Identifier: Apache-2.0
// The sums of a block of shifts, once per SIMD target: the shifts are the outputs of a filter that
// is as large as the image, and tiles of them stay in registers (convolve's row tiles).
//
// A float sum has at most kChunk terms before it is added to a sum of kFlush such parts, and those
// go to totals in double. The worst case is terms of equal size, whose rounding errors all have one
// sign: over 400,000 such images the largest error is 7.5e-7 of the sum, whereas one long sum loses
// 1e-4.
#include "ops/correlate/cpu/correlate_direct.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/cpu/correlate_direct_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/stop.hpp"
#include "ops/convolve/parts/row_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class ShiftBlock {
 public:
  HWY_INLINE explicit ShiftBlock(const CorrelateBlock& block) : b(block) {
    for (float& sum : sums_) sum = 0;
    for (int k = 0; k < kBlockRows * kBlockColumns; ++k) b.totals[k] = 0;
  }

  /// Row t: a row of the first plane, the row of the second plane dy below it, and kBlockRows - 1
  /// above.
  void add_pair(const DirectPair& pair) {
    const int first = HWY_MAX(0, -b.dy), end = HWY_MIN(b.height - b.dy, b.height + kBlockRows - 1);
    const int left = HWY_MAX(0, -(b.dx + b.columns - 1)), right = HWY_MIN(b.width, b.width - b.dx);
    for (int t = first; t < end; ++t) {
      poll_stop();
      const float* second[kBlockRows];
      for (int k = 0; k < kBlockRows; ++k) {
        const bool inside = t - k >= 0 && t - k < b.height;
        second[k] = inside ? pair.second + (t - k) * b.row : b.zeros;
      }
      for (int x = left / kChunk * kChunk; x < right; x += kChunk) {
        pack(second, x);
        add_chunk(pair.first + (t + b.dy) * b.row, x);
        if (++chunks_ % kFlush == 0) flush();
      }
    }
  }

  /// Adds sums to totals.
  void flush() {
    for (int k = 0; k < kBlockRows; ++k) {
      float* sums = sums_ + k * kBlockColumns;
      double* totals = b.totals + k * kBlockColumns;
      for (int column = 0; column < b.columns; ++column) {
        totals[column] += static_cast<double>(sums[column]);
        sums[column] = 0;
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  static constexpr int kChunk = 48, kFlush = 8;

  /// The rows of the second plane interleaved, in the order in which tiles read weights.
  HWY_INLINE void pack(const float* const (&rows)[kBlockRows], int x) {
    const D d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < kChunk; i += lanes)
      hn::StoreInterleaved4(hn::LoadU(d, rows[0] + x + i), hn::LoadU(d, rows[1] + x + i),
                            hn::LoadU(d, rows[2] + x + i), hn::LoadU(d, rows[3] + x + i), d,
                            packed_ + kBlockRows * i);
  }

  HWY_INLINE void add_chunk(const float* row, int x) {
    const int lanes = static_cast<int>(hn::Lanes(D()));
    for (int column = 0; column < b.columns; column += kVectors * lanes) {
      const int vectors = HWY_MIN(kVectors, (b.columns - column + lanes - 1) / lanes);
      switch (vectors) {
        case 1:
          add_tile<1>(row, x, column);
          break;
        case 2:
          add_tile<2>(row, x, column);
          break;
        case 3:
          add_tile<3>(row, x, column);
          break;
        case 4:
          add_tile<HWY_MIN(4, kVectors)>(row, x, column);
          break;
        case 5:
          add_tile<HWY_MIN(5, kVectors)>(row, x, column);
          break;
        default:
          add_tile<kVectors>(row, x, column);
      }
    }
  }

  /// The chunk's terms of one tile: the columns in which some shift of the tile has a pixel. For
  /// the other shifts the zeros around rows are read.
  template <int kCount>
  HWY_INLINE void add_tile(const float* row, int chunk, int column) {
    const D d;
    const int lanes = static_cast<int>(hn::Lanes(d)), dx = b.dx + column;
    const int first = HWY_MAX(chunk, -(dx + kCount * lanes - 1));
    const int end = HWY_MIN(chunk + kChunk, b.width - dx);
    if (first >= end) return;
    Tile<D, kCount> tile;
    tile.clear(d);
    tile.template add_row<0, kBlockRows>(d, row + first + dx,
                                         packed_ + kBlockRows * (first - chunk), end - first, 1);
    for (int k = 0; k < kBlockRows; ++k)
      for (int v = 0; v < kCount; ++v) {
        float* sum = sums_ + k * kBlockColumns + column + v * lanes;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), tile.sum[k][v]), d, sum);
      }
  }

  const CorrelateBlock& b;
  int chunks_ = 0;
  float packed_[kBlockRows * (kChunk + HWY_MAX_BYTES / sizeof(float))];
  float sums_[kBlockRows * kBlockColumns];
};

void correlate_block(const CorrelateBlock& block) {
  ShiftBlock shifts(block);
  for (int k = 0; k < block.pair_count; ++k) shifts.add_pair(block.pairs[k]);
  shifts.flush();
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(correlate_block);

CorrelateBlockFunction correlate_block_function() { return HWY_DYNAMIC_DISPATCH(correlate_block); }
}  // namespace tessera
#endif
