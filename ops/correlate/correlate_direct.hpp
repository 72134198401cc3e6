// SPDX-License-Identifier: Apache-2.0
/// One block of the direct method on the CPU: the work of one thread between two synchronisations.
#pragma once

namespace tessera {

/// Shifts dy that a block has, and the most shifts dx: whole tiles of every SIMD target.
inline constexpr int kBlockRows = 4, kBlockColumns = 288;

/// Two planes: the first pixel of each. Rows have zeros before and behind (padded_planes.hpp).
struct DirectPair {
  const float *first, *second;
};

/// The sums of shifts dx .. dx + columns - 1 by dy .. dy + kBlockRows - 1 over all pairs.
struct CorrelateBlock {
  const DirectPair* pairs;
  int pair_count;
  long long row;  ///< step of all planes
  int width, height;
  int dx, dy, columns;
  const float* zeros;  ///< a row of them
  double* totals;      ///< kBlockRows rows of kBlockColumns
};

using CorrelateBlockFunction = void (*)(const CorrelateBlock&);

/// For this CPU's best (or the forced) SIMD target.
CorrelateBlockFunction correlate_block_function();

}  // namespace tessera
