// SPDX-License-Identifier: Apache-2.0
#include "study/study_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

constexpr const char* kKernelColumn = "kernel ms";

std::string cell(const StudyColumn& column, const std::string& text) {
  return column.width > 0 ? fmt::format(" {:>{}}", text, column.width) : "  " + text;
}

/// CUDA rungs without a GPU: said once, at the top.
bool lacks_gpu(const StudyRow& row) { return row.absent.starts_with("no GPU"); }

std::string absent_cuda_text(const StudyResult& result) {
  const auto absent = std::ranges::find_if(result.rows, lacks_gpu);
  if (!result.device.empty() || absent == result.rows.end()) return "";
  return fmt::format("CUDA rungs are absent: {}\n", absent->absent);
}

std::string place_line(const char* side, const std::string& name, const std::string& ceilings) {
  if (name.empty()) return "";
  return fmt::format("{}: {}{}{}\n", side, name, ceilings.empty() ? "" : ": ", ceilings);
}

}  // namespace

StudyColumn figure_column(const char* name, int width, std::optional<double> StudyRow::*field,
                          int digits) {
  return {name, width, [=](const StudyRow& row) { return shown(row.*field, digits); }};
}

StudyColumn share_column(const char* name, int width, std::optional<double> StudyRow::*field,
                         int digits) {
  return {name, width, [=](const StudyRow& row) { return percent(row.*field, digits); }};
}

StudyColumn count_column(const char* name, int width, std::optional<int> StudyRow::*field) {
  return {name, width, [=](const StudyRow& row) { return shown(row.*field); }};
}

StudyColumn kernel_column() { return figure_column(kKernelColumn, 9, &StudyRow::kernel_ms, 4); }

StudyColumn published_column(const char* name, int width) {
  return {name, width,
          [](const StudyRow& row) { return row.published.empty() ? kUnknown : row.published; }};
}

StudyTable::StudyTable(int rung_width, int title_width, std::vector<StudyColumn> columns)
    : rung_width_(rung_width), title_width_(title_width), columns_(std::move(columns)) {}

StudyTable StudyTable::fitted(const StudyResult& result) const {
  StudyTable table = *this;
  bool any_kernels = false;
  for (const StudyRow& row : result.rows) {
    any_kernels |= row.kernel_ms.has_value();
    if (lacks_gpu(row)) continue;
    table.rung_width_ = std::max(table.rung_width_, static_cast<int>(row.rung.size()));
    if (title_width_ > 0 && row.absent.empty())
      table.title_width_ = std::max(table.title_width_, static_cast<int>(row.title.size()));
  }
  if (!any_kernels)
    std::erase_if(table.columns_,
                  [](const StudyColumn& column) { return column.name == kKernelColumn; });
  return table;
}

std::string StudyTable::line(const StudyRow& row) const {
  std::string text = fmt::format("  {:<{}}", row.rung, rung_width_);
  if (title_width_ > 0) text += fmt::format(" {:<{}}", row.title, title_width_);
  if (!row.absent.empty()) return text + " absent: " + row.absent + "\n";
  for (const StudyColumn& column : columns_) text += cell(column, column.text(row));
  return text + "\n";
}

std::string StudyTable::heading(const std::string& first) const {
  const int width = 2 + rung_width_ + (title_width_ > 0 ? 1 + title_width_ : 0);
  std::string text = fmt::format("{:<{}}", first, width);
  for (const StudyColumn& column : columns_) text += cell(column, column.name);
  return text + "\n";
}

std::string StudyTable::group(const StudyResult& result, const std::string& title,
                              const std::function<bool(const std::string&)>& wanted) const {
  const StudyTable table = fitted(result);
  std::string lines;
  for (const StudyRow& row : result.rows)
    if (wanted(row.rung) && !lacks_gpu(row)) lines += table.line(row);
  if (lines.empty()) return "";
  return "\n" + title + "\n" + table.heading("  rung") + lines;
}

std::string StudyTable::group(const StudyResult& result, const std::string& title,
                              const char* beginning) const {
  return group(result, title,
               [beginning](const std::string& rung) { return rung.starts_with(beginning); });
}

std::string places_text(const StudyResult& result, const std::string& device_ceilings,
                        const std::string& note, const std::string& cpu_ceilings) {
  return place_line("GPU", result.device, device_ceilings) +
         place_line("CPU", result.cpu, cpu_ceilings) + note + absent_cuda_text(result);
}

std::string flops_and_bytes(const StudyResult& result) {
  return fmt::format("{:.0f} GFLOP/s single, {:.0f} GB/s measured", result.peak_gflops,
                     result.peak_gbytes);
}

}  // namespace tessera
