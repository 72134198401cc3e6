// SPDX-License-Identifier: Apache-2.0
#include "tune/journal.hpp"

#include <unistd.h>

#include "core/regular_file.hpp"
#include "tessera/error.hpp"

namespace tessera {

Journal::Journal(std::string path, std::string settings)
    : path_(std::move(path)), first_line_("# " + std::move(settings) + "\n") {
  if (!path_.empty() && !go_on()) begin();
}

bool Journal::go_on() {
  std::string text = read_own(path_).value_or("");
  if (!text.starts_with(first_line_)) return false;
  if (!cut_to_whole_lines(path_, text)) return false;
  try {
    lines_ = parse_table(text, path_);
  } catch (const Error&) {
    return false;
  }
  return true;
}

void Journal::begin() { begin_grown(path_, first_line_); }

void Journal::add(const std::vector<TuningLine>& lines) {
  if (path_.empty() || lines.empty()) return;
  std::string text;
  for (const TuningLine& line : lines) text += line_text(line) + "\n";
  add_to_grown(path_, text);
}

void Journal::remove() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace tessera
