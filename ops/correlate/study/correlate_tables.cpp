// SPDX-License-Identifier: Apache-2.0
// The paper's tables 2 to 6 and what is left of figures 8 and 9, with today's figures.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ops/correlate/study/correlate_study.hpp"
#include "study/fastest_rungs.hpp"
#include "study/study_table.hpp"

namespace tessera {
namespace {

bool begins_with_one(const std::string& rung, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return rung == word || rung.starts_with(word + ".");
  });
}

const StudyRow* find_row(const StudyResult& result, const std::string& rung) {
  for (const StudyRow& row : result.rows)
    if (row.rung == rung) return &row;
  return nullptr;
}

std::string figure_text(const std::string& device, const std::string& rung,
                        const std::string& quantity) {
  const PublishedFigure* const figure = find_published(device, rung, quantity);
  return figure ? figure->text : kUnknown;
}

StudyTable correlate_table() {
  using R = StudyRow;
  const auto error = [](const StudyRow& row) {
    return row.error ? fmt::format("{:.1e}", *row.error) : kUnknown;
  };
  return {24,
          0,
          {figure_column("ms", 10, &R::ms, 3),
           kernel_column(),
           figure_column("GFLOP/s", 9, &R::gflops, 1),
           share_column("of peak", 8, &R::of_peak, 1),
           {"error", 8, error},
           count_column("regs", 5, &R::registers),
           count_column("shared", 7, &R::shared_bytes),
           count_column("lines", 6, &R::lines),
           published_column("published", 0)}};
}

/// All rungs that begin with a word.
std::string group_text(const StudyResult& result, const std::string& title,
                       const std::vector<std::string>& words) {
  return correlate_table().group(
      result, title, [&](const std::string& rung) { return begins_with_one(rung, words); });
}

std::string cell_of(const StudyResult& result, const std::string& rung) {
  const StudyRow* const row = find_row(result, rung);
  return row ? shown(row->ms, 2) : kUnknown;
}

/// Figures 8 and 9: one line per tile shape, one column per path of src.
std::string mask_row_text(const StudyResult& result, const std::string& layout,
                          const std::string& title) {
  const std::string group = "row." + layout + ".";
  const auto is_there = [&](const StudyRow& row) { return row.rung.starts_with(group); };
  if (std::none_of(result.rows.begin(), result.rows.end(), is_there)) return "";
  std::string text = fmt::format("\n{}\n  {:<8}", title, "tile");
  for (const char* path : kPaths) text += fmt::format(" {:>10}", path);
  text += "\n";
  for (const ShiftTile& tile : kTiles) {
    text += fmt::format("  {:<8}", tile.name);
    for (const char* path : kPaths)
      text += fmt::format(" {:>10}", cell_of(result, group + path + "." + tile.name));
    text += "\n";
  }
  if (const StudyRow* const best = fastest_row(result, {group}))
    text += correlate_table().line(*best);
  for (const StudyRow& row : result.rows)
    if (is_there(row) && !row.published.empty())
      text += fmt::format("  the paper's best: {}, {}\n", row.rung, row.published);
  return text;
}

std::string seconds_of(const StudyResult& result, const std::string& rung) {
  const StudyRow* const row = find_row(result, rung);
  return row && row->ms ? fmt::format("{:.3f}", *row->ms / 1000) : kUnknown;
}

/// Numbers of threads for which the paper or today's sweep has a figure.
std::set<int> simd_threads(const StudyResult& result) {
  const std::string group = "simd.";
  std::set<int> counts;
  const auto add = [&](const std::string& rung) {
    if (rung.starts_with(group)) counts.insert(std::stoi(rung.substr(group.size())));
  };
  for (const PublishedFigure& figure : published_figures("correlate")) add(figure.rung);
  for (const StudyRow& row : result.rows) add(row.rung);
  return counts;
}

std::string cpu_text(const StudyResult& result) {
  std::string text = fmt::format(
      "\nTables 4 and 5: the CPU's programs, seconds (the paper: at 500x500)\n  {:<24} {:>10} "
      "{:>10} {:>10}\n",
      "threads", "here", "X5680 x2", "Power7 x2");
  const auto line = [&](const std::string& name, const std::string& rung) {
    text +=
        fmt::format("  {:<24} {:>10} {:>10} {:>10}\n", name, seconds_of(result, rung),
                    figure_text("X5680", rung, "seconds"), figure_text("Power7", rung, "seconds"));
  };
  line("no SIMD", "scalar");
  for (const int threads : simd_threads(result))
    line(std::to_string(threads), "simd." + std::to_string(threads));
  return text;
}

/// The fastest of the rungs that begin with a word, as a line of table 6.
std::string sustained_line(const StudyResult& result, const std::string& where, double peak,
                           const std::vector<std::string>& words) {
  const StudyRow* const best =
      fastest_where(result, [&](const std::string& rung) { return begins_with_one(rung, words); });
  if (!best) return "";
  return fmt::format("  {:<40} {:>10.2f} {:>10.2f} {:>8}\n", where + ", " + best->rung,
                     *best->gflops, peak, percent(best->of_peak, 1));
}

std::string sustained_text(const StudyResult& result) {
  std::string text =
      fmt::format("\nTable 6: sustained GFLOP/s of the direct sum\n  {:<40} {:>10} {:>10} {:>8}\n",
                  "", "sustained", "peak", "share");
  for (const char* device : {"Fermi", "X5680", "Power7"})
    text += fmt::format("  {:<40} {:>10} {:>10} {:>7}%\n",
                        fmt::format("the paper's {}, one processor", device),
                        figure_text(device, "-", "gflops"), figure_text(device, "-", "peak_gflops"),
                        figure_text(device, "-", "percent"));
  text += sustained_line(result, "this GPU", result.peak_gflops,
                         {"sum", "shared", "local", "row", "unrolled"});
  text += sustained_line(result, "this GPU", result.peak_gflops, {"ours.cuda.direct"});
  text += sustained_line(result, "this CPU", result.cpu_gflops, {"scalar", "simd"});
  text += sustained_line(result, "this CPU", result.cpu_gflops, {"fma", "wide", "eight"});
  return text + sustained_line(result, "this CPU", result.cpu_gflops, {"ours.cpu.direct"});
}

std::string prediction_text(const StudyResult& result) {
  std::string text;
  for (const ComparedFigure& figure : correlate_predictions(result))
    text += fmt::format("  {:<60} {:>8}\n", figure.what, shown(figure.here, 2));
  return text.empty() ? "" : "\nTimes as fast\n" + text;
}

std::string cuda_text(const StudyResult& result) {
  return group_text(result, "Aggregation (section 3.2), planes co-located and separate", {"sum"}) +
         group_text(result, "Table 2: src and mask rows in shared memory", {"shared"}) +
         group_text(result, "Table 3: nothing in shared memory, tile 250x2", {"local"}) +
         mask_row_text(result, "co", "Figure 8: mask row in shared memory, planes co-located, ms") +
         mask_row_text(result, "sep", "Figure 9: mask row in shared memory, planes separate, ms") +
         group_text(result, "Unrolled: two shifts per thread, all in shared memory", {"unrolled"});
}

}  // namespace

std::vector<ComparedFigure> correlate_predictions(const StudyResult& result) {
  const auto fastest = [&](const std::vector<std::string>& words) {
    return fastest_where(result,
                         [&](const std::string& rung) { return begins_with_one(rung, words); });
  };
  std::vector<ComparedFigure> figures;
  const auto add = [&](const std::string& what, const StudyRow* over, const StudyRow* under) {
    if (over && under)
      figures.push_back(
          {fmt::format("{}: {} over {}", what, over->rung, under->rung), *over->ms / *under->ms});
  };
  const StudyRow* const simd = fastest({"simd"});
  add("fused multiply-adds", simd, fastest({"fma"}));
  for (const StudyRow& row : result.rows)
    if (row.ms && row.rung.starts_with("wide.")) add("wider vectors", simd, &row);
  add("eight sums", fastest({"wide"}), fastest({"eight"}));
  add("ours", fastest({"eight"}), fastest({"ours.cpu.direct"}));
  add("threads", fastest({"openmp"}), simd);
  add("threads", fastest({"pthreads"}), simd);
  return figures;
}

std::string correlate_tables(const StudyResult& result, const std::vector<MachineFacts>& machine) {
  std::string text = places_text(result, fmt::format("{:.0f} GFLOP/s measured", result.peak_gflops),
                                 "", fmt::format("{:.1f} GFLOP/s measured", result.cpu_gflops));
  text += machine_text(machine);
  if (!result.device.empty()) text += cuda_text(result);
  if (!result.cpu.empty())
    text += group_text(result, "The CPU's programs", {"scalar", "simd"}) + cpu_text(result) +
            group_text(result, "The same on threads of OpenMP, and on new ones",
                       {"openmp", "pthreads"}) +
            group_text(result, "The paper's expectations: FMA, wider vectors; more sums at once",
                       {"fma", "wide", "eight"}) +
            prediction_text(result);
  return text + group_text(result, "Ours", {"ours"}) + sustained_text(result);
}

}  // namespace tessera
