// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/noise/study/noise_study.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

std::string row_text(const StudyRow& row, double pixels) {
  const std::string head = fmt::format("  {:<21} {:<48}", row.rung, row.title);
  if (!row.absent.empty()) return fmt::format("{} absent: {}\n", head, row.absent);
  return fmt::format("{} {:>11} {:>10} {:>8} {:>6} {:>7} {:>7} {:>6}\n", head, shown(row.ms, 4),
                     shown(row.ms ? std::optional(1e-3 * pixels / *row.ms) : std::nullopt, 3),
                     percent(row.of_copy, 2), shown(row.registers), shown(row.shared_bytes),
                     percent(row.copies, 0), shown(row.lines));
}

std::string group_text(const StudyResult& result, const std::string& side, const char* title,
                       double pixels) {
  std::string lines;
  for (const StudyRow& row : result.rows)
    if (row.rung.starts_with(side) && !lacks_gpu(row)) lines += row_text(row, pixels);
  if (lines.empty()) return "";
  return fmt::format("\n{}\n  {:<21} {:<48} {:>11} {:>10} {:>8} {:>6} {:>7} {:>7} {:>6}\n", title,
                     "rung", "", "ms", "Mpixel/s", "of copy", "regs", "shared", "copies", "lines") +
         lines;
}

std::string transfer_text(const std::optional<NoiseTransfer>& t) {
  return t ? one_stream_text(t->upload, t->compute, t->download) : "";
}

std::string found_there() {
  const auto value = published_value(noise_published(), "-", 64, 64, "cpu_over_gpu");
  return value ? fmt::format("about {:.0f}: \"not worthwhile on GPU\"", *value) : kUnknown;
}

std::string ratios_text(const NoiseRatios& r) {
  const std::string text =
      ratio_line("CPU: sort over histogram of every box", r.sort_over_histogram,
                 "sort \"much slower\"") +
      ratio_line("CPU: sort over nth_element", r.sort_over_select) +
      ratio_line("CPU: histogram of every box over one that slides", r.histogram_over_slide) +
      ratio_line("CPU: one thread over all", r.one_over_threads) +
      ratio_line("CPU: best by hand over ours, binned", r.hand_over_ours) +
      ratio_line("CPU: ours, exact over binned", r.exact_over_binned) +
      ratio_line("GPU: best of sort and select over histogram", r.gpu_sort_over_histogram) +
      ratio_line("GPU: histogram of every box over one that slides", r.gpu_histogram_over_slide) +
      ratio_line("GPU: best by hand over ours, binned", r.gpu_hand_over_ours) +
      ratio_line("GPU: ours, exact over binned", r.gpu_exact_over_binned) +
      ratio_line("GPU: copies over compute", r.copies_over_compute) +
      ratio_line("CPU over GPU, by hand", r.cpu_over_gpu) +
      ratio_line("CPU over GPU, by hand, with both ways", r.cpu_over_gpu_ways, found_there()) +
      ratio_line("CPU over GPU, ours, exact", r.ours_over_ours) +
      ratio_line("CPU over GPU, ours, exact, with both ways", r.ours_over_ours_ways);
  if (text.empty()) return "";
  return fmt::format("\nRatios of times\n  {:<52} {:>8}  {}\n", "", "here", "the talk") + text;
}

std::string head_text(const StudyResult& result) {
  std::string text;
  if (!result.device.empty())
    text += fmt::format("GPU: {}: {:.0f} GB/s measured\n", result.device, result.peak_gbytes);
  if (!result.cpu.empty()) text += fmt::format("CPU: {}\n", result.cpu);
  text +=
      "of copy: bytes of the image and two maps, of the measured bandwidth of copies\n"
      "(16 rows): timed on so many, scaled to all\n";
  return text + absent_cuda_text(result);
}

}  // namespace

std::string noise_tables(const StudyResult& result, const std::optional<NoiseTransfer>& transfer,
                         double pixels) {
  return head_text(result) + group_text(result, "cpu.", "CPU", pixels) +
         group_text(result, "gpu.", "GPU", pixels) + transfer_text(transfer) +
         ratios_text(noise_ratios(result, transfer));
}

}  // namespace tessera
