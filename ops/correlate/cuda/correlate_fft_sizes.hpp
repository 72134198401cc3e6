// SPDX-License-Identifier: Apache-2.0
/// Lengths of the transforms on a GPU, and which planes are transformed together.
#pragma once

#include <vector>

#include "core/kernel.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cuda/correlate_fft_args.cuh"

namespace tessera {

/// Key of the tuning tables.
inline constexpr const char* kCorrelateFftSite = "correlate.fft@1";

/// The kernels of a correlation: maps of planes with themselves take rows, powers and results.
enum CorrelateFftStep { kRows, kPowers, kColumns, kProducts, kResults, kSteps };

/// Lengths of rows and columns, long enough that no wanted shift wraps around, and lines per block.
struct CorrelateFftSizes {
  /// Knobs from the tables of the problem's device.
  explicit CorrelateFftSizes(const CorrelateProblem& problem);
  CorrelateFftSizes(const CorrelateProblem& problem, const Knobs& tuned, int shared_bytes);
  int across, down;
  CorrelateFftKnobs knobs;  ///< as many lines as fit into shared memory
};

/// The kernel of a step: for any lengths, or compiled at run time for these.
KernelName correlate_fft_kernel(const CorrelateProblem& problem, const CorrelateFftSizes& sizes,
                                CorrelateFftStep step, bool compiled);
/// Whether compiling kernels for its lengths pays.
bool correlate_fft_compiles(const CorrelateProblem& problem, const CorrelateFftSizes& sizes);

/// Shared memory of a block that computes the powers of this many columns.
int correlate_powers_bytes(int length, int columns);

/// exp(-2 pi i k / length), each to the last bit.
std::vector<LineValue> line_turns(int length);

/// Pairs of planes, and where those of each map begin.
struct PlanePacking {
  std::vector<PackedPlanes> planes;
  std::vector<int> begin{0};
};
/// For maps that are sums of planes with themselves.
PlanePacking pack_maps(const CorrelateProblem& problem);
/// For all planes, whatever the maps.
PlanePacking pack_planes(const CorrelateProblem& problem);

}  // namespace tessera
