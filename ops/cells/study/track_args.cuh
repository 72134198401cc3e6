// SPDX-License-Identifier: Apache-2.0
// What the host tells a rung of the tracking ladder: fields of 41 by 81 samples, rows one after the
// other.
#pragma once

namespace tessera {

inline constexpr int kFieldWidth = 81, kFieldHeight = 41,
                     kFieldSamples = kFieldWidth * kFieldHeight;
inline constexpr int kMostMgvfSteps = 500;
inline constexpr double kMgvfTolerance = 1e-5;
/// Of the sum of changes.
inline constexpr float kMgvfLimit = static_cast<float>(kMgvfTolerance * kFieldSamples);
inline constexpr int kMgvfThreads = 64;  ///< of a block where a thread has a sample: 52 blocks
inline constexpr int kPersistentThreads = 320;  ///< of the block that has a cell
inline constexpr int kLaunchesInARow = 30;      ///< before the host looks whether it is over

struct MgvfState {
  int done, steps;
};

struct TrackArgs {
  const float* edges;
  const float* from;
  float* to;
  float* sums;               ///< of a block, what it changed
  const float* sums_before;  ///< of the launch before
  MgvfState* state;
  int width, height;
  int blocks;   ///< sums there are
  int step;     ///< launches before this one
  float limit;  ///< of the sum of changes
};

}  // namespace tessera
