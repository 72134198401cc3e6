// SPDX-License-Identifier: Apache-2.0
#include "tune/plot_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/embedded.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tune/table_file.hpp"
#include "tune/tuner.hpp"

namespace tessera {
namespace {

using Sizes = std::map<std::pair<int, int>, double>;

std::string word_of(const TuningLine& line, const std::string& key) {
  const auto found = line.problem.words.find(key);
  return found == line.problem.words.end() ? "" : found->second;
}

std::pair<int, int> size_of(const TuningLine& line) {
  const auto side = [&](const char* key) {
    const auto found = line.problem.numbers.find(key);
    return found == line.problem.numbers.end() ? 0 : static_cast<int>(found->second);
  };
  return {side("fw"), side("fh")};
}

std::vector<PlotPoint> points_of(const Sizes& values) {
  std::vector<PlotPoint> points;
  for (const auto& [size, value] : values) points.push_back({size.first, size.second, value});
  return points;
}

bool is_time(const TuningLine& line) { return line.site.find(".time@") != std::string::npos; }

/// Femtoseconds per sample, by method.
std::map<std::string, Sizes> times_of(const std::vector<TuningLine>& lines,
                                      const std::string& machine, const std::string& backend,
                                      const std::string& type) {
  std::map<std::string, Sizes> times;
  for (const TuningLine& line : lines)
    if (is_time(line) && line.machine == machine && word_of(line, "backend") == backend &&
        word_of(line, "in") == type)
      times[word_of(line, "method")][size_of(line)] = line.knobs.get("fs", 0);
  return times;
}

PlotSurface gflops_of(const std::string& method, const Sizes& times) {
  Sizes values;
  for (const auto& [size, fs] : times)
    if (fs > 0) values[size] = 2e6 * size.first * size.second / fs;
  return {"gflops-" + method, method + ", GFLOP/s", points_of(values)};
}

Sizes ratios(const Sizes& over, const Sizes& under) {
  Sizes values;
  for (const auto& [size, fs] : under)
    if (const auto other = over.find(size); other != over.end() && fs > 0)
      values[size] = other->second / fs;
  return values;
}

/// Blocks and tile factors of the direct kernel; a CPU's table has none.
void add_blocks(PlotData& data, const std::vector<TuningLine>& lines, const std::string& type) {
  Sizes factors;
  std::map<std::string, int> counts;
  for (const TuningLine& line : lines) {
    const int block_x = line.knobs.get("block_x", 32), block_y = line.knobs.get("block_y", 0);
    if (line.machine != data.machine || word_of(line, "in") != type || block_x < 1 ||
        line.site.find(".direct@") == std::string::npos)
      continue;
    factors[size_of(line)] = line.knobs.get("rows", 1) * line.knobs.get("columns", 1);
    ++counts[fmt::format("{}x{}", block_x, block_y)];
  }
  int all = 0;
  for (const auto& [block, count] : counts) all += count;
  for (const auto& [block, count] : counts)
    data.block_shares.emplace_back(block, static_cast<double>(count) / all);
  data.tile_factor = {"tile-factor", "outputs a thread", points_of(factors)};
}

}  // namespace

PlotData plot_data(const std::vector<TuningLine>& lines, Backend wanted, Type wanted_type) {
  PlotData data;
  std::string backend(name_of(wanted));
  const std::string type(name_of(wanted_type));
  for (const TuningLine& line : lines)
    if (data.machine.empty() && is_time(line) && word_of(line, "in") == type &&
        (wanted == Backend::automatic || word_of(line, "backend") == backend)) {
      data.machine = line.machine;
      backend = word_of(line, "backend");
    }
  const auto times = times_of(lines, data.machine, backend, type);
  if (times.empty())
    throw Error(ErrorKind::input, fmt::format("tune: the table has no times of backend {} and type "
                                              "{}; tessera tune measures them",
                                              backend, type));
  for (const auto& [method, sizes] : times) data.gflops.push_back(gflops_of(method, sizes));
  data.speed_up = {"speed-up", "time of fft over time of direct", {}};
  if (times.contains("direct") && times.contains("fft"))
    data.speed_up.points = points_of(ratios(times.at("fft"), times.at("direct")));
  add_blocks(data, lines, type);
  return data;
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

std::string csv_text(const PlotData& data) {
  std::vector<PlotSurface> surfaces = data.gflops;
  for (const PlotSurface& more : {data.speed_up, data.tile_factor})
    if (!more.points.empty()) surfaces.push_back(more);
  std::map<std::pair<int, int>, std::vector<std::string>> rows;
  std::string text = "fw,fh";
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    text += "," + surfaces[i].name;
    for (const PlotPoint& point : surfaces[i].points) {
      auto& row = rows[{point.fw, point.fh}];
      row.resize(surfaces.size());
      row[i] = fmt::format("{:.6g}", point.value);
    }
  }
  for (const auto& [size, row] : rows) {
    text += fmt::format("\n{},{}", size.first, size.second);
    for (const std::string& value : row) text += "," + value;
  }
  return text;
}

}  // namespace tessera
