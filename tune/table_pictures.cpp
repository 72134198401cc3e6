// SPDX-License-Identifier: Apache-2.0
#include "tune/table_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "core/embedded.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

/// "morphology_direct", "enhance.grey-grey-contrast-smooth": the site without its version, and the
/// words of the problem except its type.
std::string column_of(const TuningLine& line) {
  std::string name = line.site.substr(0, line.site.find('@'));
  for (const auto& [key, word] : line.problem.words)
    if (key != "in") name += "-" + word;
  std::replace(name.begin(), name.end(), ',', '-');
  return name;
}

/// The gain in "gain=1.12 spread=…"; none in a line that was not measured.
std::optional<double> gain_of(const TuningLine& line) {
  constexpr std::string_view kGain = "gain=";
  const std::size_t at = line.measured.find(kGain);
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(line.measured.c_str() + at + kGain.size(), nullptr);
}

}  // namespace

TablePictures knob_pictures(const std::vector<TuningLine>& lines, const std::string& operation,
                            Type type, const std::string& x, const std::string& y) {
  TablePictures pictures{.x = x, .y = y, .shares_title = "knobs chosen", .shares_of = "knobs"};
  std::map<std::string, TableSurface> columns;
  std::map<std::string, int> chosen;
  int measured = 0;
  for (const TuningLine& line : lines) {
    const auto in = line.problem.words.find("in");
    const auto& numbers = line.problem.numbers;
    if (!line.site.starts_with(operation) || in == line.problem.words.end() ||
        in->second != name_of(type) || !numbers.contains(x) || !numbers.contains(y) ||
        (!pictures.machine.empty() && line.machine != pictures.machine))
      continue;
    pictures.machine = line.machine;
    const std::string name = column_of(line);
    const auto add = [&](const std::string& what, double value) {
      TableSurface& surface = columns[name + "-" + what];
      surface.name = name + "-" + what;
      surface.points.push_back({static_cast<int>(numbers.at(x)), static_cast<int>(numbers.at(y)),
                                value, line.is_measured()});
    };
    if (const auto gain = gain_of(line)) add("gain", *gain);
    std::string words = line.site.substr(0, line.site.find('@'));
    for (const auto& [knob, value] : line.knobs.values) {
      add(knob, value);
      words += fmt::format(" {}={}", knob, value);
    }
    measured += line.is_measured();
    chosen[words] += line.is_measured();
  }
  if (columns.empty())
    throw Error(ErrorKind::input,
                fmt::format("tune: the table has no knobs of {} for type {}; tessera tune "
                            "measures them with op {}",
                            operation, name_of(type), operation));
  for (auto& [name, surface] : columns) pictures.printed.push_back(std::move(surface));
  for (const auto& [words, count] : chosen)
    if (count > 0) pictures.shares.emplace_back(words, static_cast<double>(count) / measured);
  return pictures;
}

std::vector<TuningLine> lines_to_plot(const std::string& path, Backend backend, int device) {
  std::vector<std::string> machines{cpu_table_name()};
  const auto& devices = this_machine().devices;
  if (backend != Backend::cpu && device >= 0 && device < static_cast<int>(devices.size()))
    machines.insert(machines.begin(), table_name(devices[static_cast<std::size_t>(device)].name));
  std::vector<TuningLine> lines;
  if (!path.empty()) lines = read_table(path);
  for (const std::string& machine : machines)
    if (path.empty() && lines.empty()) lines = read_table(user_table(machine));
  for (const EmbeddedText& table : embedded_tuning_tables())
    if (path.empty() && lines.empty() &&
        std::find(machines.begin(), machines.end(), table.name) != machines.end())
      lines = parse_table(table.text, std::string(table.name));
  if (lines.empty())
    throw Error(ErrorKind::input, fmt::format("{}: there is no table; tessera tune makes one",
                                              path.empty() ? user_table(machines.front()) : path));
  return lines;
}

std::string csv_text(const TablePictures& pictures) {
  std::vector<TableSurface> surfaces = pictures.speeds;
  for (const TableSurface& more : {pictures.speed_up, pictures.whole_numbers})
    if (!more.points.empty()) surfaces.push_back(more);
  surfaces.insert(surfaces.end(), pictures.printed.begin(), pictures.printed.end());
  std::map<std::pair<int, int>, std::vector<std::string>> rows;
  std::map<std::pair<int, int>, std::string> interpolated;
  std::string text = pictures.x + "," + pictures.y;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    text += "," + surfaces[i].name;
    for (const SurfacePoint& point : surfaces[i].points) {
      auto& row = rows[{point.x, point.y}];
      row.resize(surfaces.size());
      row[i] = fmt::format("{:.6g}", point.value);
      std::string& names = interpolated[{point.x, point.y}];
      if (!point.measured) names += (names.empty() ? "" : " ") + surfaces[i].name;
    }
  }
  text += ",interpolated";
  for (const auto& [size, row] : rows) {
    text += fmt::format("\n{},{}", size.first, size.second);
    for (const std::string& value : row) text += "," + value;
    text += "," + interpolated[size];
  }
  return text;
}

}  // namespace tessera
