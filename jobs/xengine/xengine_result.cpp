// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {

std::string XEngineResult::describe() const {
  std::string text = fmt::format("{}\n{}: {} samples", ran, format, samples);
  if (recorded_seconds) text += fmt::format(" ({:.4g} s)", *recorded_seconds);
  text += fmt::format(" in {} integration{}, {} channel{}", integrations,
                      integrations == 1 ? "" : "s", channels, channels == 1 ? "" : "s");
  if (invalid > 0) text += fmt::format(", {:.3g}% without data", 100 * invalid);
  text +=
      fmt::format("\n{}\n{:.3g} s, {:.3g} Gbit/s (read {:.3g} s, work {:.3g} s, write {:.3g} s)",
                  fmt::join(files, ", "), seconds.all, gigabits_per_second, seconds.read,
                  seconds.work, seconds.write);
  for (const std::string& note : notes) text += "\nnote: " + note;
  return text;
}

}  // namespace tessera
