// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ops/noise/study/noise_study.hpp"

namespace tessera {
namespace {

StudyTable noise_table(double pixels) {
  using R = StudyRow;
  const auto megapixels = [pixels](const StudyRow& row) {
    return row.ms ? shown(1e-3 * pixels / *row.ms, 3) : kUnknown;
  };
  return {21,
          48,
          {figure_column("ms", 11, &R::ms, 4),
           kernel_column(),
           {"Mpixel/s", 10, megapixels},
           share_column("of copy", 8, &R::of_copy, 2),
           count_column("regs", 6, &R::registers),
           count_column("shared", 7, &R::shared_bytes),
           share_column("copies", 7, &R::copies, 0),
           count_column("lines", 6, &R::lines)}};
}

constexpr const char* kNote =
    "of copy: bytes of the image and two maps, of the measured bandwidth of copies\n"
    "(16 rows): timed on 16 rows, scaled to all\n";

}  // namespace

std::string noise_tables(const StudyResult& result, const std::optional<TransferTimes>& transfer,
                         double pixels) {
  const StudyTable table = noise_table(pixels);
  return places_text(result, fmt::format("{:.0f} GB/s measured", result.peak_gbytes), kNote) +
         table.group(result, "CPU", "cpu.") + table.group(result, "GPU", "gpu.") +
         one_stream_text(transfer) +
         compared_table("Ratios of times", 52, noise_ratios(result, transfer));
}

}  // namespace tessera
