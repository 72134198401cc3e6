// SPDX-License-Identifier: Apache-2.0
/// One polarised spectrum, a text file, to its Faraday spectrum, RMSF, rotation measure and, if
/// asked for, RM-CLEAN: files and names of RM-Tools' rmsynth1d and rmclean1d.
///
///     FaradaySpectrumJob job{.input = "source.dat"};
///     job.choices.clean = true;
///     FaradaySpectrumResult result = job.run();      // source_RMsynth.json, source_FDFclean.dat …
///
/// Differences from RM-Tools: all is computed in double; the fit to Stokes I gives its errors at
/// freq0_Hz directly (RM-Tools carries them there to first order); an impossible fit is an error
/// instead of a model of 1; NaN is null in JSON; channels without weight do not count as channels.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/faraday/spectrum_values.hpp"
#include "tessera/faraday.hpp"

namespace tessera {

struct SpectrumOutputs {
  std::string unit = "Jy/beam";
  std::string picture, picture_rmsf;
  bool force = false;

  static constexpr auto fields() {
    using O = SpectrumOutputs;
    return std::tuple{
        field("unit", &O::unit, "unit of Q and U (or of Stokes I, if they are fractions of it)"),
        field("picture", &O::picture, "a picture of the spectrum to draw, .svg or .png"),
        field("picture-rmsf", &O::picture_rmsf, "a picture of the RMSF to draw, .svg or .png"),
        field("force", &O::force, kForceHelp),
    };
  }
};

struct FaradaySpectrumResult {
  std::string input;
  std::vector<std::string> files;  ///< made, in order
  int depths = 0;
  double phi_min = 0, phi_max = 0, dphi = 0, max_scale = 0;
  SpectrumSynthValues synth;
  std::optional<SpectrumCleanValues> clean;
  std::vector<std::string> notes;  ///< for the user

  static constexpr auto fields() {
    using R = FaradaySpectrumResult;
    return std::tuple{
        field("input", &R::input, "the spectrum"),
        field("files", &R::files, "files made"),
        field("depths", &R::depths, "depths of the Faraday spectrum"),
        field("phi_min", &R::phi_min, "the first, rad/m^2"),
        field("phi_max", &R::phi_max, "the last, rad/m^2"),
        field("dphi", &R::dphi, "their step, rad/m^2"),
        field("max_scale", &R::max_scale, "the widest structure that can be detected, rad/m^2"),
        field("synth", &R::synth, "the measurements, under the names of RM-Tools"),
        field("clean", &R::clean, "the same for the clean spectrum"),
        field("notes", &R::notes, "notes"),
    };
  }
  std::string describe() const;
};

struct FaradaySpectrumJob {
  std::string input;
  std::string output = {};  ///< prefix of all names; "": the input without its ending
  FaradayOptions options = {.samples = 10};
  SpectrumChoices choices = {};
  SpectrumOutputs outputs = {};

  /// All files or, if one exists already and `force` is not given, none. Throws Error.
  FaradaySpectrumResult run() const;
};

}  // namespace tessera
