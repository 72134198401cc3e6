// SPDX-License-Identifier: Apache-2.0
/// How the direct CUDA method cuts shifts and pixels into jobs.
#pragma once

#include <vector>

#include "core/kernel.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cuda/correlate_direct_args.cuh"

namespace tessera {

/// Key of the tuning tables.
inline constexpr const char* kCorrelateDirectSite = "correlate.direct@1";

/// Knobs of the entry points: with few shifts, most warps of a large tile would have no work.
CorrelateDirectKnobs usual_direct_knobs(const CorrelateProblem& problem);
/// Knobs from a table; the usual ones if their tile exceeds the shared memory of a block.
CorrelateDirectKnobs with_table(const CorrelateProblem& problem, const Knobs& tuned,
                                int shared_bytes);
/// The kernel that runs jobs: the entry point, or one compiled at run time for other knobs.
KernelName correlate_jobs_kernel(const CorrelateProblem& problem,
                                 const CorrelateDirectKnobs& knobs);

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
