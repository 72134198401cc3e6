// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tessera/error.hpp"

namespace tessera {

std::string read_text(const std::string& path, long long most) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::input, fmt::format("{}: it cannot be read; give a text file", path));
  std::string text;
  constexpr long long kPart = 1 << 16;
  for (char part[kPart]; file && std::ssize(text) <= most;) {
    file.read(part, std::min(kPart, most + 1 - std::ssize(text)));
    text.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad())
    throw Error(ErrorKind::input, fmt::format("{}: it cannot be read; give a text file", path));
  if (std::ssize(text) > most)
    throw Error(ErrorKind::input,
                fmt::format("{}: it has more than {} bytes; give a text file with a line a channel",
                            path, most));
  return text;
}

std::string printable(std::string_view text) {
  std::string shown(text.substr(0, 60));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return shown;
}

}  // namespace tessera
