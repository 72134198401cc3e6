// SPDX-License-Identifier: Apache-2.0
/// Images and cubes convolved to one beam: files to files, plane after plane, rows in strips.
///
///     BeamJob job{.inputs = {"Q/*.fits"}, .output = "common/"};
///     BeamResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/beam/beam_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/beam.hpp"

namespace tessera {

/// The beam to reach: "common", or "BMAJ,BMIN,BPA" in arcsec, arcsec and degrees.
struct BeamTarget {
  static constexpr const char* kHint = "common|BMAJ,BMIN,BPA";
  std::optional<Beam> beam;  ///< in arcsec; nothing: the smallest that all can be convolved to
  bool operator==(const BeamTarget&) const = default;
};
std::string to_text(const BeamTarget& value);
void from_text(std::string_view what, std::string_view text, BeamTarget& value);

struct BeamChoices {
  BeamTarget to;
  std::string beams;
  bool circular = false;
  std::optional<double> cutoff;
  std::optional<BeamFlux> flux;
  std::string suffix;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using C = BeamChoices;
    return std::tuple_cat(
        std::tuple{
            field("to", &C::to,
                  "the beam to reach: the smallest common one, or its axes in arcsec and its angle "
                  "in degrees"),
            field("beams", &C::beams,
                  "a beam log: lines of channel, BMAJ and BMIN in arcsec, BPA in degrees; own: "
                  "each cube's own, beamlog.NAME.txt next to NAME.fits; default: the header"),
            field("circular", &C::circular, "make the common beam a circle"),
            field("cutoff", &C::cutoff,
                  "channels whose major axis is longer, in arcsec, become blank and do not count "
                  "for the common beam",
                  more_than(0, Range::kOpen, "arcsec")),
            field("flux", &C::flux,
                  "unit of the values: per-beam (Jy/beam), or surface (K, Jy/sr, Jy/pixel); auto: "
                  "by BUNIT"),
            field("suffix", &C::suffix,
                  "write each result next to its input, with this text before .fits"),
        },
        run_fields<C>());
  }
};

struct BeamJob {
  std::vector<std::string> inputs;  ///< files, folders, patterns, "@list.txt"
  std::string output;               ///< a folder, or a file if there is one input
  BeamChoices options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  /// Every file appears whole or not at all. Throws Error.
  BeamResult run(const Progress& progress = {}) const;
};

/// Whether ranks can work on it together: those besides the first have no standard input.
bool can_be_shared(const BeamJob& job);

}  // namespace tessera
