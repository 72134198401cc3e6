// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the tracking ladder: fields of 41 by 81 samples, stored row by row.
#pragma once

namespace tessera {

inline constexpr int kFieldWidth = 81, kFieldHeight = 41,
                     kFieldSamples = kFieldWidth * kFieldHeight;
inline constexpr int kMostMgvfSteps = 500;
inline constexpr double kMgvfTolerance = 1e-5;
/// Limit of the sum of changes.
inline constexpr float kMgvfLimit = static_cast<float>(kMgvfTolerance * kFieldSamples);
inline constexpr int kMgvfThreads = 64;  ///< of a block with one sample per thread: 52 blocks
inline constexpr unsigned kFieldBlocks = (kFieldSamples + kMgvfThreads - 1) / kMgvfThreads;
inline constexpr int kPersistentThreads = 320;  ///< of a block that has a cell
inline constexpr int kLaunchesInARow = 30;      ///< before the host checks for convergence

struct MgvfState {
  int done, steps;
  unsigned arrived;  ///< blocks at a fence, counted from the start
};

struct TrackArgs {
  const float* edges;
  const float* from;
  float* to;
  float* sums;               ///< of the changes of each block
  const float* sums_before;  ///< of the previous launch
  MgvfState* state;
  int width, height;
  int blocks;   ///< number of sums
  int step;     ///< number of launches before this one
  float limit;  ///< of the sum of changes
};

/// A launch that makes all steps: the even ones and the odd ones.
struct FenceArgs {
  TrackArgs even, odd;
};

/// The kernel that adds up a step's changes in a graph; `loop` is the loop's handle, 0 for the
/// first of its two steps.
struct GraphCheckArgs {
  TrackArgs track;
  unsigned long long loop;
};

}  // namespace tessera
