// SPDX-License-Identifier: Apache-2.0
#include "study/study_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The cells of a line; a quoted one may hold commas, and its quotes are doubled.
std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char letter = line[k];
    if (letter == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      cells.back() += line[++k];
    else if (letter == '"')
      quoted = !quoted;
    else if (letter == ',' && !quoted)
      cells.emplace_back();
    else if (letter != '\r')
      cells.back() += letter;
  }
  return cells;
}

void set_cell(const std::string&, const std::string& cell, std::string& value) { value = cell; }
template <class T>
void set_cell(const std::string& what, const std::string& cell, std::optional<T>& value) {
  if (cell.empty()) return;
  T number{};
  from_text(what, cell, number);
  value = number;
}

StudyRow row_of_cells(const std::string& what, const std::vector<std::string>& names,
                      const std::vector<std::string>& cells) {
  StudyRow row;
  for_each_option(row, [&](const char* name, auto& value, const Help&) {
    const auto at = std::ranges::find(names, name);
    if (at != names.end())
      set_cell(what + ", " + name, cells[static_cast<std::size_t>(at - names.begin())], value);
  });
  return row;
}

void check_names(const std::string& what, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  const StudyRow row;
  for_each_option(row,
                  [&](const char* name, const auto&, const Help&) { known.emplace_back(name); });
  const auto unknown = std::ranges::find_if(names, [&](const std::string& name) {
    return std::ranges::find(known, name) == known.end();
  });
  if (unknown != names.end() || std::ranges::find(names, "rung") == names.end())
    throw Error(
        ErrorKind::input,
        fmt::format(
            "{}: its first line is not that of `tessera study NAME --csv`{}", what,
            unknown == names.end() ? "" : fmt::format(": there is no column '{}'", *unknown)));
}

}  // namespace

StudyResult parse_study_csv(const std::string& study, const std::string& what,
                            std::string_view text) {
  StudyResult result{.study = study};
  std::istringstream lines{std::string(text)};
  std::string line;
  std::getline(lines, line);
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8, which spreadsheets write
  if (line.starts_with(kMark)) line.erase(0, kMark.size());
  if (line.empty()) throw Error(ErrorKind::input, fmt::format("{}: it is empty", what));
  const std::vector<std::string> names = csv_cells(line);
  check_names(what, names);
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const std::vector<std::string> cells = csv_cells(line);
    const std::string here = fmt::format("{} line {}", what, number);
    if (cells.size() != names.size())
      throw Error(ErrorKind::input, fmt::format("{}: it has {} cells; there are {} columns", here,
                                                cells.size(), names.size()));
    try {
      result.rows.push_back(row_of_cells(here, names, cells));
    } catch (const Error& error) {
      throw Error(ErrorKind::input, error.what());
    }
  }
  return result;
}

StudyResult read_study_csv(const std::string& study, const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw Error(ErrorKind::input, fmt::format("{}: it is a folder; give a file", path));
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorKind::input, fmt::format("{}: it cannot be read", path));
  return parse_study_csv(study, path, text.str());
}

}  // namespace tessera
