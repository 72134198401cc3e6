// SPDX-License-Identifier: Apache-2.0
#include "study/study_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/study_table.hpp"

namespace tessera {
namespace {

std::string block_text(const StudyRow& row) {
  if (!row.block_x || !row.block_y) return kUnknown;
  const std::string block = fmt::format("{}x{}", *row.block_x, *row.block_y);
  return row.tiles ? fmt::format("{} x{}", block, *row.tiles) : block;
}

StudyTable ladder_table(const StudyResult& result) {
  using R = StudyRow;
  const StudyTable table(4, 32,
                         {figure_column("ms", 9, &R::ms, 4),
                          kernel_column(),
                          figure_column("GFLOP/s", 9, &R::gflops, 1),
                          figure_column("flop/B", 8, &R::intensity, 2),
                          share_column("roof", 6, &R::roofline, 0),
                          {"block", 10, block_text},
                          count_column("regs", 5, &R::registers),
                          count_column("shared", 7, &R::shared_bytes),
                          count_column("lines", 5, &R::lines),
                          published_column("published GFLOP/s", 0)});
  return table.fitted(result);
}

std::string summary_text(const StudyResult& result) {
  std::string text =
      fmt::format("\n{:<10} {:<5} {:>9} {:>12} {:>12}\n", "case", "best", "ms",
                  "over rung " + result.first, result.rival.empty() ? "" : "over " + result.rival);
  for (const StudySummary& line : result.summary)
    text += fmt::format("{:<10} {:<5} {:>9.4f} {:>12} {:>12}\n", line.case_name, line.best, line.ms,
                        shown(line.over_first, 2), shown(line.over_rival, 2));
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}
template <class T>
std::string csv_cell(const std::optional<T>& value) {
  return value ? to_text(*value) : "";
}

const StudyRow* row_of(const StudyResult& result, const std::string& name,
                       const std::string& rung) {
  for (const StudyRow& row : result.rows)
    if (row.case_name == name && row.rung == rung && row.ms) return &row;
  return nullptr;
}

}  // namespace

void scale_times(StudyRow& row, double factor) {
  if (row.ms) *row.ms *= factor;
  if (row.kernel_ms) *row.kernel_ms *= factor;
}

std::string StudyResult::describe() const {
  if (rows.empty()) return verdict;
  const std::string published =
      further +
      compared_table("Published, and the same here (– if not measured, or not at the paper's size)",
                     74, compared);
  std::string text = pinned.empty() ? "" : pinned + "\n";
  if (!tables.empty()) return text + tables + published + "\n" + verdict;
  if (!device.empty())
    text += fmt::format("{} on {}: {:.1f} GFLOP/s and {:.0f} GB/s measured\n", study, device,
                        peak_gflops, peak_gbytes);
  if (!cpu.empty()) text += fmt::format("{} on {}\n", study, cpu);
  const StudyTable table = ladder_table(*this);
  std::string last;
  for (const StudyRow& row : rows) {
    if (row.case_name != last) text += "\n" + table.heading(row.case_name);
    last = row.case_name;
    text += table.line(row);
  }
  return text + summary_text(*this) + published + "\n" + verdict;
}

std::string StudyResult::csv() const {
  const StudyRow names;
  std::string text;
  for_each_option(names, [&](const char* name, const auto&, const Help&) {
    text += (text.empty() ? "" : ",") + std::string(name);
  });
  text += "\n";
  for (const StudyRow& row : rows) {
    std::string line;
    bool first_cell = true;
    for_each_option(row, [&](const char*, const auto& value, const Help&) {
      line += (first_cell ? "" : ",") + csv_cell(value);
      first_cell = false;
    });
    text += line + "\n";
  }
  return text;
}

bool is_rung_or_its_threads(const std::string& rung, const std::string& name) {
  return rung == name || rung.starts_with(name + ".");
}

std::vector<StudySummary> summarize(const StudyResult& result,
                                    const std::vector<std::string>& left_out) {
  std::vector<StudySummary> all;
  for (const StudyRow& row : result.rows) {
    if (all.empty() || all.back().case_name != row.case_name) all.push_back({row.case_name});
    StudySummary& best = all.back();
    const auto is_row = [&](const std::string& name) {
      return is_rung_or_its_threads(row.rung, name);
    };
    const bool counts = row.ms && (result.rival.empty() || !is_row(result.rival)) &&
                        std::ranges::none_of(left_out, is_row);
    if (counts && (best.best.empty() || *row.ms < best.ms)) best.best = row.rung, best.ms = *row.ms;
  }
  std::erase_if(all, [](const StudySummary& line) { return line.best.empty(); });
  for (StudySummary& line : all) {
    if (const auto* row = row_of(result, line.case_name, result.first))
      line.over_first = *row->ms / line.ms;
    if (const auto* row = row_of(result, line.case_name, result.rival))
      line.over_rival = *row->ms / line.ms;
  }
  return all;
}

}  // namespace tessera
