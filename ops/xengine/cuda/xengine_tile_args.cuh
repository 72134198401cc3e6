// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that multiply tiles of inputs, and the shapes that host and kernels
// share.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// As XEngineTiles. All addresses and steps are multiples of 16 bytes.
struct XEngineTileArgs {
  const unsigned char* samples;
  long long channel_step, time_step;
  long long length;  ///< samples in time
  long long values;  ///< complex sums per channel
  int* sums;
  int channels, inputs, polarisations;
  bool add;
};

/// A tile is 128 rows (inputs i) by 128 columns (inputs j), in quarters of 64 by 64.
inline constexpr int kTileInputs = 128, kHalfTile = 64;

/// Stages of the pipeline: 64 samples in time of 128 or 256 inputs, in pieces of 16 bytes, 8
/// samples of an input. Their layout in shared memory depends on the writer; tensor cores read both
/// forms without bank conflicts.
inline constexpr int kStageSamples = 64, kStagePieces = 8, kPieceBytes = 16;
inline constexpr int kStageTileBytes = kStagePieces * (kTileInputs / 8 * 144);
inline constexpr int kStageBytes = 2 * kStageTileBytes;
static_assert(kStageBytes % 256 == 0 && kStageTileBytes % 256 == 0);

/// The same pieces of 8 inputs are adjacent, 128 bytes: the "core matrix" of tensor cores. Those of
/// the next 8 inputs are 144 bytes further on, so that 8 threads that each write the samples of 8
/// inputs use all banks.
struct OctetForm {
  static constexpr bool kSwizzled = false;
  static constexpr int kOctetStep = 144, kPieceStep = kTileInputs / 8 * kOctetStep;
  /// Distance from a piece to the one two later, and to the same piece of the input 16 further on.
  static constexpr int kPairStep = 2 * kPieceStep, kSixteenStep = 2 * kOctetStep;

  /// Bytes from the beginning of a stage to a piece of one of its halves.
  TESSERA_BOTH static constexpr int place(int half, int piece, int row) {
    return half * kStageTileBytes + piece * kPieceStep + row / 8 * kOctetStep +
           row % 8 * kPieceBytes;
  }
};

/// Two pieces of an input are adjacent, and those of the next input follow, as in the samples
/// themselves: 8 threads copy 128 bytes to 128 bytes, which the cache requests at once. In every
/// second group of four inputs the two pieces are swapped (the 32-byte swizzle of wgmma), so that
/// the first pieces of 8 inputs are in different banks.
struct PairForm {
  static constexpr bool kSwizzled = true;
  static constexpr int kPairStep = kTileInputs * 32, kSixteenStep = 16 * 32;

  TESSERA_BOTH static constexpr int place(int half, int piece, int row) {
    return half * kStageTileBytes + piece / 2 * kPairStep + row * 32 +
           (piece % 2 ^ row / 4 % 2) * kPieceBytes;
  }
};

/// Sums of imaginary parts of the column inputs: up to 16 threads have a part of each.
inline constexpr int kColumnSumBytes = kTileInputs * 4, kColumnPartBytes = 16 * kColumnSumBytes;

/// Arrays of up to 64 inputs use two channels per tile: rows and columns of the second half are
/// those of the next channel, and only the quarters on the diagonal are computed.
TESSERA_BOTH constexpr bool two_channels_a_tile(int inputs) { return inputs <= kHalfTile; }

/// Tiles of a launch.
TESSERA_BOTH constexpr long long count_tiles(int channels, int inputs) {
  if (two_channels_a_tile(inputs)) return (channels + 1) / 2;
  const long long across = (inputs + kTileInputs - 1) / kTileInputs;
  return channels * (across * (across + 1) / 2);
}

/// Kernels whose threads all do everything: two stages.
inline constexpr int kTileThreads = 256;
inline constexpr int kTileSharedBytes = 2 * kStageBytes + kColumnPartBytes + kColumnSumBytes;

}  // namespace tessera
