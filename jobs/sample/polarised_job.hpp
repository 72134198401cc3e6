// SPDX-License-Identifier: Apache-2.0
/// Writes a polarised sky to files, row by row: cubes of Q and U, their frequencies, and the truth.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/sample/sample_options.hpp"
#include "jobs/settings.hpp"
#include "sample/polarised.hpp"

namespace tessera {

struct PolarisedResult {
  std::string made;
  std::vector<std::string> files;  ///< Q, U, optionally I, frequencies, truth
  int seed = 0, sources = 0;
  double seconds = 0;

  static constexpr auto fields() {
    using R = PolarisedResult;
    return std::tuple{field("made", &R::made, "the sky"),
                      field("files", &R::files, "the files: cubes, frequencies, truth"),
                      field("seed", &R::seed, "the seed"),
                      field("sources", &R::sources, "sources in it"),
                      field("seconds", &R::seconds, "how long it took")};
  }
  std::string describe() const;
};

struct PolarisedJob {
  /// "sky.fits" makes sky_Q.fits, sky_U.fits, sky_freqs.txt and sky_truth.csv; .npy the same in
  /// NPY.
  std::string output;
  bool stokes_i = false;  ///< also sky_I.fits
  bool sparse = false;    ///< no noise, and zeros take no disk space
  SampleOptions sample{.size = {256, 256}, .type = Type::f32};
  PolarisedOptions sky;
  WriteOptions writing;
  RunSettings settings;

  PolarisedResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
