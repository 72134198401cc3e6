// SPDX-License-Identifier: Apache-2.0
/// The places of a template in an image file: the map of normalised cross-correlation as a file,
/// and its peaks. Rows are streamed, so files may be larger than memory.
///
///     MatchJob job{.input = "page.png", .pattern = "logo.png", .output = "map.npy"};
///     MatchResult result = job.run();
#pragma once

#include <string>
#include <tuple>

#include "io/image_file.hpp"
#include "jobs/match/match_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/match_template.hpp"

namespace tessera {

struct MatchFiles {
  std::string mask, table;

  static constexpr auto fields() {
    using F = MatchFiles;
    return std::tuple{
        field("mask", &F::mask,
              "an image of the template's size: pixels of the template where it is 0 do not count"),
        field("table", &F::table, "a table of the peaks to write: .csv, .tsv, .fits or .vot"),
    };
  }
};

struct MatchJob {
  std::string input;    ///< an image file, or "-"
  std::string pattern;  ///< the template, an image file
  std::string output;   ///< the map, an image file, or "-"
  MatchOptions options;
  PeakOptions peaks;
  MatchFiles files;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;
  bool check = false;  ///< compare the file written with the reference

  /// Throws Error; with `check`, Error(failure) if the map differs from the reference.
  MatchResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
