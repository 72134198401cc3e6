// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/refuse.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,;";
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t first = line.find_first_not_of(kBetween);
    if (first == std::string_view::npos) return words;
    const std::size_t length = std::min(line.find_first_of(kBetween, first), line.size()) - first;
    words.push_back(line.substr(first, length));
    line.remove_prefix(first + length);
  }
}

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
  std::istringstream lines(read_text(path));
  TextColumns read;
  auto& columns = read.columns;
  std::string line;
  for (long long number = 1; std::getline(lines, line); ++number) {
    const std::vector<std::string_view> words = words_of(line);
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
