// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN of files made by `faraday synth` or rmsynth3d.
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
  std::optional<double> dphi, lambda0;
  std::string maps = "none";
  bool one_file = false;

  static constexpr auto fields() {
    using C = FaradayCleanChoices;
    return std::tuple{
        field("cutoff-map", &C::cutoff_map, "an image with the cutoff of every pixel"),
        field(
            "noise", &C::noise,
            "noise of the spectra, a number or an image: the unit of a negative cutoff or window, "
            "and the noise of maps, which is measured otherwise"),
        field("dphi", &C::dphi, "the step of the depths, rad/m^2; auto: from the header"),
        field("lambda0", &C::lambda0,
              "wavelength squared that angles of maps refer to, m^2; auto: from the header"),
        field(
            "maps", &C::maps,
            "maps of the cleaned spectra: none, default (max-pi,peak-rm), all, or names separated "
            "by commas: rm, pi, angle-0 …"),
        field("one-file", &C::one_file, "FDF_clean.fits and FDF_CC.fits with three HDUs each"),
    };
  }
};

struct FaradayCleanResult {
  std::string ran, maps_ran;
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
        field("maps_ran", &R::maps_ran, "what made the maps; empty: nothing"),
        field("files", &R::files, "files made"),
        field("depths", &R::depths, "depths of a spectrum"),
        field("fwhm", &R::fwhm, "the width of the Gaussian that replaces the RMSF, rad/m^2"),
        field("cutoff", &R::cutoff, "the residual at which it stops"),
        field("pixels", &R::pixels, "all spectra"),
        field("cleaned_pixels", &R::cleaned_pixels, "spectra with a component"),
        field("iterations", &R::iterations, "components of all spectra"),
        field("at_limit", &R::at_limit, "spectra that reached the limit of iterations"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "spectra per second, including reading and writing"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

struct FaradayCleanJob {
  std::string spectra;          ///< any of FDF_{real,im,tot}_dirty, FDF_dirty.fits, or their prefix
  std::string rmsf;             ///< any of RMSF_{real,im,tot}, RMSF.fits, or their prefix
  std::string output;           ///< prefix of all names
  FaradayCleanOptions options;  ///< a negative cutoff or window is a multiple of the noise
  FaradayCleanChoices choices;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// All files or none. Throws Error.
  FaradayCleanResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
