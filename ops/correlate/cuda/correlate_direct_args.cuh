// SPDX-License-Identifier: Apache-2.0
// Arguments of the direct kernels of correlate.
#pragma once

#include "ops/correlate/cuda/correlate_args.cuh"

namespace tessera {

/// A warp owns 32 x 32 shifts, a block the shifts of this many warps. They change no bit.
struct CorrelateDirectKnobs {
  int warps_x = 2, warps_y = 2;

  TESSERA_BOTH constexpr int shifts_x() const { return 32 * warps_x; }
  TESSERA_BOTH constexpr int shifts_y() const { return 32 * warps_y; }
  TESSERA_BOTH constexpr int threads() const { return 32 * warps_x * warps_y; }
};

/// A job is a tile of shifts over kJobRows x kJobColumns pixels, counted from the image's origin.
/// Sums in f32 are short, because their rounding errors can all have one sign: kRunColumns products
/// make a run, there are up to seven runs per row and six rows per job, and jobs are added in
/// double.
inline constexpr int kRunColumns = 24, kJobColumns = 7 * kRunColumns, kJobRows = 6;

/// A row of the first image's pixels in shared memory. 4 more than a multiple of 8, so that two
/// rows and four neighbouring threads use different banks.
TESSERA_BOTH constexpr int direct_pitch(const CorrelateDirectKnobs& k) {
  return k.shifts_x() + kJobColumns + 4;
}
TESSERA_BOTH constexpr int direct_shared_bytes(const CorrelateDirectKnobs& k) {
  return 4 * (direct_pitch(k) * (k.shifts_y() + kJobRows - 1) + kJobColumns * kJobRows);
}

/// Shifts from dx, dy on, and the jobs that have pixels for at least one of them.
struct DirectTile {
  int dx, dy;
  int first_column, columns, first_row, rows;  ///< in jobs
  long long first_job;
};

struct CorrelateDirectArgs : CorrelateArgs {
  CorrelateDirectKnobs knobs;
  float* padded;  ///< planes surrounded by zeros: of images, in each of the sources
  int margin_x, margin_y, padded_width, padded_height;
  int* found;  ///< not_finite, to be written: one slot for each block that pads
  const DirectTile* tiles;
  int tile_count, tiles_across;
  int start_x;           ///< the shift of the first tile's first column, a multiple of 4
  long long jobs;        ///< per pair of planes
  long long first, end;  ///< jobs of this launch, counted over images, their pairs and jobs
  float* partial;        ///< sums of each job of this launch
  double* running;       ///< sums so far, if the jobs take several launches
};

inline constexpr int kPaddedRowsABlock = 8;

}  // namespace tessera
