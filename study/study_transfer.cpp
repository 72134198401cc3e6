// SPDX-License-Identifier: Apache-2.0
#include "study/study_transfer.hpp"

#include <fmt/format.h>

#include "study/study_loops.hpp"

namespace tessera {

std::optional<double> copies_over_compute(const std::optional<TransferTimes>& times) {
  if (!times || times->compute <= 0) return std::nullopt;
  return times->copies() / times->compute;
}

void add_shares(StudyRow& row, const TransferTimes& times) {
  row.copies = times.copies() / *row.ms;
  row.kernels = times.compute / *row.ms;
}

std::string one_stream_text(const std::optional<TransferTimes>& times) {
  if (!times) return "";
  return fmt::format(
      "\nFrom and to the host, one stream, each part by itself, ms\n"
      "  upload {:.4f}, compute {:.4f}, download {:.4f}\n",
      times->upload, times->compute, times->download);
}

double step_ms(Stream& stream, std::function<void(Stream&)> step) {
  PreparedRung part;
  part.run = std::move(step);
  return 1e3 * time_rung(part, stream).seconds;
}

}  // namespace tessera
