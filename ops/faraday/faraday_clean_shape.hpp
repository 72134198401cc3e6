// SPDX-License-Identifier: Apache-2.0
/// How RM-CLEAN is divided among teams of threads on a GPU.
#pragma once

#include <string>

#include "ops/faraday/faraday_team_args.cuh"

namespace tessera {

struct CleanShapeRequest {
  Type type;
  int depths;
  int team_threads;
  bool many;      ///< pixels have tables of their own
  bool compiled;  ///< for the very number of depths a thread
  int shared_bytes;
};

struct CleanShape {
  int team_threads, teams;  ///< of a block
  int each;                 ///< depths a thread
  int entries;              ///< of a table
  bool many;                ///< tables are read from global memory
  bool exact;               ///< depths a thread are as many as it needs
  std::string entry;        ///< ahead of time
  std::string body;         ///< compiled at run time, or empty
  int bytes;                ///< of shared memory
};

CleanShape clean_shape(const CleanShapeRequest& request);

/// Empty: there is a shape.
std::string why_no_clean_shape(const CleanShapeRequest& request);

}  // namespace tessera
