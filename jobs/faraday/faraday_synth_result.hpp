// SPDX-License-Identifier: Apache-2.0
/// The result of `tessera faraday synth`.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/timing.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct FaradaySynthResult {
  std::string ran, maps_ran, clean_ran;  ///< the plans in words; clean_ran "": not cleaned
  std::string fit_ran, fit_counts;       ///< of Stokes I; "": not fitted
  long long fitted_pixels = 0;           ///< the others have no spectrum
  std::vector<std::string> files;        ///< made, in order
  int channels = 0, dead_channels = 0, depths = 0;
  double phi_min = 0, phi_max = 0, dphi = 0;
  double lambda2_0 = 0, fwhm = 0, max_scale = 0;
  bool fitted = false;  ///< fwhm comes from a fit
  double noise = 0;     ///< of the brightest pixel by theory; NaN: measured in each
  long long incomplete_pixels = 0, empty_pixels = 0;
  int patterns = 0;  ///< of missing channels, including "none missing"; 4097: more than 4096
  double max_pi = 0, peak_rm = 0;
  int brightest_x = -1, brightest_y = -1;
  long long cleaned_pixels = 0, iterations = 0, at_limit = 0;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::string picture;
  std::vector<std::string> notes;     ///< notes: duplicate frequencies, missing gnuplot
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = FaradaySynthResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("maps_ran", &R::maps_ran, "what made the maps"),
        field("files", &R::files, "files made"),
        field("channels", &R::channels, "all channels"),
        field("dead_channels", &R::dead_channels, "channels without data"),
        field("depths", &R::depths, "depths of a spectrum"),
        field("phi_min", &R::phi_min, "the first depth, rad/m^2"),
        field("phi_max", &R::phi_max, "the last depth, rad/m^2"),
        field("dphi", &R::dphi, "their step, rad/m^2"),
        field("lambda2_0", &R::lambda2_0, "wavelength squared that angles refer to, m^2"),
        field("fwhm", &R::fwhm, "the width of the RMSF, rad/m^2"),
        field("fitted", &R::fitted, "whether that comes from a fit"),
        field("max_scale", &R::max_scale, "the widest structure that can be detected, rad/m^2"),
        field("noise", &R::noise,
              "noise of the brightest pixel's spectrum by theory; nan: measured in each"),
        field("incomplete_pixels", &R::incomplete_pixels, "pixels that lack some channels"),
        field("empty_pixels", &R::empty_pixels, "pixels that lack all channels"),
        field("patterns", &R::patterns,
              "different patterns of missing channels, \"none missing\" included; 4097: more than "
              "4096"),
        field("max_pi", &R::max_pi, "the largest polarised intensity"),
        field("peak_rm", &R::peak_rm, "its depth, rad/m^2"),
        field("brightest_x", &R::brightest_x, "its column"),
        field("brightest_y", &R::brightest_y, "its row"),
        field("clean_ran", &R::clean_ran, "what cleaned the spectra; empty: nothing"),
        field("cleaned_pixels", &R::cleaned_pixels, "spectra with a component"),
        field("iterations", &R::iterations, "components of all spectra"),
        field("at_limit", &R::at_limit, "spectra that reached the limit of iterations"),
        field("fit_ran", &R::fit_ran, "what fitted Stokes I; empty: nothing"),
        field("fit_counts", &R::fit_counts, "how the fits of Stokes I ended"),
        field("fitted_pixels", &R::fitted_pixels,
              "pixels with a fit of Stokes I; with --fit-i the others have no spectrum"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "spectra per second, including reading and writing"),
        field("picture", &R::picture, "the picture of a spectrum"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

}  // namespace tessera
