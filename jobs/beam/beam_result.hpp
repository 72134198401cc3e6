// SPDX-License-Identifier: Apache-2.0
/// The result of convolving files to one beam.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/timing.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct BeamFile {
  std::string input, output;
  int channels = 0, blank_channels = 0, copied_channels = 0;
  double smallest_factor = 1, largest_factor = 1;

  static constexpr auto fields() {
    using F = BeamFile;
    return std::tuple{
        field("input", &F::input, "the file read"),
        field("output", &F::output, "the file written"),
        field("channels", &F::channels, "planes"),
        field("blank_channels", &F::blank_channels, "planes without a beam, or beyond the cutoff"),
        field("copied_channels", &F::copied_channels, "planes that had the beam already"),
        field("smallest_factor", &F::smallest_factor, "the smallest factor of the values"),
        field("largest_factor", &F::largest_factor, "the largest")};
  }
};

struct BeamResult {
  double bmaj = 0, bmin = 0, bpa = 0;
  std::string ran;
  std::vector<BeamFile> files;
  StageSeconds seconds;
  double pixels_per_second = 0;
  std::vector<std::string> notes, warnings;

  static constexpr auto fields() {
    using R = BeamResult;
    return std::tuple{
        field("bmaj", &R::bmaj, "major axis of the beam reached, in arcsec"),
        field("bmin", &R::bmin, "minor axis, in arcsec"),
        field("bpa", &R::bpa, "angle of the major axis from north to east, in degrees"),
        field("ran", &R::ran,
              "what ran for the first channel that was convolved; empty if all were copied"),
        field("files", &R::files, "every input"),
        field("seconds", &R::seconds, "how long the stages took; they overlap"),
        field("pixels_per_second", &R::pixels_per_second,
              "output pixels per second, including reading and writing"),
        field("notes", &R::notes, "channels that became blank, and why"),
        field("warnings", &R::warnings, "parts that were missing and filled")};
  }
  std::string describe() const;
};

}  // namespace tessera
