// SPDX-License-Identifier: Apache-2.0
/// Filters an image file into another. Rows are streamed, so files may be larger than memory.
///
///     ConvolveJob job{.input = "in.png", .filter = "gauss:2.5", .output = "out.npy"};
///     ImageResult result = job.run();
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/image_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

struct ConvolveJob {
  std::string input;   ///< an image file, or "-"
  std::string filter;  ///< a filter by name ("gauss:2.5") or an image file of weights
  std::string output;  ///< an image file, or "-"
  ConvolveOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the result is outside the bound.
  ImageResult run(const Progress& progress = {}) const;
};

/// The weights that a word stands for: a file if it has the ending of an image format, the product
/// of two files with outer:ROW,COLUMN, else a name.
Image load_filter(const std::string& text);

}  // namespace tessera
