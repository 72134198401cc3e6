// SPDX-License-Identifier: Apache-2.0
/// The published programs' solvers for the field of a cell, from its edges; each returns the number
/// of steps.
#pragma once

#include <vector>

#include "ops/cells/study/cells_case.hpp"
#include "ops/cells/study/track_args.cuh"

namespace tessera {

/// In the order of their launches.
using MgvfKernels = std::vector<const GpuKernel*>;

int solve_heaviside(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                    double* field);
int solve_larger_kernel(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                        double* field);
int solve_reduced_allocation(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                             double* field);
int solve_partial_reduction(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                            double* field);
/// `launches` are made before the host checks for convergence, at least one step.
int solve_two_kernels(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                      double* field, int launches = kLaunchesInARow);
int solve_one_kernel(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                     double* field, int launches = kLaunchesInARow);
/// All steps in one launch, by the block of the persistent program.
int solve_by_one_block(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                       double* field);
/// All steps in one launch of kFieldBlocks, which wait for each other.
int solve_with_fence(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                     double* field);

/// A loop on the device makes all steps of a cell. Memory and graph are made once, for all cells.
void track_by_graph(const TrackedFrame& frame, const MgvfKernels& kernels, WatchedDevice& device,
                    Tracked& made);

/// All cells of a frame in one launch; then their stars.
void track_persistent(const TrackedFrame& frame, const MgvfKernels& kernels, WatchedDevice& device,
                      Tracked& made);

}  // namespace tessera
