// SPDX-License-Identifier: Apache-2.0
// The paper's figures besides GFLOP/s of rungs, and its table 1.
#include <fmt/format.h>

#include <algorithm>

#include "ops/convolve/study/convolve_study.hpp"
#include "ops/convolve/study/ladder_report.hpp"
#include "study/published.hpp"

namespace tessera {
namespace {

constexpr const char* kTable = "001 table 1";

std::optional<double> most_over_naive(const StudyResult& result, const std::string& rung) {
  const Gain gain = largest_gain(result, {rung});
  return gain.times > 0 ? std::optional(gain.times) : std::nullopt;
}

std::optional<double> most_gflops(const StudyResult& result, const PublishedFigure& figure) {
  std::optional<double> most;
  for (const StudyRow& row : result.rows)
    if (row.rung == figure.rung && row.gflops && *row.gflops > most.value_or(0)) most = row.gflops;
  return most;
}

std::optional<double> roof_of(const StudyResult& result, const PublishedFigure& figure) {
  const StudyRow* const row = row_of_figure(result, figure);
  return row && row->gflops && row->roofline ? std::optional(*row->gflops / *row->roofline)
                                             : std::nullopt;
}

// Only of a run of all 441 sizes: fewer could not be compared with the paper's number.
std::optional<double> sizes_improved(const StudyResult& result, const std::string& rung) {
  int sizes = 0, improved = 0;
  for (const StudyRow& tiled : result.rows)
    for (const StudyRow& row : result.rows)
      if (tiled.rung == "5b.32x32" && row.rung == rung && row.case_name == tiled.case_name &&
          row.ms) {
        ++sizes;
        improved += !tiled.ms || *row.ms < *tiled.ms;
      }
  return sizes == kPaperFilters ? std::optional<double>(improved) : std::nullopt;
}

// Best blocks and factors have no figure here: a rung tries --search shapes, not the paper's 110.
// The paper's FFT is the one of NVIDIA's white paper, ours is another program.
std::vector<PublishedQuantity> convolve_quantities() {
  return {
      row_quantity("gflops", "GFLOP/s", 1, &StudyRow::gflops),
      row_quantity("ms", "ms", 4, &StudyRow::ms),
      row_quantity("intensity", "flop per byte, blocks of 32x32", 2, &StudyRow::intensity),
      row_quantity("of_peak_percent", "share of the peak, %", 1, &StudyRow::of_peak, 100),
      {"roof_gflops", "limit by bandwidth, GFLOP/s", 1, roof_of},
      {"gflops_at_most", "GFLOP/s at most", 1, most_gflops},
      {"over_naive_at_most", "times as fast as rung 1 at most", 2,
       [](const StudyResult& r, const PublishedFigure& f) { return most_over_naive(r, f.rung); }},
      {"peak_gflops", "peak, GFLOP/s (here measured)", 0,
       [](const StudyResult& r, const PublishedFigure&) { return std::optional(r.peak_gflops); }},
      {"peak_gbytes", "bandwidth, GB/s (here measured)", 0,
       [](const StudyResult& r, const PublishedFigure&) { return std::optional(r.peak_gbytes); }},
      {"faster_percent", "faster than on the other two, %"},
      {"sizes_improved", "of 441 sizes faster than 1x4 tiling with the same blocks", 0,
       [](const StudyResult& r, const PublishedFigure& f) { return sizes_improved(r, f.rung); }},
      {"over_fft", "times as fast as cuFFT, padded to multiples of 512"},
      {"block_x", "width of the best block"},
      {"block_y", "height of the best block"},
      {"tiles", "best tile factor"},
      {"mean_tiles", "mean of the best tile factors"},
      {"least_tiles", "smallest of the best tile factors"},
      {"most_tiles", "largest of the best tile factors"},
      {"larger_blocks_percent", "best blocks larger than the GTX480's by, %"},
      {"share_tiles_2", "tile factor 2 is best, % of 441"},
      {"share_tiles_4", "tile factor 4 is best, % of 441"},
      {"share_tiles_over_4", "a larger tile factor is best, % of 441"},
      {"share_block_width_16", "blocks 16 wide are best, % of 441"},
      {"share_block_16x32", "blocks of 16x32 are best, % of 441"},
      {"share_block_16x64", "blocks of 16x64 are best, % of 441"},
      {"cpu_over_gpu", "times as fast as the talk's CPU program"},
  };
}

/// "32x4 x5": the block and the tile factor.
std::string table_1_shape(const std::string& rung, int width, int height) {
  const auto value = [&](const char* quantity) {
    return published_value(published_figures("convolve"), rung, width, height, quantity)
        .value_or(0);
  };
  return fmt::format("{}x{} x{}", value("block_x"), value("block_y"), value("tiles"));
}

const StudyRow* row_at(const StudyResult& result, const std::string& rung, int taps) {
  const std::string square = fmt::format("{}x{}", taps, taps);
  for (const StudyRow& row : result.rows)
    if (row.rung == rung && row.case_name == square) return &row;
  return nullptr;
}

std::string ms_text(const StudyRow* row) { return row ? shown(row->ms, 4) : kUnknown; }

}  // namespace

Gain largest_gain(const StudyResult& result, const std::vector<std::string>& rungs) {
  Gain most;
  for (const StudyRow& naive : result.rows)
    for (const StudyRow& row : result.rows)
      if (naive.rung == "1" && naive.ms && row.ms && row.case_name == naive.case_name &&
          std::find(rungs.begin(), rungs.end(), row.rung) != rungs.end() &&
          *naive.ms / *row.ms > most.times)
        most = {*naive.ms / *row.ms, row.rung, row.case_name};
  return most;
}

std::vector<ComparedFigure> convolve_compared(const StudyResult& result, bool paper_case,
                                              bool all_sizes) {
  ComparedPaper paper{
      .operation = "convolve", .quantities = convolve_quantities(), .paper_case = paper_case};
  for (const auto& rung : convolve_rungs()) paper.rungs.push_back(rung.id);
  paper.left_out = [&, all_sizes](const PublishedFigure& figure) {
    const std::string size = fmt::format("{}x{}", figure.filter_width, figure.filter_height);
    return figure.source == kTable ||
           (!all_sizes && figure.filter_width > 0 &&
            std::ranges::find(result.rows, size, &StudyRow::case_name) == result.rows.end());
  };
  return compared_figures(result, paper);
}

std::string table_1_text(const StudyResult& result) {
  std::string text;
  for (const PublishedFigure& figure : published_figures("convolve")) {
    if (figure.source != kTable || figure.rung != "s1" || figure.quantity != "tiles") continue;
    const int taps = figure.filter_width;
    const StudyRow *const across = row_at(result, "s1", taps), *const down =
                                                                   row_at(result, "s2", taps);
    if (across || down)
      text +=
          fmt::format("  {:<6} {:>12} {:>10} {:>14} {:>10}\n", taps, table_1_shape("s1", taps, 1),
                      ms_text(across), table_1_shape("s2", 1, taps), ms_text(down));
  }
  if (text.empty()) return "";
  return fmt::format(
             "\nTable 1: best blocks and tile factors of the GTX680, and ms here with them\n"
             "  {:<6} {:>12} {:>10} {:>14} {:>10}\n",
             "taps", "horizontal", "ms", "vertical", "ms") +
         text;
}

}  // namespace tessera
