// SPDX-License-Identifier: Apache-2.0
/// Filters an image file into another. Rows are streamed, so files may be larger than memory.
///
///     ConvolveJob job{.input = "in.png", .filter = "gauss:2.5", .output = "out.npy"};
///     ConvolveResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/convolve/convolve_check.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

struct ConvolveResult {
  std::string ran;  ///< the plan in words
  std::string input, output;
  StageSeconds seconds;
  double pixels_per_second = 0;  ///< over all stages
  std::optional<ConvolveCheck> check;
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = ConvolveResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("input", &R::input, "the image read"),
        field("output", &R::output, "the image written"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second, "output pixels a second, files included"),
        field("check", &R::check, "how far the result is from the reference"),
        field("warnings", &R::warnings, "what was missing and filled"),
    };
  }
  std::string describe() const;
};

struct ConvolveJob {
  std::string input;   ///< an image file, or "-"
  std::string filter;  ///< a filter by name ("gauss:2.5") or an image file of weights
  std::string output;  ///< an image file, or "-"
  ConvolveOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) when the result is outside the bound.
  ConvolveResult run(const Progress& progress = {}) const;
};

/// The weights a word stands for: a file where it has the extension of an image format, the product
/// of two files with outer:ROW,COLUMN, else a name.
Image load_filter(const std::string& text);

}  // namespace tessera
