// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_result.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

std::string words_of(const NoiseMapResult& map) {
  return fmt::format("{}: median {:.6g}, {:.6g} to {:.6g}", map.name, map.median, map.low,
                     map.high);
}

}  // namespace

std::string NoiseResult::describe() const {
  std::string text = ran;
  for (const NoiseMapResult& map : maps)
    if (map.pixels > 0) text += "\n" + words_of(map);
  if (planes.size() > 1) text += fmt::format("\n{} planes", planes.size());
  if (nodes > 0) text += fmt::format("\n{}", counted(nodes, "node"));
  if (refined > 0) text += fmt::format(", {} refined", counted(refined, "cell"));
  if (blanks > 0)
    text += fmt::format("\n{} of {} {} blank", blanks, counted(pixels, "pixel"),
                        blanks == 1 ? "is" : "are");
  const std::string rate = fmt::format("{:.1f} Mpixel/s", pixels_per_second / 1e6);
  return text + "\n" + files_text(files) + ": " + seconds_text(seconds, rate) + notes_text(notes);
}

}  // namespace tessera
