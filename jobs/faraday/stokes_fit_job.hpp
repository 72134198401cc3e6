// SPDX-License-Identifier: Apache-2.0
/// A cube of Stokes I to a cube of models and maps of its coefficients, under the names of
/// RM-Tools' rmtools_fitIcube.
///
///     StokesFitJob job{.input = "I.fits", .output = "out/field_"};
///     StokesFitResult result = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/faraday/faraday_agree.hpp"
#include "jobs/faraday/stokes_fitter.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"

namespace tessera {

struct StokesFitResult {
  std::string ran;                 ///< the plan in words
  std::vector<std::string> files;  ///< made, in order
  int channels = 0;
  StokesFitCounts counts;
  long long pixels = 0, fitted = 0, few_channels = 0, low_snr = 0, undetermined = 0,
            not_converged = 0, below_floor = 0;
  double lowest_noise = 0, highest_noise = 0;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = StokesFitResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("files", &R::files, "files made"),
        field("channels", &R::channels, "all channels"),
        field("pixels", &R::pixels, "all pixels"),
        field("fitted", &R::fitted, "pixels with a model"),
        field("few_channels", &R::few_channels, "pixels with too few channels"),
        field("low_snr", &R::low_snr, "pixels below the S/N cut"),
        field("undetermined", &R::undetermined, "pixels whose channels determine no curve"),
        field("not_converged", &R::not_converged, "pixels without a minimum"),
        field("below_floor", &R::below_floor, "pixels whose curve falls below the floor"),
        field("lowest_noise", &R::lowest_noise, "the lowest noise of a channel; nan: no list"),
        field("highest_noise", &R::highest_noise, "the highest noise of a channel; nan: no list"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "pixels per second, including reading and writing"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "parts that were missing and filled"),
    };
  }
  std::string describe() const;
};

struct StokesFitJob {
  std::string input;        ///< the cube of I, or one file per channel
  std::string frequencies;  ///< a file, one per line, in hertz; "": from the header
  std::string output;       ///< prefix of all names: "out/field_"
  StokesFitOptions options;
  StokesFitChoices choices;
  FaradayAllowed allowed;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// All files or none. Throws Error.
  StokesFitResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
