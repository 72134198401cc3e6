// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/xengine/study/xengine_study.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

std::string row_text(const StudyRow& row) {
  const std::string head = fmt::format("  {:<14} {:<43}", row.rung, row.title);
  if (!row.absent.empty()) return fmt::format("{} absent: {}\n", head, row.absent);
  return fmt::format("{} {:>11} {:>10} {:>8} {:>6} {:>7} {:>7} {:>6}\n", head, shown(row.ms, 4),
                     shown(row.gflops, 1), percent(row.of_peak, 1), shown(row.registers),
                     shown(row.shared_bytes), percent(row.copies, 0), shown(row.lines));
}

std::string group_text(const StudyResult& result, const std::string& side, const char* title) {
  std::string lines;
  for (const StudyRow& row : result.rows)
    if (row.rung.starts_with(side) && !lacks_gpu(row)) lines += row_text(row);
  if (lines.empty()) return "";
  return fmt::format("\n{}\n  {:<14} {:<43} {:>11} {:>10} {:>8} {:>6} {:>7} {:>7} {:>6}\n", title,
                     "rung", "", "ms", "GOP/s", "of peak", "regs", "shared", "copies", "lines") +
         lines;
}

std::string transfer_text(const std::optional<XEngineTransfer>& t) {
  return t ? one_stream_text(t->upload, t->compute, t->download) : "";
}

std::string found_there(const char* rung) {
  const auto value = published_value(xengine_published(), rung, 0, 0, "cpu_over_gpu");
  return value ? fmt::format("{:.0f} GTX 480, i7-3770K", *value) : kUnknown;
}

std::string ratios_text(const XEngineRatios& r) {
  const std::string text =
      ratio_line("CPU: [time][input] over [input][time]", r.cpu_layout) +
      ratio_line("CPU: best by hand over CBLAS", r.hand_over_blas) +
      ratio_line("CPU: CBLAS over ours", r.ours_over_blas_cpu) +
      ratio_line("GPU: [input][time] over [time][input]", r.gpu_layout, "\"critical\"") +
      ratio_line("GPU: sums in global over shared memory", r.global_over_shared,
                 "\"a big improvement\"") +
      ratio_line("GPU: sums in shared memory over registers", r.shared_over_registers,
                 "\"slightly slower\" in registers") +
      ratio_line("GPU: best by hand over cuBLAS", r.hand_over_cublas) +
      ratio_line("GPU: copies over compute", r.copies_over_compute) +
      ratio_line("GPU: one stream over four", r.one_over_several, "no \"significant difference\"") +
      ratio_line("GPU: cuBLAS over ours", r.ours_over_blas_gpu) +
      ratio_line("CPU over GPU, by hand", r.cpu_over_gpu) +
      ratio_line("CPU over GPU, by hand, with both ways", r.cpu_over_gpu_ways, found_there("-")) +
      ratio_line("CPU over GPU, BLAS", r.blas_over_blas, found_there("gpu.blas"));
  if (text.empty()) return "";
  return fmt::format("\nRatios of times\n  {:<52} {:>8}  {}\n", "", "here", "the talk") + text;
}

std::string head_text(const StudyResult& result) {
  std::string text;
  if (!result.device.empty())
    text += fmt::format("GPU: {}: {:.0f} GFLOP/s single, {:.0f} GB/s measured\n", result.device,
                        result.peak_gflops, result.peak_gbytes);
  if (!result.cpu.empty()) text += fmt::format("CPU: {}\n", result.cpu);
  text +=
      "GOP/s: useful ones, 8 a pair of inputs and sample; of peak: of the measured peak of single\n"
      "precision, which products of bytes may pass\n";
  return text + absent_cuda_text(result);
}

}  // namespace

std::string xengine_tables(const StudyResult& result,
                           const std::optional<XEngineTransfer>& transfer) {
  return head_text(result) + group_text(result, "cpu.", "CPU") + group_text(result, "gpu.", "GPU") +
         transfer_text(transfer) + ratios_text(xengine_ratios(result, transfer));
}

}  // namespace tessera
