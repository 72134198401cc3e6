// SPDX-License-Identifier: Apache-2.0
/// Shared by the CUDA methods of noise: arguments, kernels, images on the host.
#pragma once

#include <string>

#include "core/kernel.hpp"
#include "core/staging.hpp"
#include "ops/noise/cuda/noise_slide_args.cuh"
#include "ops/noise/noise_problem.hpp"

namespace tessera {

/// Quantiles and planes in the form kernels take.
NoiseSlideRule noise_rule(const NoiseProblem& problem);

/// The arguments' image: `in` and `out` from their first rows on.
PieceArgs noise_piece(const NoiseProblem& problem, const Piece& in, const MutablePiece& out);

/// The entry point `ENTRY` of a unit, or the kernel that the run-time compiler makes from `body`,
/// if tests ask for that.
const GpuKernel& noise_kernel(const NoiseProblem& problem, KernelName name);

/// Calls `work` with pieces on the device that hold all rows they need: those given, or strips of
/// host images. Strips may take only one of a number of parts of the memory limit; the rest is left
/// to `work`.
void run_noise_on_device(const NoiseProblem& problem, const Piece& in, const MutablePiece& out,
                         Stream& stream, const DeviceWork& work, int limit_parts = 1);

}  // namespace tessera
