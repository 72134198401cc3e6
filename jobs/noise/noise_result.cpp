// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_result.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

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
  if (nodes > 0) text += fmt::format("\n{} nodes", nodes);
  if (blanks > 0) text += fmt::format("\n{} of {} pixels are blank", blanks, pixels);
  return text +
         fmt::format(
             "\n{}{}: {:.3g} s, {:.1f} Mpixel/s (read {:.3g} s, work {:.3g} s, write {:.3g} s)",
             files.empty() ? "nothing" : files.front(),
             files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "", seconds.all,
             pixels_per_second / 1e6, seconds.read, seconds.work, seconds.write);
}

std::vector<std::string> NoiseResult::complaints() const {
  std::vector<std::string> all;
  for (const std::string& note : notes) all.push_back("note: " + note);
  for (const std::string& sentence : filled) all.push_back("warning: " + sentence);
  return all;
}

int NoiseResult::exit_code() const {
  return filled.empty() ? 0 : static_cast<int>(ErrorKind::partial);
}

}  // namespace tessera
