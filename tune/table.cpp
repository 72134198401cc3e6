// SPDX-License-Identifier: Apache-2.0
#include "tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "core/machine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void throw_bad_line(const std::string& name, int number, const char* reason) {
  throw Error(ErrorKind::input,
              fmt::format("{}: line {}: {}; a line is 'machine site@version problem | knobs | "
                          "measured'",
                          name, number, reason));
}

bool parse_double(std::string_view text, double& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() && std::isfinite(value);
}

bool parse_knob(std::string_view text, int& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

// Streams, or even find_first_of, would take longer for a table than the few milliseconds it may
// cost.
bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The next word, taken off the front; empty at the end.
std::string_view next_word(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

/// Calls take(key, value) for each key=value of a part; false at the first word of another form.
template <class Take>
bool each_pair(std::string_view part, Take take) {
  for (std::string_view word = next_word(part); !word.empty(); word = next_word(part)) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) return false;
    take(word.substr(0, equals), word.substr(equals + 1));
  }
  return true;
}

std::array<std::string_view, 3> three_parts(std::string_view text, const std::string& name,
                                            int number) {
  const std::size_t first = text.find('|');
  const std::size_t second = first == std::string_view::npos ? first : text.find('|', first + 1);
  if (second == std::string_view::npos)
    throw_bad_line(name, number, "it has fewer than three parts");
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1)};
}

TuningLine parse_line(std::string_view text, const std::string& name, int number) {
  auto [left, middle, right] = three_parts(text, name, number);
  TuningLine line;
  line.machine = next_word(left);
  line.site = next_word(left);
  line.measured = trimmed(right);
  if (line.site.find('@') == std::string::npos)
    throw_bad_line(name, number, "it does not begin with a machine and a site@version");
  const bool problem_read = each_pair(left, [&](std::string_view key, std::string_view value) {
    double number_value = 0;
    if (parse_double(value, number_value))
      line.problem.numbers[std::string(key)] = number_value;
    else
      line.problem.words[std::string(key)] = value;
  });
  if (!problem_read) throw_bad_line(name, number, "its problem has a word without '='");
  bool knobs_read = true;
  const bool pairs_read = each_pair(middle, [&](std::string_view key, std::string_view value) {
    knobs_read = parse_knob(value, line.knobs.values[std::string(key)]) && knobs_read;
  });
  if (!knobs_read || !pairs_read || line.knobs.empty())
    throw_bad_line(name, number, "a knob is not a key=integer");
  return line;
}

/// "h200 convolve.direct@1 in=f32 fh=7 fw=7": no two lines may share it.
std::string identity(const TuningLine& line) {
  std::string text = line.machine + ' ' + line.site;
  for (const auto& [key, word] : line.problem.words) text += fmt::format(" {}={}", key, word);
  for (const auto& [key, number] : line.problem.numbers) text += fmt::format(" {}={}", key, number);
  return text;
}

}  // namespace

void each_line(std::string_view text, const std::string& name,
               const std::function<void(TuningLine&&)>& take) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty() && line.front() != '#') take(parse_line(line, name, number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<TuningLine> parse_table(std::string_view text, const std::string& name) {
  std::vector<TuningLine> lines;
  each_line(text, name, [&](TuningLine&& line) { lines.push_back(std::move(line)); });
  return lines;
}

std::string line_text(const TuningLine& line) {
  std::string text = identity(line) + " |";
  for (const auto& [key, value] : line.knobs.values) text += fmt::format(" {}={}", key, value);
  return text + " | " + line.measured;
}

std::vector<TuningLine> merged(std::vector<TuningLine> old, const std::vector<TuningLine>& more) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < old.size(); ++i) places[identity(old[i])] = i;
  for (const TuningLine& line : more) {
    const auto [place, added] = places.emplace(identity(line), old.size());
    if (added)
      old.push_back(line);
    else if (line.is_measured() || !old[place->second].is_measured())
      old[place->second] = line;
  }
  return old;
}

std::string table_name(std::string_view machine_name) {
  std::string word;
  for (const char c : machine_name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.starts_with("nvidia-") ? word.substr(7) : word;
}

std::string cpu_table_name() { return table_name(this_machine().cpu_name); }

}  // namespace tessera
