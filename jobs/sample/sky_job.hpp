// SPDX-License-Identifier: Apache-2.0
/// Writes a sky with known background and noise to files, row by row, so that it may be larger than
/// memory.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/sample/sample_options.hpp"
#include "jobs/settings.hpp"
#include "sample/sky.hpp"

namespace tessera {

struct SkyResult {
  std::string made;
  std::vector<std::string> files;  ///< image, background, noise, sources
  int seed = 0, sources = 0;
  double rise = 1;
  double seconds = 0;

  static constexpr auto fields() {
    using R = SkyResult;
    return std::tuple{field("made", &R::made, "the sky"),
                      field("files", &R::files, "the files: image, background, noise, sources"),
                      field("seed", &R::seed, "the seed"),
                      field("sources", &R::sources, "sources in it"),
                      field("rise", &R::rise, "noise at the corners over that at the centre"),
                      field("seconds", &R::seconds, "how long it took")};
  }
  std::string describe() const;
};

struct SkyJob {
  /// "sky.fits" makes sky.fits, sky_truth_bkg.fits, sky_truth_rms.fits and sky_truth.csv; .npy
  /// the same in NPY.
  std::string output;
  SampleOptions sample{.type = Type::f32};
  SkyOptions sky;
  WriteOptions writing;
  RunSettings settings;

  SkyResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
