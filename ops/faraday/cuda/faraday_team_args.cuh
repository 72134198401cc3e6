// SPDX-License-Identifier: Apache-2.0
// Constants that host and kernels share about teams of threads that work on one spectrum: a warp,
// or a block. Thread r has depths r, r + threads, and so on.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

inline constexpr int kFaradayWarp = 32;
/// Threads per block, and of a team that is a block.
inline constexpr int kFaradayTeamThreads = 256;
/// Maximum depths per thread: their state is in registers.
inline constexpr int kFaradayMostEach = 32;
/// Numbers of 8 bytes in shared memory for a team that is a block.
inline constexpr int kFaradayTeamSlots = 2 * kFaradayTeamThreads / kFaradayWarp;

/// Spectra of neighbouring pixels in shared memory: elements, of two numbers each, from one pixel
/// to the next. Eight pixels of one or two depths, which part of a warp stores at a time, then lie
/// in different banks.
TESSERA_BOTH constexpr int faraday_tile_stride(int depths, int real_bytes) {
  return real_bytes == 4 ? (depths + 13) / 16 * 16 + 2 : depths | 1;
}

/// Bytes of shared memory: the numbers of a table, a tile, and the data teams exchange.
TESSERA_BOTH constexpr int faraday_team_bytes(int numbers, int depths, int teams, int real_bytes) {
  const int tile = 2 * teams * faraday_tile_stride(depths, real_bytes);
  return (real_bytes * (numbers + tile) + 15) / 16 * 16 + 8 * kFaradayTeamSlots;
}

}  // namespace tessera
