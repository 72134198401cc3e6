// SPDX-License-Identifier: Apache-2.0
#include "jobs/beam/beam_result.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "jobs/result.hpp"

namespace tessera {

std::string BeamResult::describe() const {
  std::vector<std::string> names;
  int convolved = 0, copied = 0;
  for (const BeamFile& file : files) {
    names.push_back(file.output);
    copied += file.copied_channels;
    convolved += file.channels - file.blank_channels - file.copied_channels;
  }
  std::string what = ran;
  if (convolved > 0) what += fmt::format("; {} convolved", counted(convolved, "channel"));
  if (convolved > 0 && copied > 0) what += fmt::format(", {} copied", copied);
  if (convolved == 0)
    what = fmt::format("nothing had to be convolved; {} copied", counted(copied, "channel"));
  const std::string rate = fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6);
  return fmt::format("beam {:.6g} x {:.6g} arcsec at {:.6g} degrees: {}\n{}: {}", bmaj, bmin, bpa,
                     what, files_text(names), seconds_text(seconds, rate)) +
         notes_text(notes);
}

}  // namespace tessera
