// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel that joins the results of a filter's planes.
#pragma once

#include "core/joined_samples.cuh"

namespace tessera {

/// Threads of a block, side by side, and the rows that each walks down.
struct VolumeJoinKnobs {
  int threads, rows;
};
inline constexpr VolumeJoinKnobs kVolumeJoinKnobs{128, 4};

/// Slices per launch; filters with more planes take several launches.
inline constexpr int kSlicesPerLaunch = 32;

/// The result of one plane of the filter: packed rows, or the same value everywhere.
struct JoinedSlice {
  const void* rows;  ///< null: `value` everywhere
  double factor, value;
};

/// Rows of one plane of the result; steps count samples.
struct VolumeJoinArgs {
  JoinedSlice slices[kSlicesPerLaunch];
  int count;
  bool begins, ends;  ///< nothing is joined yet; nothing follows
  void* so_far;       ///< packed rows, between launches
  void* out;
  long long out_pixel, out_row;
  int columns, channels, rows;
};

}  // namespace tessera
