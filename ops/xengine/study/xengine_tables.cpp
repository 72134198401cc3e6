// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_study.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

StudyTable xengine_table() {
  using R = StudyRow;
  return {22,
          46,
          {figure_column("ms", 11, &R::ms, 4), kernel_column(),
           figure_column("GOP/s", 10, &R::gflops, 1), share_column("of peak", 8, &R::of_peak, 1),
           count_column("regs", 6, &R::registers), count_column("shared", 7, &R::shared_bytes),
           share_column("copies", 7, &R::copies, 0), count_column("lines", 6, &R::lines)}};
}

constexpr const char* kNote =
    "GOP/s: useful ones, 8 per pair of inputs and sample; of peak: of the measured peak of\n"
    "single precision, which products of bytes may exceed\n";

std::string host_text(const std::optional<XEngineParts>& parts) {
  if (!parts) return "";
  return fmt::format(
      "\nThe same by cgemm after the host's reordering, ms\n"
      "  reordering {:.4f}, upload {:.4f}, compute {:.4f}, download {:.4f}\n",
      parts->reordering, parts->times.upload, parts->times.compute, parts->times.download);
}

}  // namespace

std::string xengine_tables(const StudyResult& result, const XEngineTransfers& transfers) {
  const auto& [stream, host] = transfers;
  return places_text(result, flops_and_bytes(result), kNote) +
         xengine_table().group(result, "CPU", "cpu.") +
         xengine_table().group(result, "GPU", "gpu.") +
         one_stream_text(stream ? std::optional(stream->times) : std::nullopt) + host_text(host) +
         compared_table("Ratios of times", 60, xengine_ratios(result, transfers));
}

}  // namespace tessera
