// SPDX-License-Identifier: Apache-2.0
// Rung 6: padding columns. In a block narrower than the 32 memory banks a warp reads several rows
// of the tile; it meets no bank twice when each row begins where the one above left off. The paper:
// row width = ceil((Fw - 1) / 32) * 32 + Bw. With N tiles side by side that would be a multiple of
// 32 again for even N, so here the part that is rounded up holds all tiles except one: N = 1 is the
// paper's.
#pragma once

namespace tessera {

constexpr int padded_row(int filter_width, int block_x, int tiles) {
  constexpr int kBanks = 32;
  const int rest = filter_width - 1 + block_x * (tiles - 1);
  if (block_x % kBanks == 0) return rest + block_x;
  return (rest + kBanks - 1) / kBanks * kBanks + block_x;
}

}  // namespace tessera
