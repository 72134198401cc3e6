// SPDX-License-Identifier: Apache-2.0
/// Makes an image file readable: grey, contrast, smoothing and more, into another file. Rows are
/// streamed, several times if steps measure the whole image, so files may be larger than memory.
///
///     EnhanceJob job{.input = "map.png", .output = "readable.png"};
///     job.options.steps = "grey,contrast,smooth";
///     EnhanceResult result = job.run();
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/enhance/enhance_reports.hpp"
#include "jobs/enhance/enhance_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/enhance.hpp"

namespace tessera {

struct EnhanceJob {
  std::string input;       ///< an image file, or "-"
  std::string output;      ///< an image file, or "-"
  EnhanceOptions options;  ///< smooth may also name an image file of weights
  EnhanceReports reports;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the result differs from the reference.
  EnhanceResult run(const Progress& progress = {}) const;
};

/// Throws Error(usage) for options that need a single file.
void check_batch_of(const EnhanceJob& job);

/// The weights that a word stands for: a file if it has the ending of an image format, else a name.
Image load_smoothing(const std::string& text);

}  // namespace tessera
