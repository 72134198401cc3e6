// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/faraday/study/faraday_study.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

std::string row_text(const StudyRow& row) {
  const std::string head = fmt::format("  {:<26} {:<41}", row.rung, row.title);
  if (!row.absent.empty()) return fmt::format("{} absent: {}\n", head, row.absent);
  return fmt::format("{} {:>11} {:>9} {:>8} {:>6} {:>7} {:>7} {:>6}\n", head, shown(row.ms, 4),
                     shown(row.gflops, 1), percent(row.of_peak, 1), shown(row.registers),
                     shown(row.shared_bytes), percent(row.copies, 0), shown(row.lines));
}

std::string group_text(const StudyResult& result, const char* side, Type type) {
  std::string lines;
  for (const StudyRow& row : result.rows)
    if (row.rung.starts_with(side) && row.rung.ends_with(precision_name(type)) && !lacks_gpu(row))
      lines += row_text(row);
  if (lines.empty()) return "";
  return fmt::format("\n{}, {}\n  {:<26} {:<41} {:>11} {:>9} {:>8} {:>6} {:>7} {:>7} {:>6}\n",
                     side == std::string("cpu.") ? "CPU" : "GPU", precision_name(type), "rung", "",
                     "ms", "GFLOP/s", "of peak", "regs", "shared", "copies", "lines") +
         lines;
}

std::string transfer_text(const FaradayTransfers& transfers) {
  std::string text;
  for (std::size_t i = 0; i < transfers.size(); ++i)
    if (const auto& t = transfers[i])
      text += fmt::format("  {:<8} {:>10.4f} {:>10.4f} {:>10.4f} {:>22}\n",
                          precision_name(kFaradayTypes[i]), t->upload, t->compute, t->download,
                          percent((t->upload + t->download) / t->compute, 0));
  if (text.empty()) return "";
  return fmt::format(
             "\nFrom and to the host, cuBLAS, one stream, each part on its own, ms\n"
             "  {:<8} {:>10} {:>10} {:>10} {:>22}\n",
             "", "upload", "compute", "download", "copies over compute") +
         text;
}

std::string ratio_line(const char* what, const std::optional<double>& here,
                       const std::optional<double>& there, const char* device) {
  if (!here) return "";
  return fmt::format("  {:<58} {:>8}  {}\n", what, shown(here, 2),
                     there ? fmt::format("{} {}", shown(there, 1), device) : kUnknown);
}

std::string ratios_text(const FaradayRatios& r, Type type) {
  const auto talk = [&](const char* rung, const char* quantity) -> std::optional<double> {
    if (type != Type::f64) return std::nullopt;  // the talk's ratios are of doubles
    return published_value(faraday_published(), rung, 0, 0, quantity);
  };
  const std::string text =
      ratio_line("CPU: best by hand over CBLAS", r.hand_over_blas,
                 talk("cpu.blas.double", "hand_over_blas"), "i7-3770K") +
      ratio_line("GPU: best by hand over cuBLAS", r.hand_over_cublas,
                 talk("gpu.blas.double", "hand_over_blas"), "GTX 480") +
      ratio_line("GPU: copies over compute", r.copies_over_compute,
                 talk("gpu.stream.double", "copies_over_compute"), "or more, GT 640") +
      ratio_line("GPU: one stream over four", r.one_over_several, std::nullopt, "") +
      ratio_line("CPU over GPU with both ways, the talk's programs", r.cpu_over_gpu,
                 talk("-", "cpu_over_gpu"), "or so") +
      ratio_line("CPU: CBLAS over ours", r.ours_over_blas_cpu, std::nullopt, "") +
      ratio_line("GPU: cuBLAS over ours", r.ours_over_blas_gpu, std::nullopt, "");
  if (text.empty()) return "";
  return fmt::format("\nRatios of times, {}\n  {:<58} {:>8}  {}\n", precision_name(type), "",
                     "here", "the talk") +
         text;
}

std::string head_text(const StudyResult& result) {
  std::string text;
  if (!result.device.empty())
    text += fmt::format("GPU: {}: {:.0f} GFLOP/s single, {:.0f} GB/s measured\n", result.device,
                        result.peak_gflops, result.peak_gbytes);
  if (!result.cpu.empty()) text += fmt::format("CPU: {}\n", result.cpu);
  text += "of peak: of the measured peak of single precision, whatever the rung's\n";
  return text + absent_cuda_text(result);
}

}  // namespace

std::string faraday_tables(const StudyResult& result, const FaradayTransfers& transfers) {
  std::string text = head_text(result);
  for (const Type type : kFaradayTypes) text += group_text(result, "cpu.", type);
  for (const Type type : kFaradayTypes) text += group_text(result, "gpu.", type);
  text += transfer_text(transfers);
  for (std::size_t i = 0; i < std::size(kFaradayTypes); ++i)
    text += ratios_text(faraday_ratios(result, kFaradayTypes[i],
                                       i < transfers.size() ? transfers[i] : std::nullopt),
                        kFaradayTypes[i]);
  return text;
}

}  // namespace tessera
