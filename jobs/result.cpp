// SPDX-License-Identifier: Apache-2.0
#include "jobs/result.hpp"

#include <fmt/format.h>

namespace tessera {

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "\nnote: " + note;
  return text;
}

std::string files_text(const std::vector<std::string>& files) {
  if (files.empty()) return "nothing";
  if (files.size() == 1) return files.front();
  return fmt::format("{} and {} more", files.front(), files.size() - 1);
}

std::string seconds_text(const StageSeconds& seconds, const std::string& rate) {
  return fmt::format("{:.3g} s, {} (read {:.3g} s, work {:.3g} s, write {:.3g} s)", seconds.all,
                     rate, seconds.read, seconds.work, seconds.write);
}

}  // namespace tessera
