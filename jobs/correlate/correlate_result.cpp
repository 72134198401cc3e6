// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/correlate_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "jobs/result.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::string CorrelateResult::describe() const {
  if (images == 0)
    return fmt::format("none of {} images could be used; nothing was made", left_out);
  std::string text = fmt::format("{}\n{}: mean and standard error of {}, {} left out", ran, output,
                                 counted(images, "image"), left_out);
  if (resumed > 0) text += fmt::format(", {} from an earlier run", resumed);
  text += fmt::format("; {:.3g} s (read {:.3g} s, work {:.3g} s)\n{}, {}", seconds.all,
                      seconds.read, seconds.work, profiles, summary);
  if (!picture.empty()) text += ", " + picture;
  return text + sweep_text() + notes_text(notes);
}

std::string CorrelateResult::sweep_text() const {
  if (sweep.empty()) return "";
  std::size_t wide = 7, map_wide = 3;
  for (const SweepLine& line : sweep) {
    wide = std::max(wide, line.setting.size());
    map_wide = std::max(map_wide, line.map.size());
  }
  std::string text = fmt::format("\n{:<{}}  {:<{}}  {:>12}  {:>12}  {:>10}", "setting", wide, "map",
                                 map_wide, "at 0, 0", "error", "half at");
  for (const SweepLine& line : sweep)
    text += fmt::format("\n{:<{}}  {:<{}}  {:>12.6g}  {:>12.3g}  {:>10}", line.setting, wide,
                        line.map, map_wide, line.at_zero, line.error_at_zero,
                        line.half_shift ? fmt::format("{:.2f}", *line.half_shift) : "–");
  return text;
}

std::vector<std::string> CorrelateResult::complaints() const {
  std::vector<std::string> sentences;
  for (const SceneOutcome& one : bad) {
    if (!one.error.empty()) sentences.push_back(one.error);
    for (const std::string& warning : one.warnings) sentences.push_back("warning: " + warning);
  }
  return sentences;
}

int CorrelateResult::exit_code() const {
  if (images == 0) return static_cast<int>(ErrorKind::input);
  return bad.empty() ? 0 : static_cast<int>(ErrorKind::partial);
}

}  // namespace tessera
