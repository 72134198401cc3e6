// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "jobs/beam/beam_job.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::string to_text(const BeamTarget& value) {
  if (!value.beam) return "common";
  return fmt::format("{},{},{}", value.beam->major, value.beam->minor, value.beam->angle);
}

void from_text(std::string_view what, std::string_view text, BeamTarget& value) {
  value = {};
  if (text == "common") return;
  std::vector<double> numbers;
  try {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      from_text(what, text.substr(at, comma - at), numbers.emplace_back());
      at = comma + 1;
    }
  } catch (const Error&) {
    numbers.clear();
  }
  Beam beam;
  if (numbers.size() == 1) beam = {numbers[0], numbers[0], 0};
  if (numbers.size() == 3) beam = {numbers[0], numbers[1], numbers[2]};
  if (!beam.valid())
    throw Error(ErrorKind::usage,
                fmt::format("{}: '{}' is not a beam; write common, or BMAJ,BMIN,BPA in arcsec and "
                            "degrees with BMAJ not below BMIN, such as 18,15,30",
                            what, text));
  value.beam = beam;
}

}  // namespace tessera
