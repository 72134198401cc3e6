// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "ops/cells/study/cells_study.hpp"
#include "study/study_table.hpp"

namespace tessera {
namespace {

constexpr const char* kTitles[] = {"Detection, one frame (§4)", "Tracking, one frame (§5)",
                                   "A film, per frame: detection in one of ten"};

std::string times(const std::optional<double>& factor) {
  return factor ? fmt::format("{:.3g}x", *factor) : kUnknown;
}

std::optional<double> rest_of(const StudyRow& row) {
  if (!row.kernels) return std::nullopt;
  return std::max(0.0, 1 - *row.kernels - *row.copies - *row.allocation);
}

StudyTable cells_table(const StudyResult& result) {
  using R = StudyRow;
  return {24,
          34,
          {figure_column("ms", 10, &R::ms, 3),
           kernel_column(),
           {"over C", 8, [&](const StudyRow& row) { return times(over_c(result, row.rung)); }},
           share_column("kernels", 8, &R::kernels, 0),
           share_column("copies", 7, &R::copies, 0),
           share_column("alloc", 6, &R::allocation, 0),
           {"rest", 6, [](const StudyRow& row) { return percent(rest_of(row), 0); }},
           count_column("launches", 8, &R::launches),
           count_column("regs", 5, &R::registers),
           count_column("shared", 7, &R::shared_bytes),
           count_column("lines", 6, &R::lines),
           published_column("the paper, over C", 0)}};
}

std::string rates_text(const StudyResult& result) {
  std::string lines;
  for (const CellsWay& way : kCellsWays) {
    const FrameRates rates = frame_rates(result, way);
    if (!rates.by_formula && !rates.end_to_end) continue;
    const bool last = std::string(way.film) == "film.cuda";
    const auto paper = last ? published_of("-", "cuda_frames_a_second") : std::nullopt;
    lines += fmt::format("  {:<52} {:>10} {:>10} {:>10}\n", way.title, shown(rates.by_formula, 2),
                         shown(paper, 1), shown(rates.end_to_end, 2));
  }
  if (lines.empty()) return "";
  lines += fmt::format("  {:<52} {:>10} {:>10} {:>10}\n", "MATLAB", kUnknown,
                       shown(published_of("-", "matlab_frames_a_second"), 2), kUnknown);
  return fmt::format("\nFrames per second\n  {:<52} {:>10} {:>10} {:>10}\n", "", "(D+9T)/10",
                     "the paper", "end to end") +
         lines;
}

}  // namespace

std::string cells_tables(const StudyResult& result) {
  std::string text = places_text(result, "");
  for (std::size_t stage = 0; stage < std::size(kCellsStages); ++stage)
    text += cells_table(result).group(result, kTitles[stage],
                                      (kCellsStages[stage] + std::string(".")).c_str());
  return text + rates_text(result);
}

}  // namespace tessera
