// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/cells/study/cells_study.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

constexpr const char* kTitles[] = {"Detection, a frame (§4)", "Tracking, a frame (§5)",
                                   "A film, a frame of it: detection in one of ten"};

std::string times(const std::optional<double>& factor) {
  return factor ? fmt::format("{:.3g}x", *factor) : kUnknown;
}

std::optional<double> rest_of(const StudyRow& row) {
  if (!row.kernels) return std::nullopt;
  return std::max(0.0, 1 - *row.kernels - *row.copies - *row.allocation);
}

std::string row_text(const StudyResult& result, const StudyRow& row) {
  const std::string head = fmt::format("  {:<17} {:<34}", row.rung, row.title);
  if (!row.absent.empty()) return fmt::format("{} absent: {}\n", head, row.absent);
  return fmt::format("{} {:>10} {:>8} {:>9} {:>8} {:>7} {:>6} {:>6} {:>8} {:>5} {:>7} {:>6}\n",
                     head, shown(row.ms, 3), times(over_c(result, row.rung)),
                     row.published.empty() ? kUnknown : row.published, percent(row.kernels, 0),
                     percent(row.copies, 0), percent(row.allocation, 0), percent(rest_of(row), 0),
                     shown(row.launches), shown(row.registers), shown(row.shared_bytes),
                     shown(row.lines));
}

std::string stage_text(const StudyResult& result, int stage) {
  std::string lines;
  const std::string beginning = kCellsStages[stage] + std::string(".");
  for (const StudyRow& row : result.rows)
    if (row.rung.starts_with(beginning) && !lacks_gpu(row)) lines += row_text(result, row);
  if (lines.empty()) return "";
  return fmt::format(
             "\n{}\n  {:<17} {:<34} {:>10} {:>8} {:>9} {:>8} {:>7} {:>6} {:>6} {:>8} {:>5} {:>7} "
             "{:>6}\n",
             kTitles[stage], "rung", "", "ms", "over C", "the paper", "kernels", "copies", "alloc",
             "rest", "launches", "regs", "shared", "lines") +
         lines;
}

std::string rates_text(const StudyResult& result) {
  std::string lines;
  for (const CellsWay& way : kCellsWays) {
    const FrameRates rates = frame_rates(result, way);
    if (!rates.by_formula && !rates.end_to_end) continue;
    const bool last = std::string(way.film) == "film.cuda";
    const auto paper = last ? published_of("-", "cuda_frames_a_second") : std::nullopt;
    lines += fmt::format("  {:<52} {:>10} {:>10} {:>10}\n", way.title, shown(rates.by_formula, 2),
                         shown(rates.end_to_end, 2), shown(paper, 1));
  }
  if (lines.empty()) return "";
  lines += fmt::format("  {:<52} {:>10} {:>10} {:>10}\n", "MATLAB", kUnknown, kUnknown,
                       shown(published_of("-", "matlab_frames_a_second"), 2));
  return fmt::format("\nFrames a second\n  {:<52} {:>10} {:>10} {:>10}\n", "", "(D+9T)/10",
                     "end to end", "the paper") +
         lines;
}

std::string head_text(const StudyResult& result) {
  std::string text;
  if (!result.device.empty()) text += fmt::format("GPU: {}\n", result.device);
  if (!result.cpu.empty()) text += fmt::format("CPU: {}\n", result.cpu);
  return text + absent_cuda_text(result);
}

}  // namespace

std::string cells_tables(const StudyResult& result) {
  std::string text = head_text(result);
  for (int stage = 0; stage < static_cast<int>(std::size(kCellsStages)); ++stage)
    text += stage_text(result, stage);
  return text + rates_text(result);
}

}  // namespace tessera
