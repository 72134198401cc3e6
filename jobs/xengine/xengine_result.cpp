// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.hpp"

namespace tessera {

std::string XEngineResult::describe() const {
  std::string text = fmt::format("{}\n{}: {} samples", ran, format, samples);
  if (recorded_seconds) text += fmt::format(" ({:.4g} s)", *recorded_seconds);
  text +=
      fmt::format(" in {}, {}", counted(integrations, "integration"), counted(channels, "channel"));
  text += fmt::format(", {}", values);
  if (invalid > 0) text += fmt::format(", {:.3g}% without data", 100 * invalid);
  if (!phase_centre.starts_with("none")) text += "\nphase centre " + phase_centre;
  text += fmt::format("\n{}\n{}", fmt::join(files, ", "),
                      seconds_text(seconds, fmt::format("{:.3g} Gbit/s", gigabits_per_second)));
  return text + notes_text(notes);
}

}  // namespace tessera
