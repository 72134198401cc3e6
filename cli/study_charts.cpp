// SPDX-License-Identifier: Apache-2.0
#include "cli/study_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "study/published.hpp"
#include "study/studies.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Rungs that share a panel: those of a study that begin like this, and contain a word.
struct RungGroup {
  const char *study, *beginning, *title, *word = "";
};
constexpr RungGroup kGroups[] = {
    {"convolve", "cpu.", "CPU"},
    {"convolve", "s", "Separable passes"},
    {"convolve", "10", "Ours, the talk's, and FFTs"},
    {"convolve", "fft", "Ours, the talk's, and FFTs"},
    {"convolve", "cufft", "Ours, the talk's, and FFTs"},
    {"convolve", "", "The paper's ladder"},
    {"correlate", "sum.", "Aggregation (section 3.2)"},
    {"correlate", "shared.", "Table 2: src and mask rows in shared memory"},
    {"correlate", "local.", "Table 3: nothing in shared memory"},
    {"correlate", "row.co.", "Figure 8: mask row in shared memory, planes co-located"},
    {"correlate", "row.sep.", "Figure 9: mask row in shared memory, planes separate"},
    {"correlate", "unrolled.", "Unrolled: two shifts per thread"},
    {"correlate", "ours.", "Ours"},
    {"correlate", "", "CPU (tables 4 and 5)"},
    {"enhance", "grey.", "Grey (2.1)"},
    {"enhance", "histogram.", "Histogram (2.2)"},
    {"enhance", "contrast.", "Contrast (2.3)"},
    {"enhance", "smooth.", "Smoothing (2.4)"},
    {"enhance", "chain.", "All four steps"},
    {"faraday", "gpu.", "GPU, double", ".double"},
    {"faraday", "gpu.", "GPU, single", ".single"},
    {"faraday", "cpu.", "CPU, double", ".double"},
    {"faraday", "cpu.", "CPU, single", ".single"},
    {"xengine", "gpu.", "GPU"},
    {"xengine", "cpu.", "CPU"},
    {"noise", "gpu.", "GPU"},
    {"noise", "cpu.", "CPU"},
    {"cells", "detect.", "Detection (section 4)"},
    {"cells", "track.", "Tracking (section 5)"},
    {"cells", "film.", "A film, per frame"},
};

/// The first group with its title: beginnings may share a panel.
const RungGroup* first_of_title(const RungGroup& group) {
  return std::ranges::find_if(kGroups, [&](const RungGroup& one) {
    return one.study == std::string_view(group.study) && one.title == std::string_view(group.title);
  });
}

const RungGroup* group_of(const std::string& study, const std::string& rung) {
  for (const RungGroup& group : kGroups)
    if (study == group.study && rung.starts_with(group.beginning) &&
        rung.find(group.word) != std::string::npos)
      return first_of_title(group);
  return nullptr;
}

bool is_figure_of(const PublishedFigure& figure, const StudyRow& row) {
  return figure.rung == row.rung &&
         (figure.filter_width == 0 ||
          row.case_name == fmt::format("{}x{}", figure.filter_width, figure.filter_height));
}

std::string device_of(const PublishedFigure& figure) {
  return figure.device == "-" ? "" : figure.device;
}

/// A quantity of the paper in the unit of the panel.
struct DrawnQuantity {
  const char* name;
  double factor;
  bool inverse = false;
};
constexpr DrawnQuantity kTimes[] = {{"ms", 1}, {"seconds", 1e3}};
constexpr DrawnQuantity kOverC[] = {{"over_c", 1}, {"slower_than_c", 1, true}};
constexpr DrawnQuantity kSpeeds[] = {{"gflops", 1}};

template <std::size_t N>
std::optional<double> drawn(const PublishedFigure& figure, const DrawnQuantity (&quantities)[N]) {
  for (const DrawnQuantity& quantity : quantities)
    if (figure.quantity == quantity.name && figure.value > 0)
      return quantity.factor * (quantity.inverse ? 1 / figure.value : figure.value);
  return std::nullopt;
}

template <std::size_t N>
StudyBar bar_of(const StudyResult& result, const StudyRow& row, const std::optional<double>& here,
                const DrawnQuantity (&quantities)[N]) {
  StudyBar bar{.name = row.rung, .here = here};
  for (const PublishedFigure& figure : published_figures(result.study))
    if (const auto value = drawn(figure, quantities); value && is_figure_of(figure, row)) {
      bar.published = value;
      bar.device = device_of(figure);
      break;
    }
  return bar;
}

/// All of the text; rows may come from a file that somebody wrote.
std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool right = error == std::errc() && end == text.data() + text.size() && number > 0;
  return right ? std::optional(number) : std::nullopt;
}

/// The series of a rung on a number of threads, and the number: "simd" and 8.
struct OnThreads {
  std::string series;
  int threads = 0;
};
std::optional<OnThreads> on_threads_of(const std::string& rung, const std::optional<int>& threads) {
  const std::size_t dot = rung.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string series = rung.substr(0, dot), number = rung.substr(dot + 1);
  const bool known = series == "simd" || series == "openmp" || series == "pthreads" ||
                     series == "cpu.loop" || series == "cpu.simd";
  if (!threads && !known) return std::nullopt;
  const std::optional<int> count = whole_number(number);
  return count ? std::optional(OnThreads{series, *count}) : std::nullopt;
}

/// The filter that names a case, "17x43".
std::optional<StudySize> sides_of(const StudyRow& row) {
  const std::size_t times = row.case_name.find('x');
  if (times == std::string::npos) return std::nullopt;
  const auto width = whole_number(row.case_name.substr(0, times)),
             height = whole_number(row.case_name.substr(times + 1));
  return width && height ? std::optional(StudySize{*width, *height}) : std::nullopt;
}

StudyLine& line_named(StudyPanel& panel, const std::string& name, bool published) {
  for (StudyLine& line : panel.lines)
    if (line.name == name) return line;
  return panel.lines.emplace_back(StudyLine{name, {}, published});
}

/// Times over the number of threads, and the paper's of the same series.
std::optional<StudyPanel> threads_panel(const StudyResult& result,
                                        const std::vector<const StudyRow*>& rows) {
  StudyPanel panel{.title = "Threads of the CPU", .unit = "ms", .over = "threads"};
  for (const StudyRow* row : rows)
    if (const auto on = on_threads_of(row->rung, row->threads); on && row->ms)
      line_named(panel, on->series, false).points.emplace_back(on->threads, *row->ms);
  std::erase_if(panel.lines, [](const StudyLine& line) { return line.points.size() < 2; });
  if (panel.lines.empty()) return std::nullopt;
  const std::vector<StudyLine> here = panel.lines;
  for (const PublishedFigure& figure : published_figures(result.study)) {
    const auto on = on_threads_of(figure.rung, std::nullopt);
    const auto value = drawn(figure, kTimes);
    if (on && value && std::ranges::find(here, on->series, &StudyLine::name) != here.end())
      line_named(panel, on->series + ", " + device_of(figure), true)
          .points.emplace_back(on->threads, *value);
  }
  return panel;
}

/// "row.co.texture.250x2" as the line "texture" over tiles.
StudyPanel tiles_panel(const StudyResult& result, const std::vector<const StudyRow*>& rows,
                       const RungGroup& group) {
  StudyPanel panel{.title = group.title, .unit = "ms", .over = "tile"};
  for (const StudyRow* row : rows) {
    const std::string rest = row->rung.substr(std::string(group.beginning).size());
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos || !row->ms) continue;
    const std::string tile = rest.substr(dot + 1);
    auto at = std::ranges::find(panel.x_names, tile);
    if (at == panel.x_names.end()) at = panel.x_names.insert(at, tile);
    const auto x = static_cast<double>(at - panel.x_names.begin());
    line_named(panel, rest.substr(0, dot), false).points.emplace_back(x, *row->ms);
    const StudyBar bar = bar_of(result, *row, row->ms, kTimes);
    if (bar.published)
      line_named(panel, rest.substr(0, dot) + ", " + bar.device, true)
          .points.emplace_back(x, *bar.published);
  }
  return panel;
}

std::optional<double> plain_ms(const std::vector<const StudyRow*>& rows) {
  for (const StudyRow* row : rows)
    if (row->rung.ends_with(".plain")) return row->ms;
  return std::nullopt;
}

StudyPanel bars_panel(const StudyResult& result, const std::vector<const StudyRow*>& rows,
                      const RungGroup& group) {
  const std::optional<double> plain =
      result.study == "cells" && group.beginning != std::string_view("film.") ? plain_ms(rows)
                                                                              : std::nullopt;
  StudyPanel panel{.title = group.title, .unit = plain ? "times as fast as plain C" : "ms"};
  for (const StudyRow* row : rows) {
    if (!row->ms || on_threads_of(row->rung, row->threads)) continue;
    panel.bars.push_back(plain ? bar_of(result, *row, *plain / *row->ms, kOverC)
                               : bar_of(result, *row, row->ms, kTimes));
  }
  return panel;
}

/// GFLOP/s of every rung over the side of square filters.
std::optional<StudyPanel> sizes_panel(const StudyResult& result,
                                      const std::vector<const StudyRow*>& rows,
                                      const RungGroup& group) {
  StudyPanel panel{.title = group.title + std::string(": square filters"),
                   .unit = "GFLOP/s",
                   .over = "side of the filter (pixels)"};
  const auto side_of = [](int width, int height) { return width == height ? width : 0; };
  std::map<std::string, bool> drawn_rungs;
  for (const StudyRow* row : rows) {
    const std::optional<StudySize> sides = sides_of(*row);
    if (!row->gflops || !sides) continue;
    const int side = side_of(sides->width, sides->height);
    if (side == 0) continue;
    line_named(panel, row->rung, false).points.emplace_back(side, *row->gflops);
    drawn_rungs[row->rung] = true;
  }
  for (const PublishedFigure& figure : published_figures(result.study)) {
    const auto value = drawn(figure, kSpeeds);
    const int side = side_of(figure.filter_width, figure.filter_height);
    if (value && side > 0 && drawn_rungs[figure.rung])
      line_named(panel, figure.rung + ", " + device_of(figure), true)
          .points.emplace_back(side, *value);
  }
  // Rungs that were run at one size, such as the CPU's next to a GPU's ladder, have no line.
  const auto is_line = [](const StudyLine& line) { return line.points.size() > 1; };
  if (std::ranges::none_of(panel.lines, is_line)) return std::nullopt;
  for (StudyLine& line : panel.lines) std::ranges::sort(line.points);
  return panel;
}

/// The rows of a case, or of all, group by group in the order of the first of each.
std::vector<std::pair<const RungGroup*, std::vector<const StudyRow*>>> grouped(
    const StudyResult& result, const std::string* case_name) {
  std::vector<std::pair<const RungGroup*, std::vector<const StudyRow*>>> groups;
  for (const StudyRow& row : result.rows) {
    const RungGroup* const group = group_of(result.study, row.rung);
    if (!group || !row.ms || (case_name && row.case_name != *case_name)) continue;
    auto at = std::ranges::find_if(groups, [&](const auto& one) { return one.first == group; });
    if (at == groups.end()) at = groups.insert(at, {group, {}});
    at->second.push_back(&row);
  }
  return groups;
}

std::vector<std::string> cases_of(const StudyResult& result) {
  std::vector<std::string> cases;
  for (const StudyRow& row : result.rows)
    if (row.ms && std::ranges::find(cases, row.case_name) == cases.end())
      cases.push_back(row.case_name);
  return cases;
}

void add_case_panels(const StudyResult& result, const std::string& case_name, bool named,
                     std::vector<StudyPanel>& panels) {
  const std::string suffix = named ? " – " + case_name : "";
  for (const auto& [group, rows] : grouped(result, &case_name)) {
    const bool tiles = std::string(group->beginning).starts_with("row.");
    StudyPanel panel = tiles ? tiles_panel(result, rows, *group) : bars_panel(result, rows, *group);
    panel.title += suffix;
    if (!panel.bars.empty() || !panel.lines.empty()) panels.push_back(panel);
    if (auto threads = threads_panel(result, rows)) {
      if (group->title != std::string_view("CPU"))
        threads->title += std::string(": ") + group->title;
      threads->title += suffix;
      panels.push_back(*threads);
    }
  }
}

constexpr std::size_t kFewCases = 2;

using SpeedField = std::map<std::pair<int, int>, double>;

/// Between the nearest measured fields on both sides along one axis; none if a side has no field.
std::optional<double> between(const SpeedField& measured, int width, int height, bool along_width) {
  const auto at = [&](int step) {
    return measured.find({along_width ? step : width, along_width ? height : step});
  };
  constexpr int kMost = 64;
  const int here = along_width ? width : height;
  int low = here - 1, high = here + 1;
  while (low > 0 && at(low) == measured.end()) --low;
  while (high <= kMost && at(high) == measured.end()) ++high;
  if (low == 0 || high > kMost) return std::nullopt;
  const double share = static_cast<double>(here - low) / (high - low);
  return at(low)->second * (1 - share) + at(high)->second * share;
}

}  // namespace

std::vector<StudyPanel> study_panels(const StudyResult& result) {
  const std::vector<std::string> cases = cases_of(result);
  if (cases.empty())
    throw Error(ErrorKind::usage, fmt::format("study {}: no rung has a time, so there is nothing "
                                              "to draw",
                                              result.study));
  std::vector<StudyPanel> panels;
  if (result.study == "convolve" && cases.size() > kFewCases) {
    for (const auto& [group, rows] : grouped(result, nullptr))
      if (const auto panel = sizes_panel(result, rows, *group)) panels.push_back(*panel);
    if (!panels.empty()) return panels;
  }
  for (const std::string& one : cases) add_case_panels(result, one, cases.size() > 1, panels);
  return panels;
}

std::vector<FilterFigure> search_speeds(const StudyResult& result, const std::string& rung) {
  SpeedField measured;
  for (const StudyRow& row : result.rows)
    if (const auto size = sides_of(row); size && row.rung == rung && row.gflops)
      measured[{size->width, size->height}] = *row.gflops;
  std::vector<FilterFigure> figures;
  for (const auto& [size, gflops] : measured)
    figures.push_back({size.first, size.second, gflops, true});
  for (int height = 3; height <= 43; height += 2)
    for (int width = 3; width <= 43; width += 2) {
      if (measured.contains({width, height})) continue;
      const auto across = between(measured, width, height, true),
                 down = between(measured, width, height, false);
      if (across || down)
        figures.push_back(
            {width, height,
             across && down ? (*across + *down) / 2 : across.value_or(down.value_or(0)), false});
    }
  return figures;
}

std::vector<FilterFigure> search_tiles(const StudyResult& result, const std::string& rung) {
  std::vector<FilterFigure> figures;
  for (const StudyRow& row : result.rows)
    if (const auto size = sides_of(row); size && row.rung == rung && row.ms && row.tiles)
      figures.push_back({size->width, size->height, static_cast<double>(*row.tiles), true});
  return figures;
}

}  // namespace tessera
