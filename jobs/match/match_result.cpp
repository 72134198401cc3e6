// SPDX-License-Identifier: Apache-2.0
#include "jobs/match/match_result.hpp"

#include <fmt/format.h>

#include "jobs/result.hpp"

namespace tessera {

std::string MatchResult::describe() const {
  std::string text = describe_run();
  for (const MatchPlace& place : peaks)
    text += fmt::format("\nmatch {:.6f} at x {}, y {}{}", place.value, place.x, place.y,
                        place.plane > 0 ? fmt::format(", plane {}", place.plane) : "");
  if (peaks.empty()) text += "\nno match";
  if (!table.empty()) text += "\n" + table;
  return text + notes_text(notes);
}

}  // namespace tessera
