// SPDX-License-Identifier: Apache-2.0
// The paper's pictures of a table: GFLOP/s of every method, outputs per thread, the speed of direct
// over fft and the blocks that were chosen.

#include <fmt/format.h>

#include <map>

#include "ops/convolve/tune/convolve_tunables.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

struct Found {
  double value = 0;
  bool measured = true;
};
using Sizes = std::map<std::pair<int, int>, Found>;

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

std::vector<SurfacePoint> points_of(const Sizes& values) {
  std::vector<SurfacePoint> points;
  for (const auto& [size, found] : values)
    points.push_back({size.first, size.second, found.value, found.measured});
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
      times[word_of(line, "method")][size_of(line)] = {1.0 * line.knobs.get("fs", 0),
                                                       line.is_measured()};
  return times;
}

TableSurface gflops_of(const std::string& method, const Sizes& times) {
  Sizes values;
  for (const auto& [size, fs] : times)
    if (fs.value > 0) values[size] = {2e6 * size.first * size.second / fs.value, fs.measured};
  return {"gflops-" + method, method + ", GFLOP/s", points_of(values)};
}

Sizes ratios(const Sizes& over, const Sizes& under) {
  Sizes values;
  for (const auto& [size, fs] : under)
    if (const auto other = over.find(size); other != over.end() && fs.value > 0)
      values[size] = {other->second.value / fs.value, fs.measured && other->second.measured};
  return values;
}

/// Blocks and tile factors of the direct kernel; a CPU's table has none.
void add_blocks(TablePictures& pictures, const std::vector<TuningLine>& lines,
                const std::string& type) {
  Sizes factors;
  std::map<std::string, int> counts;
  for (const TuningLine& line : lines) {
    const int block_x = line.knobs.get("block_x", 32), block_y = line.knobs.get("block_y", 0);
    if (line.machine != pictures.machine || word_of(line, "in") != type || block_x < 1 ||
        line.site.find(".direct@") == std::string::npos)
      continue;
    factors[size_of(line)] = {1.0 * line.knobs.get("rows", 1) * line.knobs.get("columns", 1),
                              line.is_measured()};
    ++counts[fmt::format("{}x{}", block_x, block_y)];
  }
  int all = 0;
  for (const auto& [block, count] : counts) all += count;
  for (const auto& [block, count] : counts)
    pictures.shares.emplace_back(block, static_cast<double>(count) / all);
  pictures.whole_numbers = {"tile-factor", "outputs per thread", points_of(factors)};
}

}  // namespace

TablePictures convolve_pictures(const std::vector<TuningLine>& lines, Backend wanted,
                                Type wanted_type) {
  TablePictures pictures{.x = "fw",
                         .y = "fh",
                         .first_drawn = kFirstPaperSide,
                         .last_drawn = kLastPaperSide,
                         .shares_title = "blocks chosen",
                         .shares_of = "block, threads across x down"};
  std::string backend(name_of(wanted));
  const std::string type(name_of(wanted_type));
  for (const TuningLine& line : lines)
    if (pictures.machine.empty() && is_time(line) && word_of(line, "in") == type &&
        (wanted == Backend::automatic || word_of(line, "backend") == backend)) {
      pictures.machine = line.machine;
      backend = word_of(line, "backend");
    }
  const auto times = times_of(lines, pictures.machine, backend, type);
  if (times.empty())
    throw Error(ErrorKind::input, fmt::format("tune: the table has no times of backend {} and type "
                                              "{}; tessera tune measures them",
                                              backend, type));
  for (const auto& [method, sizes] : times) pictures.speeds.push_back(gflops_of(method, sizes));
  pictures.speed_up = {"speed-up", "speed of direct over fft", {}};
  if (times.contains("direct") && times.contains("fft"))
    pictures.speed_up.points = points_of(ratios(times.at("fft"), times.at("direct")));
  add_blocks(pictures, lines, type);
  return pictures;
}

}  // namespace tessera
