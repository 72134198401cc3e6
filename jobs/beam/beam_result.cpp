// SPDX-License-Identifier: Apache-2.0
#include "jobs/beam/beam_result.hpp"

#include <fmt/format.h>

#include "jobs/result.hpp"

namespace tessera {

std::string BeamResult::describe() const {
  std::vector<std::string> names;
  for (const BeamFile& file : files) names.push_back(file.output);
  const std::string rate = fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6);
  return fmt::format("beam {:.6g} x {:.6g} arcsec at {:.6g} degrees: {}\n{}: {}", bmaj, bmin, bpa,
                     ran.empty() ? "nothing had to be convolved" : ran, files_text(names),
                     seconds_text(seconds, rate)) +
         notes_text(notes);
}

}  // namespace tessera
