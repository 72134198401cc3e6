// SPDX-License-Identifier: Apache-2.0
/// Makes maps of the background, the noise and the signal-to-noise ratio of an image file, of all
/// its planes or of one. Planes come one after the other and rows are streamed, so files may be
/// larger than memory. Every plane has the values of a job on this plane alone.
///
///     NoiseJob job{.input = "field.fits", .output = "out/field"};
///     job.options.box = {64, 64};
///     NoiseResult result = job.run();   // out/field_bkg.fits, _rms.fits, _snr.fits
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/noise/noise_choices.hpp"
#include "jobs/noise/noise_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/noise_options.hpp"

namespace tessera {

struct NoiseJob {
  std::string input;   ///< an image file, or "-"
  std::string output;  ///< prefix of all names; in a folder, files are named after the input
  NoiseOptions options;
  std::vector<std::string> given;  ///< names of options that `like` does not change
  NoiseChoices choices;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// All files or none. Throws Error.
  NoiseResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
