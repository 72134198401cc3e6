// SPDX-License-Identifier: Apache-2.0
/// Writes synthetic images with known truth to files, row by row, so that they may be larger than
/// memory.
#pragma once

#include <string>
#include <tuple>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/sample/sample_options.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "sample/points.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct SampleResult {
  std::string made, output;  ///< the image in words, and its file
  std::string truth;         ///< the file that lists its contents, if there is one
  int seed = 0;
  StageSeconds seconds;

  static constexpr auto fields() {
    using R = SampleResult;
    return std::tuple{field("made", &R::made, "the image"), field("output", &R::output, "its file"),
                      field("truth", &R::truth, "the file that lists its contents"),
                      field("seed", &R::seed, "the seed"),
                      field("seconds", &R::seconds, "how long the stages took; they overlap")};
  }
  std::string describe() const;
};

/// A dead-leaves colour scene (sample/scene.hpp).
struct SceneJob {
  std::string output;  ///< an image file, or "-"
  SampleOptions sample;
  bool grey = false;  ///< luminance only
  WriteOptions writing;
  RunSettings settings;

  SampleResult run(const Progress& progress = {}) const;
};

/// Point sources (sample/points.hpp).
struct PointsJob {
  std::string output;  ///< an image file, or "-"
  std::string truth;   ///< a CSV file for x, y and flux of every source; empty: none
  SampleOptions sample{.type = Type::f32};
  PointsOptions points;
  WriteOptions writing;
  RunSettings settings;

  SampleResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
