// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include "jobs/faraday/faraday_text.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& sentence) {
  throw Error(ErrorKind::input, fmt::format("faraday: {}: {}", path, sentence));
}

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
    refuse(path, fmt::format("line {}: '{}' is no number", line, printable(word)));
  return value;
}

/// Columns in the order of the file.
std::vector<std::vector<double>> read_columns(const std::string& path) {
  std::istringstream lines(read_text(path));
  std::vector<std::vector<double>> columns;
  std::string line;
  for (long long number = 1; std::getline(lines, line); ++number) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (columns.empty()) {
      if (words.size() != 5 && words.size() != 7)
        refuse(path, fmt::format("line {} has {} columns; it can have 7 (frequency I Q U dI dQ dU) "
                                 "or 5 (frequency Q U dQ dU)",
                                 number, words.size()));
      columns.resize(words.size());
    }
    if (words.size() != columns.size())
      refuse(path,
             fmt::format("line {} has {} columns, and those before {}; all must have the same",
                         number, words.size(), columns.size()));
    for (std::size_t k = 0; k < words.size(); ++k)
      columns[k].push_back(number_of(path, number, words[k]));
    const double frequency = columns[0].back();
    if (!(frequency > 0) || !std::isfinite(frequency))
      refuse(path,
             fmt::format("line {}: the frequency is {} Hz; it must be above 0", number, frequency));
  }
  if (columns.empty())
    refuse(path,
           "it holds no numbers; a line a channel with frequency I Q U dI dQ dU would be "
           "right");
  return columns;
}

}  // namespace

StokesSpectrum read_stokes_spectrum(const std::string& path) {
  std::vector<std::vector<double>> columns = read_columns(path);
  StokesSpectrum spectrum;
  if (columns.size() == 7)
    spectrum = {columns[0], columns[1], columns[4], columns[2], columns[3], columns[5], columns[6]};
  else
    spectrum = {columns[0], {}, {}, columns[1], columns[2], columns[3], columns[4]};
  for (std::size_t k = 0; k < spectrum.q.size(); ++k)
    if (spectrum.q_error[k] < 0 || spectrum.u_error[k] < 0)
      refuse(path,
             fmt::format("the errors of Q and U at {} Hz are {} and {}; they can be 0 or more",
                         spectrum.frequency[k], spectrum.q_error[k], spectrum.u_error[k]));
  return spectrum;
}

}  // namespace tessera
