// SPDX-License-Identifier: Apache-2.0
/// Cubes of Stokes Q and U to Faraday spectra, RMSF and maps, under the names and headers of
/// RM-Tools.
///
///     FaradaySynthJob job{.files = {"Q.fits", "U.fits"}, .frequencies = "freqs.txt"};
///     job.output = "out/field_";
///     FaradaySynthResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "io/image_file.hpp"
#include "jobs/faraday/faraday_input.hpp"
#include "jobs/faraday/faraday_synth_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/faraday_clean.hpp"

namespace tessera {

enum class FaradayNames : unsigned char { rmtools, brentjens };
template <>
struct Names<FaradayNames> {
  static constexpr std::array<std::pair<std::string_view, FaradayNames>, 2> list{
      {{"rmtools", FaradayNames::rmtools}, {"brentjens", FaradayNames::brentjens}}};
};

/// Files of RMSFs: one RMSF per pixel, which rmclean3d reads, or one per pattern of flags.
enum class FaradayRmsfFiles : unsigned char { automatic, pixels, patterns };
template <>
struct Names<FaradayRmsfFiles> {
  static constexpr std::array<std::pair<std::string_view, FaradayRmsfFiles>, 3> list{
      {{"auto", FaradayRmsfFiles::automatic},
       {"pixels", FaradayRmsfFiles::pixels},
       {"patterns", FaradayRmsfFiles::patterns}}};
};

/// RM-CLEAN in the run that makes the spectra.
struct FaradaySynthCleaning {
  bool clean = false;
  double cutoff = 0;
  double gain = FaradayCleanOptions().gain;
  int iterations = FaradayCleanOptions().iterations;
  std::optional<double> window;

  static constexpr auto fields() {
    using C = FaradaySynthCleaning;
    return std::tuple_cat(
        std::tuple{
            field("clean", &C::clean, "clean the spectra (RM-CLEAN); maps are those of the result"),
            field(
                "cutoff", &C::cutoff,
                "clean down to this |residual|; below 0: in multiples of each pixel's noise, such "
                "as -5"),
        },
        component_fields<C>(),
        std::tuple{
            field("window", &C::window,
                  "then clean around the components found, down to this |residual| or, below 0, "
                  "multiple of the noise; auto: do not"),
        });
  }
};

struct FaradaySynthChoices {
  std::string weights = "uniform";
  std::string noise;
  bool fit_rmsf = false;
  bool no_rmsf = false;
  FaradayRmsfFiles rmsf = FaradayRmsfFiles::automatic;
  std::string maps = "default";
  bool maps_only = false;
  std::string cubes = "all";
  bool one_file = false;
  FaradayNames names = FaradayNames::rmtools;
  std::string picture, picture_rmsf;
  std::optional<Point> picture_pixel;

  static constexpr auto fields() {
    using C = FaradaySynthChoices;
    return std::tuple{
        field("weights", &C::weights,
              "weights: uniform, variance (1 / noise squared), a file with one per channel, or a "
              "cube"),
        field("noise", &C::noise,
              "the noise of Q and U: a number, a file with one per channel, a map or a cube"),
        field("fit-rmsf", &C::fit_rmsf, "measure the RMSF's width by a fit instead of by theory"),
        field("no-rmsf", &C::no_rmsf, "make no RMSF"),
        field(
            "rmsf", &C::rmsf,
            "files of RMSFs: pixels (one per pixel, as in RM-Tools), or patterns (one per pattern "
            "of flags); auto: pixels if dirty spectra are written, else patterns"),
        field(
            "maps", &C::maps,
            "default (max-pi,peak-rm), all, none, or names separated by commas: rm, pi, angle-0 …"),
        field("maps-only", &C::maps_only, "make no cubes, only maps and the RMSF"),
        field(
            "cubes", &C::cubes,
            "all, none, or names separated by commas: dirty, and after --clean clean, components"),
        field("one-file", &C::one_file, "FDF_dirty.fits and RMSF.fits with several HDUs"),
        field("names", &C::names, "naming of the files"),
        field("picture", &C::picture, "a picture of a pixel's spectrum to draw, .svg or .png"),
        field("picture-pixel", &C::picture_pixel,
              "the pixel, as X,Y counted from 0; auto: the brightest"),
        field("picture-rmsf", &C::picture_rmsf, "a picture of the RMSF to draw, .svg or .png"),
    };
  }
};

struct FaradaySynthJob {
  FaradayFiles files;
  std::string frequencies;  ///< a file, one per line, in hertz; "": from the header of Q
  std::string output;       ///< prefix of all names: "out/field_"
  FaradayOptions options;
  FaradaySynthChoices choices;
  FaradaySynthCleaning cleaning;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// All files or none. Throws Error.
  FaradaySynthResult run(const Progress& progress = {}) const;
};

/// Whether ranks can make its results together.
bool can_be_shared(const FaradaySynthJob& job);

}  // namespace tessera
