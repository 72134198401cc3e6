// SPDX-License-Identifier: Apache-2.0
/// Catalogues of the sources of an image, from one image file to another. Rows are streamed, so
/// files may be larger than memory.
///
///     SourcesJob job{.input = "in.png", .output = "out.npy"};
///     SourcesResult result = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/sources.hpp"

namespace tessera {

struct SourcesResult {
  std::string ran;  ///< the plan in words
  std::string input, output;
  StageSeconds seconds;
  double pixels_per_second = 0;       ///< over all stages
  std::vector<std::string> warnings;  ///< what --allow-truncated filled in

  static constexpr auto fields() {
    using R = SourcesResult;
    return std::tuple{
        field("ran", &R::ran, "the plan that ran"),
        field("input", &R::input, "the image read"),
        field("output", &R::output, "the image written"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "output pixels per second, including reading and writing"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

struct SourcesJob {
  std::string input;   ///< an image file, or "-"
  std::string output;  ///< an image file, or "-"
  SourcesOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  SourcesResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
