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
  bool compiled;  ///< for the exact number of depths per thread
  int shared_bytes;
};

struct FaradayTeamShape {
  int team_threads, teams;  ///< per block
  int each;                 ///< depths per thread
  bool exact;               ///< whether that is exactly as many as needed
  int entries;              ///< of a table, wherever it is stored
  int bytes;                ///< of shared memory
  std::string name;  ///< of the compiled-in entry point: "f32_401", "f64_warps", "f32_blocks"
};

FaradayTeamShape faraday_team_shape(const FaradayTeamRequest& request);

/// Empty: there is a shape.
std::string why_no_faraday_team_shape(const FaradayTeamRequest& request);

/// Whether a kernel for one shape can be compiled on a device, and this many pixels are worth the
/// seconds that takes once.
bool faraday_compiling_pays(const ImageInfo& image, int device, const std::string& unit);

}  // namespace tessera
