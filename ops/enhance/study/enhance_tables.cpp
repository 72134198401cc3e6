// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/enhance/study/enhance_study.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

constexpr const char* kTitles[] = {"Grey (§2.1)", "Histogram (§2.2)", "Contrast (§2.3)",
                                   "Smoothing (§2.4)", "All four steps"};

bool is_paper_size(const StudyResult& result) {
  return !result.rows.empty() &&
         result.rows.front().case_name == fmt::format("{}x{}", kPaperWidth, kPaperHeight);
}

std::string row_text(const StudyRow& row) {
  const std::string head = fmt::format("  {:<24} {:<37}", row.rung, row.title);
  if (!row.absent.empty()) return fmt::format("{} absent: {}\n", head, row.absent);
  return fmt::format("{} {:>10} {:>8} {:>8} {:>5} {:>7} {:>6}  {}\n", head, shown(row.ms, 4),
                     shown(row.gbytes, 1), percent(row.of_copy, 1), shown(row.registers),
                     shown(row.shared_bytes), shown(row.lines),
                     row.published.empty() ? kUnknown : row.published);
}

std::string group_text(const StudyResult& result, int group) {
  std::string lines;
  const std::string beginning = kEnhanceGroups[group] + std::string(".");
  for (const StudyRow& row : result.rows)
    if (row.rung.starts_with(beginning) && !lacks_gpu(row)) lines += row_text(row);
  if (lines.empty()) return "";
  const int bytes = kBytesAPixel[group];
  const std::string title =
      fmt::format("{}: {} byte{} a pixel must move", kTitles[group], bytes, bytes == 1 ? "" : "s");
  return fmt::format("\n{}\n  {:<24} {:<37} {:>10} {:>8} {:>8} {:>5} {:>7} {:>6}  {}\n", title,
                     "rung", "", "ms", "GB/s", "of copy", "regs", "shared", "lines", "the paper") +
         lines;
}

std::string total_line(const std::string& what, const std::optional<double>& ms,
                       const std::string& paper = kUnknown) {
  return ms ? fmt::format("  {:<62} {:>10} {:>12}\n", what, shown(ms, 4), paper) : "";
}

std::optional<double> sum(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::string totals_text(const EnhanceTotals& t, bool paper_size) {
  const auto paper = [&](const char* quantity) {
    return paper_size ? shown(published_total(quantity), 1) : kUnknown;
  };
  const std::string text =
      total_line("GPU: the paper's best rung of each step, added", t.paper_gpu, paper("kernels")) +
      total_line("  and to the device and back, pinned", sum(t.paper_gpu, t.transfers),
                 paper("with_transfers")) +
      total_line("GPU: ours, steps", t.steps) + total_line("GPU: ours, fused", t.fused) +
      total_line("  from and to the host, pinned", t.pinned) +
      total_line("  those bytes alone, one way after the other", t.transfers) +
      total_line("CPU: the paper's loops, added", t.plain, paper("all")) +
      total_line("CPU: ours, one thread", t.one) + total_line("CPU: ours, all threads", t.all);
  if (text.empty()) return "";
  return fmt::format("\nIn all, ms\n  {:<62} {:>10} {:>12}\n", "", "here", "the paper") + text;
}

std::string head_text(const StudyResult& result) {
  std::string text;
  if (!result.device.empty())
    text += fmt::format("GPU: {}: {:.0f} GB/s measured\n", result.device, result.peak_gbytes);
  if (!result.cpu.empty()) text += fmt::format("CPU: {}\n", result.cpu);
  return text + absent_cuda_text(result);
}

}  // namespace

std::string enhance_tables(const StudyResult& result, const EnhanceTotals& totals) {
  std::string text = head_text(result);
  for (int group = 0; group <= kEnhanceSteps; ++group) text += group_text(result, group);
  return text + totals_text(totals, is_paper_size(result));
}

}  // namespace tessera
