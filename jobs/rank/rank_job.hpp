// SPDX-License-Identifier: Apache-2.0
/// Medians and other ranks of an image file. Rows are streamed, so files may be larger than memory.
///
///     MedianJob job{.input = "in.png", .footprint = "3", .output = "out.png"};
///     ImageResult result = job.run();
#pragma once

#include <string>

#include "io/image_file.hpp"
#include "jobs/image_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/rank_filter.hpp"

namespace tessera {

/// `Options` are RankOptions or MedianOptions.
template <class Options>
struct RankJobOf {
  std::string input;  ///< an image file, or "-"
  std::string
      footprint;       ///< "5", "5x3", an element by name, or the nonzero pixels of an image file
  std::string output;  ///< an image file, or "-"
  Options options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the result differs from the reference.
  ImageResult run(const Progress& progress = {}) const;
};
using RankJob = RankJobOf<RankOptions>;
using MedianJob = RankJobOf<MedianOptions>;

/// The footprint that a word stands for: a box for "5" and "5x3", a file if it has the ending of an
/// image format, else an element's name.
Image load_footprint(const std::string& text);

}  // namespace tessera
