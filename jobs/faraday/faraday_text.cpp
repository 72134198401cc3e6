// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>

#include "core/refuse.hpp"
#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

double number_of(const std::string& path, long long line, std::string_view word) {
  const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse_input("faraday: " + path,
                 fmt::format("line {}: '{}' is not a number", line, printable(word)));
  return value;
}

}  // namespace

TextColumns read_columns(const std::string& path, std::span<const std::size_t> counts,
                         const char* right) {
  const std::string text = read_text(path);
  TextColumns read;
  auto& columns = read.columns;
  long long number = 0;
  for (const std::string_view line : lines_of(text)) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t\r,;");
    ++number;
    if (words.empty()) continue;
    if (columns.empty()) {
      if (std::ranges::count(counts, words.size()) == 0)
        refuse_input("faraday: " + path, fmt::format("line {} has {} columns; it must have {}",
                                                     number, words.size(), right));
      columns.resize(words.size());
    }
    if (words.size() != columns.size())
      refuse_input(
          "faraday: " + path,
          fmt::format("line {} has {} columns, and those before {}; all must have the same number",
                      number, words.size(), columns.size()));
    for (std::size_t k = 0; k < words.size(); ++k)
      columns[k].push_back(number_of(path, number, words[k]));
    read.line.push_back(number);
    const double frequency = columns[0].back();
    if (columns.size() > 1 && (!(frequency > 0) || !std::isfinite(frequency)))
      refuse_input(
          "faraday: " + path,
          fmt::format("line {}: the frequency is {} Hz; it must be above 0", number, frequency));
  }
  if (columns.empty())
    refuse_input("faraday: " + path,
                 fmt::format("it contains no numbers; give one line per channel with {}", right));
  return read;
}

std::string read_text(const std::string& path, long long most) {
  const File file(open_file(path, O_RDONLY | O_CLOEXEC), path);
  std::string text;
  long long count = 1;
  for (char part[1 << 16]; count > 0 && std::ssize(text) <= most;) {
    do count = ::read(file.descriptor(), part, sizeof part);
    while (count < 0 && errno == EINTR);
    if (count > 0) text.append(part, static_cast<std::size_t>(count));
  }
  if (count < 0)
    throw Error(ErrorKind::input, fmt::format("{}: it cannot be read; give a text file", path));
  if (std::ssize(text) > most)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: it has more than {} bytes; give a text file with one line per channel",
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
