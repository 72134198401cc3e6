// SPDX-License-Identifier: Apache-2.0
/// The arguments of the kernels of rank filters, which tests also give to kernels on the CPU.
#pragma once

#include "ops/noise/rank/cuda/rank_args.cuh"
#include "ops/noise/rank/rank_problem.hpp"

namespace tessera {

/// For all rows of `out` and its first plane; `pixels` is set by the caller.
RankArgs rank_args(const RankProblem& problem, const Piece& in, const MutablePiece& out);

/// The footprint as kernels read it.
std::vector<RankPixel> rank_pixels(const RankProblem& problem);

}  // namespace tessera
