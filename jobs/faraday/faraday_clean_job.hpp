// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN of the files that `faraday synth` or rmsynth3d has made.
///
///     FaradayCleanJob job{.spectra = "out/field_", .rmsf = "out/field_"};
///     job.options.cutoff = 3e-4;
///     job.output = "out/field_";
///     FaradayCleanResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/faraday_clean.hpp"

namespace tessera {

struct FaradayCleanChoices {
  std::string cutoff_map;
  std::string noise;
  std::optional<double> dphi;
  bool one_file = false;

  static constexpr auto fields() {
    using C = FaradayCleanChoices;
    return std::tuple{
        field("cutoff-map", &C::cutoff_map, "an image with the cutoff of every pixel"),
        field("noise", &C::noise,
              "of the spectra, a number or an image: what a negative cutoff or window counts in"),
        field("dphi", &C::dphi, "the step of the depths, rad/m^2; auto: by the header"),
        field("one-file", &C::one_file, "FDF_clean.fits and FDF_CC.fits with three HDUs each"),
    };
  }
};

struct FaradayCleanResult {
  std::string ran;
  std::vector<std::string> files;
  int depths = 0;
  double fwhm = 0;
  std::string cutoff;  ///< in words
  long long pixels = 0, cleaned_pixels = 0, iterations = 0, at_limit = 0;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::vector<std::string> warnings;

  static constexpr auto fields() {
    using R = FaradayCleanResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("files", &R::files, "files made"),
        field("depths", &R::depths, "depths of a spectrum"),
        field("fwhm", &R::fwhm, "the width of the Gaussian that replaces the RMSF, rad/m^2"),
        field("cutoff", &R::cutoff, "down to which residual"),
        field("pixels", &R::pixels, "spectra there are"),
        field("cleaned_pixels", &R::cleaned_pixels, "spectra with a component"),
        field("iterations", &R::iterations, "components of all"),
        field("at_limit", &R::at_limit, "spectra that ended for the limit of iterations"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second, "spectra a second, files included"),
        field("warnings", &R::warnings, "what was missing and filled"),
    };
  }
  std::string describe() const;
};

struct FaradayCleanJob {
  std::string spectra;  ///< any of FDF_{real,im,tot}_dirty, FDF_dirty.fits, or what they begin with
  std::string rmsf;     ///< any of RMSF_{real,im,tot}, RMSF.fits, or what they begin with
  std::string output;   ///< what all names begin with
  FaradayCleanOptions options;  ///< a negative cutoff or window counts in noise
  FaradayCleanChoices choices;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// All files or none. Throws Error.
  FaradayCleanResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
