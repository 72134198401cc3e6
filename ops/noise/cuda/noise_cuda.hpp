// SPDX-License-Identifier: Apache-2.0
/// What the CUDA methods of noise share: arguments, kernels, images of the host.
#pragma once

#include <string>

#include "core/kernel.hpp"
#include "core/staging.hpp"
#include "ops/noise/cuda/noise_slide_args.cuh"
#include "ops/noise/noise_problem.hpp"

namespace tessera {

/// Quantiles and planes as kernels take them.
NoiseSlideRule noise_rule(const NoiseProblem& problem);

/// The arguments' image: `in` and `out` from their first rows on.
PieceArgs noise_piece(const NoiseProblem& problem, const Piece& in, const MutablePiece& out);

/// The entry `ENTRY` of a unit, or what the run-time compiler makes of `body`, where tests ask for
/// that.
const GpuKernel& noise_kernel(const NoiseProblem& problem, KernelName name);

/// Calls `work` with pieces on the device that hold all rows they need: those given, or strips of
/// images of the host, which leave memory to `work` where they may take but one of some parts of
/// the limit.
void run_noise_on_device(const NoiseProblem& problem, const Piece& in, const MutablePiece& out,
                         Stream& stream, const DeviceWork& work, int limit_parts = 1);

}  // namespace tessera
