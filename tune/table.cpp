// SPDX-License-Identifier: Apache-2.0
#include "tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/machine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void throw_bad_line(const std::string& name, int number, const std::string& reason) {
  throw Error(ErrorKind::input,
              fmt::format("{}: line {}: {}; a line is 'machine site@version problem | knobs | "
                          "measured'",
                          name, number, reason));
}

bool parse_double(const std::string& text, double& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

/// Calls take(key, value) for each key=value of a part; false at the first word that is none.
template <class Take>
bool each_pair(std::istringstream& part, Take take) {
  for (std::string word; part >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) return false;
    take(word.substr(0, equals), word.substr(equals + 1));
  }
  return true;
}

TuningLine parse_line(const std::string& text, const std::string& name, int number) {
  std::array<std::string, 3> parts;
  std::istringstream whole(text);
  for (std::string& part : parts)
    if (!std::getline(whole, part, '|'))
      throw_bad_line(name, number, "it has fewer than three parts");

  TuningLine line;
  std::istringstream left(parts[0]), middle(parts[1]);
  if (!(left >> line.machine >> line.site) || line.site.find('@') == std::string::npos)
    throw_bad_line(name, number, "it does not begin with a machine and a site@version");
  const bool problem_read = each_pair(left, [&](const std::string& key, const std::string& value) {
    double number_value = 0;
    if (parse_double(value, number_value))
      line.problem.numbers[key] = number_value;
    else
      line.problem.words[key] = value;
  });
  if (!problem_read) throw_bad_line(name, number, "its problem has a word without '='");
  bool knobs_read = true;
  const bool pairs_read = each_pair(middle, [&](const std::string& key, const std::string& value) {
    double knob = 0;
    knobs_read = knobs_read && parse_double(value, knob) && knob == std::floor(knob);
    line.knobs.values[key] = static_cast<int>(knob);
  });
  if (!knobs_read || !pairs_read) throw_bad_line(name, number, "a knob is no key=integer");
  return line;
}

/// How far apart two problems are; infinite when words or the set of numbers differ.
double distance(const ProblemKey& a, const ProblemKey& b) {
  if (a.words != b.words || a.numbers.size() != b.numbers.size())
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (auto i = a.numbers.begin(), j = b.numbers.begin(); i != a.numbers.end(); ++i, ++j) {
    if (i->first != j->first) return std::numeric_limits<double>::infinity();
    sum += std::abs(std::log(std::max(i->second, 1e-9) / std::max(j->second, 1e-9)));
  }
  return sum;
}

}  // namespace

std::vector<TuningLine> parse_table(std::string_view text, const std::string& name) {
  std::vector<TuningLine> lines;
  std::istringstream stream{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string::npos && line[start] != '#')
      lines.push_back(parse_line(line, name, number));
  }
  return lines;
}

Knobs find_in(const std::vector<TuningLine>& lines, const std::string& machine,
              const std::string& site, const ProblemKey& problem) {
  double least = std::numeric_limits<double>::infinity();
  Knobs best;
  for (const TuningLine& line : lines) {
    if (line.machine != machine || line.site != site) continue;
    const double d = distance(line.problem, problem);
    if (d >= least) continue;
    least = d;
    best = line.knobs;
    best.exact = d == 0;
  }
  return best;
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
