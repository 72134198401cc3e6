// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/counted.hpp"
#include "ops/enhance/study/enhance_study.hpp"
#include "study/study_table.hpp"

namespace tessera {
namespace {

constexpr const char* kTitles[] = {"Grey (§2.1)", "Histogram (§2.2)", "Contrast (§2.3)",
                                   "Smoothing (§2.4)", "All four steps"};

bool is_paper_size(const StudyResult& result) {
  return !result.rows.empty() &&
         result.rows.front().case_name == fmt::format("{}x{}", kPaperWidth, kPaperHeight);
}

StudyTable enhance_table() {
  using R = StudyRow;
  return {24,
          37,
          {figure_column("ms", 10, &R::ms, 4), kernel_column(),
           figure_column("GB/s", 8, &R::gbytes, 1), share_column("of copy", 8, &R::of_copy, 1),
           count_column("regs", 5, &R::registers), count_column("shared", 7, &R::shared_bytes),
           count_column("lines", 6, &R::lines), published_column("the paper", 0)}};
}

std::string group_text(const StudyResult& result, int group) {
  const int bytes = kBytesAPixel[group];
  const std::string beginning = kEnhanceGroups[group] + std::string(".");
  const std::string title =
      fmt::format("{}: {} per pixel must move", kTitles[group], counted(bytes, "byte"));
  return enhance_table().group(result, title, beginning.c_str());
}

std::string total_line(const std::string& what, const std::optional<double>& ms,
                       const std::string& paper = kUnknown) {
  return ms ? fmt::format("  {:<68} {:>10} {:>12}\n", what, shown(ms, 4), paper) : "";
}

std::string totals_text(const EnhanceTotals& t, bool paper_size) {
  const auto paper = [&](const char* quantity) {
    return paper_size ? shown(published_total(quantity), 1) : kUnknown;
  };
  const std::string with_transfers =
      paper_size ? shown(added(published_total("kernels"), published_total("transfers")), 1)
                 : kUnknown;
  const std::string text =
      total_line("GPU: the paper's best rung of each step, added", t.paper_gpu, paper("kernels")) +
      total_line("  with allocations, to the device and back, ordinary memory",
                 added(t.paper_gpu, t.transfers.all_ordinary()), with_transfers) +
      total_line("  to the device and back, page-locked memory",
                 added(t.paper_gpu, t.transfers.copies_pinned())) +
      total_line("GPU: ours, steps", t.steps) + total_line("GPU: ours, fused", t.fused) +
      total_line("  from and to the host, pinned", t.pinned) +
      total_line("  the copies alone, one after the other", t.transfers.copies_pinned()) +
      total_line("CPU: the paper's loops, added", t.plain, paper("all")) +
      total_line("CPU: ours, one thread", t.one) + total_line("CPU: ours, all threads", t.all);
  if (text.empty()) return "";
  return fmt::format("\nIn all, ms\n  {:<68} {:>10} {:>12}\n", "", "here", "the paper") + text;
}

}  // namespace

std::string enhance_tables(const StudyResult& result, const EnhanceTotals& totals) {
  std::string text = places_text(result, fmt::format("{:.0f} GB/s measured", result.peak_gbytes));
  for (int group = 0; group <= kEnhanceSteps; ++group) text += group_text(result, group);
  return text + totals_text(totals, is_paper_size(result));
}

}  // namespace tessera
