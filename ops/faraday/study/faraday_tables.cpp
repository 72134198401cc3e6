// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/faraday/study/faraday_study.hpp"

namespace tessera {
namespace {

StudyTable faraday_table() {
  using R = StudyRow;
  return {26,
          41,
          {figure_column("ms", 11, &R::ms, 4), kernel_column(),
           figure_column("GFLOP/s", 9, &R::gflops, 1), share_column("of peak", 8, &R::of_peak, 1),
           count_column("regs", 6, &R::registers), count_column("shared", 7, &R::shared_bytes),
           share_column("copies", 7, &R::copies, 0), count_column("lines", 6, &R::lines)}};
}

std::string group_text(const StudyResult& result, const std::string& side, Type type) {
  const std::string precision = precision_name(type);
  return faraday_table().group(
      result, (side == "cpu." ? "CPU, " : "GPU, ") + precision, [&](const std::string& rung) {
        return rung.starts_with(side) && rung.find(precision) != std::string::npos;
      });
}

std::string transfer_text(const FaradayTransfers& transfers) {
  std::string text;
  for (const auto& [rung, t] : transfers)
    text += fmt::format("  {:<24} {:>10.4f} {:>10.4f} {:>10.4f} {:>22}\n", rung, t.upload,
                        t.compute, t.download, percent(t.copies() / t.compute, 0));
  if (text.empty()) return "";
  return fmt::format(
             "\nFrom and to the host, cuBLAS, one stream, each part by itself, ms\n"
             "  {:<24} {:>10} {:>10} {:>10} {:>22}\n",
             "", "upload", "compute", "download", "copies over compute") +
         text;
}

}  // namespace

std::string faraday_tables(const StudyResult& result, const FaradayTransfers& transfers) {
  std::string text =
      places_text(result, flops_and_bytes(result),
                  "of peak: of the measured peak of single precision, in both precisions\n");
  for (const Type type : kFaradayTypes) text += group_text(result, "cpu.", type);
  for (const Type type : kFaradayTypes) text += group_text(result, "gpu.", type);
  text += transfer_text(transfers);
  for (const Type type : kFaradayTypes)
    text += compared_table(std::string("Ratios of times, ") + precision_name(type), 58,
                           faraday_ratios(result, type, transfers));
  return text;
}

}  // namespace tessera
