// SPDX-License-Identifier: Apache-2.0
/// How spectra are divided among teams of threads on a GPU.
#pragma once

#include <string>

#include "ops/faraday/cuda/faraday_team_args.cuh"

namespace tessera {

struct FaradayTeamRequest {
  Type type;
  int depths;
  int team_threads;
  bool table;     ///< an RMSF in shared memory (faraday_clean_args.cuh)
  bool compiled;  ///< for the very number of depths a thread
  int shared_bytes;
};

struct FaradayTeamShape {
  int team_threads, teams;  ///< of a block
  int each;                 ///< depths a thread
  bool exact;               ///< which are as many as it needs
  int entries;              ///< of a table, wherever it is
  int bytes;                ///< of shared memory
  std::string name;         ///< of the entry ahead of time: "f32_401", "f64_warps", "f32_blocks"
};

FaradayTeamShape faraday_team_shape(const FaradayTeamRequest& request);

/// Empty: there is a shape.
std::string why_no_faraday_team_shape(const FaradayTeamRequest& request);

/// Whether a unit's kernel for one shape can be had on a device, and so many pixels are worth the
/// seconds that it takes to compile once.
bool faraday_compiling_pays(const ImageInfo& image, int device, const std::string& unit);

}  // namespace tessera
