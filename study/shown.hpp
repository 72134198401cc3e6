// SPDX-License-Identifier: Apache-2.0
/// Figures as tables of studies show them: a dash if there is none.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "study/study_result.hpp"

namespace tessera {

inline constexpr const char* kUnknown = "–";

inline std::string shown(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : kUnknown;
}
inline std::string shown(const std::optional<int>& value) {
  return value ? std::to_string(*value) : kUnknown;
}
inline std::string percent(const std::optional<double>& share, int digits) {
  return share ? fmt::format("{:.{}f}%", 100 * *share, digits) : kUnknown;
}

/// CUDA rungs without a GPU: said once, at the top.
inline bool lacks_gpu(const StudyRow& row) { return row.absent.starts_with("no GPU"); }

inline std::string absent_cuda_text(const StudyResult& result) {
  const auto absent = std::ranges::find_if(result.rows, lacks_gpu);
  if (!result.device.empty() || absent == result.rows.end()) return "";
  return fmt::format("CUDA rungs are absent: {}\n", absent->absent);
}

/// A line of ratios: here, and in the talk or paper; nothing if it is unknown here.
inline std::string ratio_line(const char* what, const std::optional<double>& here,
                              const std::string& talk = kUnknown) {
  if (!here) return "";
  return fmt::format("  {:<52} {:>8}  {}\n", what, shown(here, 2), talk);
}

/// Milliseconds of the three parts of a run from and to the host.
inline std::string one_stream_text(double upload, double compute, double download) {
  return fmt::format(
      "\nFrom and to the host, one stream, each part on its own, ms\n"
      "  upload {:.4f}, compute {:.4f}, download {:.4f}\n",
      upload, compute, download);
}

}  // namespace tessera
