// SPDX-License-Identifier: Apache-2.0
/// How the direct CUDA method cuts shifts and pixels into jobs.
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cuda/correlate_direct_args.cuh"

namespace tessera {

struct DirectTiles {
  DirectTiles(const CorrelateProblem& problem, const CorrelateDirectKnobs& knobs);

  CorrelateDirectKnobs knobs;
  std::vector<DirectTile> tiles;  ///< row after row
  int tiles_across, start_x;
  long long jobs = 0;  ///< per pair of planes
  /// Zeros around planes, so that no job reads outside; rows are aligned to 16 bytes.
  int margin_x, margin_y, padded_width, padded_height;

  /// Sums of a job.
  int tile_shifts() const { return knobs.shifts_x() * knobs.shifts_y(); }
};

}  // namespace tessera
