// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/enhance_clahe_rows.hpp"

#include <algorithm>

#include "core/isa.hpp"

namespace tessera {

const unsigned char* clahe_slots(const AnyView& in, int x, int y, int channel, int plane, int count,
                                 const std::uint16_t* bins, unsigned char* buffer) {
  if (in.type == Type::u8) {
    const unsigned char* from = in.address(x, y, plane) + channel;
    if (in.pixel == 1) return from;
    for (int k = 0; k < count; ++k) buffer[k] = from[k * in.pixel];
  } else {
    const auto* from = reinterpret_cast<const std::uint16_t*>(in.address(x, y, plane)) + channel;
    for (int k = 0; k < count; ++k)
      buffer[k] = static_cast<unsigned char>(bins[from[k * in.pixel]]);
  }
  return buffer;
}

/// The part of a block that lies in some rows: the tiles at its corners and their curves.
struct ClaheBlocks::Block {
  const ClaheGroup* group;
  Rows rows;
  int first_x, end_x;
  const std::uint16_t* corners[4];  ///< left above, right above, left below, right below
  const float* curves;              ///< of the four, side by side; null where few pixels read them
};

ClaheBlocks::ClaheBlocks(const ClaheShape& shape) : shape_(shape) {
  apply_isa_environment();
  run_ = clahe_run_function();
  for (int offset = 0; offset < shape.across.kernel; ++offset) {
    const double after = clahe_weight_after(shape.across, offset);
    across_.insert(across_.end(), {1 - after, after});
  }
}

void ClaheBlocks::levels(const ClaheGroup& group, const Piece& in, Rows rows,
                         const std::function<void(const ClaheChunk&)>& take) const {
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
      const Rows columns = inside(across, x, {0, across.side});
      Block block{&group,
                  inside(down, y, rows),
                  columns.first,
                  columns.end,
                  {tile(left, above), tile(right, above), tile(left, below), tile(right, below)},
                  nullptr};
      if (1LL * block.rows.count() * columns.count() >= kClaheBins) {
        for (int k = 0; k < 4 * kClaheBins; ++k) curves[k] = block.corners[k % 4][k / 4];
        block.curves = curves;
      }
      block_rows(block, in, take);
    }
}

void ClaheBlocks::block_rows(const Block& block, const Piece& in,
                             const std::function<void(const ClaheChunk&)>& take) const {
  unsigned char buffer[kClaheChunk];
  std::uint16_t levels[kClaheChunk];
  const ClaheGroup& group = *block.group;
  for (int y = block.rows.first; y < block.rows.end; ++y)
    for (int x = block.first_x; x < block.end_x; x += kClaheChunk)
      for (int c = 0; c < shape_.channels; ++c) {
        const int channel = group.first_channel + c, count = std::min(kClaheChunk, block.end_x - x);
        const unsigned char* slots = clahe_slots(in.view, x, y - in.first_row, channel, group.plane,
                                                 count, group.bins, buffer);
        chunk_levels(block, slots, x, y, count, levels);
        take({x, y, channel, count, levels});
      }
}

void ClaheBlocks::chunk_levels(const Block& block, const unsigned char* slots, int x, int y,
                               int count, std::uint16_t* levels) const {
  const double* across = across_.data() + 2LL * clahe_offset(shape_.across, x);
  const double below = clahe_weight_after(shape_.down, clahe_offset(shape_.down, y));
  if (block.curves) return run_({slots, count, block.curves, across, 1 - below, below, levels});
  for (int k = 0; k < count; ++k) {
    float corners[4];
    for (int i = 0; i < 4; ++i) corners[i] = block.corners[i][slots[k]];
    levels[k] =
        static_cast<std::uint16_t>(clahe_level(corners[0], corners[1], corners[2], corners[3],
                                               across[2 * k], across[2 * k + 1], 1 - below, below));
  }
}

}  // namespace tessera
