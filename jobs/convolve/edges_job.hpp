// SPDX-License-Identifier: Apache-2.0
/// The steepness of an image file as another. Rows are streamed, so files may be larger than
/// memory.
///
///     EdgesJob job{.input = "in.png", .filters = "sobel", .output = "out.png"};
///     ImageResult result = job.run();
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/image_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/edges.hpp"

namespace tessera {

struct EdgesJob {
  std::string input;    ///< an image file, or "-"
  std::string filters;  ///< two derivatives by name ("sobel", "gauss:2")
  std::string output;   ///< an image file, or "-"
  EdgesOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the result is outside the bound.
  ImageResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
