// SPDX-License-Identifier: Apache-2.0
#include "tune/table_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/embedded.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {

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
