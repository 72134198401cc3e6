// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/cpu/convolve_block.hpp"

#include <algorithm>

#include "core/rows.hpp"
#include "ops/convolve/parts/packed_weights.hpp"

namespace tessera {

std::vector<const unsigned char*> needed_rows(const ConvolveProblem& p, const Piece& in, int plane,
                                              Rows rows) {
  return row_addresses(
      in, plane, find_rows("convolve", p.needs(rows), in.rows(), p.image.size.height, p.border));
}

void place_block(ConvolveBlock& block, const Piece& in, const MutablePiece& out, int plane,
                 Rows rows) {
  block.in_pixel = in.view.pixel;
  block.out = out.view.address(0, rows.first - out.first_row, plane);
  block.out_pixel = out.view.pixel;
  block.out_row = out.view.row;
  block.out_first_row = rows.first;
  block.rows = rows.count();
}

int block_columns(long long bytes, long long column_bytes, int width) {
  const long long whole = (width + kTileSamples - 1) / kTileSamples * kTileSamples;
  return static_cast<int>(std::clamp<long long>(bytes / column_bytes / kTileSamples * kTileSamples,
                                                kTileSamples,
                                                std::max<long long>(kTileSamples, whole)));
}

int chunk_columns(const Size& size, int piece_rows, int step) {
  constexpr int kPieces = 64, kLeastColumns = 512;
  const long long pieces = 1LL * size.planes * ((size.height + piece_rows - 1) / piece_rows);
  const auto most = std::max<long long>(1, size.width / kLeastColumns);
  const long long chunks = std::clamp<long long>(kPieces / std::max(1LL, pieces), 1, most);
  return static_cast<int>((size.width + chunks * step - 1) / (chunks * step) * step);
}

}  // namespace tessera
