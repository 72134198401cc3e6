// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/clahe/cpu/enhance_clahe_rows.hpp"

#include <algorithm>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "ops/enhance/clahe/cpu/enhance_clahe_floats_simd.hpp"

namespace tessera {

namespace {

/// Samples side by side: the image's own, or copies.
template <class T>
const T* clahe_samples(const T* from, long long pixel, int count, T* copies) {
  if (pixel == 1) return from;
  for (int k = 0; k < count; ++k) copies[k] = from[k * pixel];
  return copies;
}

template <class T>
const T* sample_of(const AnyView& in, int x, int y, int channel, int plane) {
  return reinterpret_cast<const T*>(in.address(x, y, plane)) + channel;
}

}  // namespace

const unsigned char* clahe_slots(const AnyView& in, int x, int y, int channel, int count,
                                 const ClaheGroup& group, unsigned char* buffer) {
  switch (in.type) {
    case Type::u8:
      return clahe_samples(sample_of<unsigned char>(in, x, y, channel, group.plane), in.pixel,
                           count, buffer);
    case Type::f32: {
      float copies[kClaheChunk];
      clahe_float_bins(
          group.scale,
          clahe_samples(sample_of<float>(in, x, y, channel, group.plane), in.pixel, count, copies),
          count, buffer);
      break;
    }
    case Type::f64: {
      double copies[kClaheChunk];
      clahe_float_bins(
          group.scale,
          clahe_samples(sample_of<double>(in, x, y, channel, group.plane), in.pixel, count, copies),
          count, buffer);
      break;
    }
    default: {
      const auto* from = sample_of<std::uint16_t>(in, x, y, channel, group.plane);
      for (int k = 0; k < count; ++k)
        buffer[k] = static_cast<unsigned char>(group.bins[from[k * in.pixel]]);
    }
  }
  return buffer;
}

int clahe_piece_rows(Rows rows, int planes, int threads) {
  constexpr int kMost = 64, kLeast = 16;
  int piece = kMost;
  while (piece > kLeast && 1LL * piece_count(rows, piece) * planes < threads) piece /= 2;
  return piece;
}

/// The part of a block within some rows: the tiles at its corners and their curves.
struct ClaheBlocks::Block {
  const ClaheGroup* group;
  Rows rows, columns;
  const std::uint16_t* corners[4];  ///< left above, right above, left below, right below
  const float* curves;              ///< as in ClaheRun; null if few pixels read them
};

ClaheBlocks::ClaheBlocks(const ClaheShape& shape) : shape_(shape) {
  apply_isa_environment();
  functions_ = clahe_functions();
  for (int offset = 0; offset < shape.across.kernel; ++offset) {
    const double after = clahe_weight_after(shape.across, offset);
    across_.insert(across_.end(), {1 - after, after});
    right_.push_back(static_cast<float>(after));
  }
}

void ClaheBlocks::each_block(const ClaheGroup& group, Rows rows,
                             const std::function<void(const Block&)>& visit) const {
  const ClaheAxis &across = shape_.across, &down = shape_.down;
  alignas(64) float curves[4 * kClaheBins];
  const auto tile = [&](int x, int y) {
    return group.tiles + (static_cast<std::size_t>(y) * across.tiles + x) * kClaheBins;
  };
  const auto inside = [](const ClaheAxis& a, int block, Rows part) {
    const long long start = clahe_block_start(a, block);
    return Rows{static_cast<int>(std::max<long long>(start, part.first)),
                static_cast<int>(std::min<long long>(start + a.kernel, part.end))};
  };
  for (int y = clahe_block(down, rows.first); y <= clahe_block(down, rows.end - 1); ++y)
    for (int x = 0; x <= clahe_block(across, across.side - 1); ++x) {
      const int left = clahe_tile_before(x), right = clahe_tile_after(across, x);
      const int above = clahe_tile_before(y), below = clahe_tile_after(down, y);
      Block block{&group,
                  inside(down, y, rows),
                  inside(across, x, {0, across.side}),
                  {tile(left, above), tile(right, above), tile(left, below), tile(right, below)},
                  nullptr};
      if (1LL * block.rows.count() * block.columns.count() >= kClaheBins) {
        for (int k = 0; k < 2 * kClaheBins; ++k) {
          const int side = k % 2, bin = k / 2;
          curves[k] = block.corners[side][bin];
          curves[2 * kClaheBins + k] = block.corners[2 + side][bin];
        }
        block.curves = curves;
      }
      visit(block);
    }
}

ClaheRun ClaheBlocks::run_of(const Block& block, const unsigned char* slots,
                             const ClaheChunk& chunk, std::uint16_t* levels) const {
  const auto offset = static_cast<std::size_t>(clahe_offset(shape_.across, chunk.x));
  const double below = clahe_weight_after(shape_.down, clahe_offset(shape_.down, chunk.y));
  return {slots,     chunk.count, block.curves, across_.data() + 2 * offset, right_.data() + offset,
          1 - below, below,       levels};
}

template <class Take>
void ClaheBlocks::each_chunk(const Block& block, const Piece& in, Take take) const {
  unsigned char buffer[kClaheChunk];
  std::uint16_t levels[kClaheChunk];
  const ClaheGroup& group = *block.group;
  for (int y = block.rows.first; y < block.rows.end; ++y)
    for (int x = block.columns.first; x < block.columns.end; x += kClaheChunk)
      for (int c = 0; c < shape_.channels; ++c) {
        const int count = std::min(kClaheChunk, block.columns.end - x);
        const ClaheChunk chunk{x, y, group.first_channel + c, count, levels};
        const unsigned char* slots =
            clahe_slots(in.view, x, y - in.first_row, chunk.channel, count, group, buffer);
        take(run_of(block, slots, chunk, levels), chunk);
      }
}

void ClaheBlocks::make_levels(const Block& block, const ClaheRun& run) const {
  if (block.curves) return functions_.levels(run);
  for (int k = 0; k < run.count; ++k) {
    float corners[4];
    for (int i = 0; i < 4; ++i) corners[i] = block.corners[i][run.slots[k]];
    run.levels[k] = static_cast<std::uint16_t>(
        clahe_level(corners[0], corners[1], corners[2], corners[3], run.across[2 * k],
                    run.across[2 * k + 1], run.above, run.below));
  }
}

void ClaheBlocks::levels(const ClaheGroup& group, const Piece& in, Rows rows,
                         const std::function<void(const ClaheChunk&)>& take) const {
  each_block(group, rows, [&](const Block& block) {
    each_chunk(block, in, [&](const ClaheRun& run, const ClaheChunk& chunk) {
      make_levels(block, run);
      take(chunk);
    });
  });
}

ClaheExtremes ClaheBlocks::extremes(const ClaheGroup& group, const Piece& in, Rows rows) const {
  ClaheExtremes found;
  const auto inside = [&](const ClaheBounds& bounds) {
    return bounds.low - kClaheDoubt >= static_cast<float>(found.low) &&
           bounds.high + kClaheDoubt < static_cast<float>(found.high + 1);
  };
  each_block(group, rows, [&](const Block& block) {
    each_chunk(block, in, [&](const ClaheRun& run, const ClaheChunk& chunk) {
      if (block.curves && inside(functions_.bounds(run))) return;
      make_levels(block, run);
      // Not minmax_element, which compilers do not turn into vectors.
      std::uint16_t low = chunk.levels[0], high = low;
      for (int k = 1; k < chunk.count; ++k) {
        low = std::min(low, chunk.levels[k]);
        high = std::max(high, chunk.levels[k]);
      }
      found = {std::min<int>(found.low, low), std::max<int>(found.high, high)};
    });
  });
  return found;
}

}  // namespace tessera
