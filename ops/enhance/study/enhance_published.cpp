// SPDX-License-Identifier: Apache-2.0
// The paper's rates, shares and totals. Rates here are by the paper's counts of operations and
// bytes, so that both sides are the same figure.
#include <algorithm>

#include "ops/enhance/study/enhance_study.hpp"

namespace tessera {
namespace {

constexpr double kPixels = 1.0 * kPaperWidth * kPaperHeight;
constexpr double kPixelsABlock = 256;

std::string plain_of(const PublishedFigure& figure) {
  return figure.rung.substr(0, figure.rung.find('.')) + ".plain";
}

/// How many of a quantity the paper counts for the whole image.
std::optional<double> counted_there(const std::string& rung, const char* a_four, const char* a_part,
                                    double pixels_a_part) {
  const std::vector<PublishedFigure>& figures = published_figures("enhance");
  if (const auto count = published_value(figures, rung, 0, 0, a_four)) return *count * kPixels / 4;
  const auto count = published_value(figures, rung, 0, 0, a_part);
  return count ? std::optional(*count * kPixels / pixels_a_part) : std::nullopt;
}

std::optional<double> giga_a_second(const StudyResult& result, const PublishedFigure& figure,
                                    const std::optional<double>& count) {
  const StudyRow* const row = row_of_figure(result, figure);
  return row && count ? std::optional(1e-6 * *count / *row->ms) : std::nullopt;
}

std::optional<double> gflops_here(const StudyResult& result, const PublishedFigure& figure) {
  return giga_a_second(result, figure,
                       counted_there(figure.rung, "operations_a_four", "operations_a_pixel", 1));
}
std::optional<double> gbytes_here(const StudyResult& result, const PublishedFigure& figure) {
  return giga_a_second(result, figure,
                       counted_there(figure.rung, "bytes_a_four", "bytes_a_block", kPixelsABlock));
}

std::optional<double> known(double value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}
std::optional<double> percent_of(const std::optional<double>& part, double whole) {
  return part && whole > 0 ? std::optional(100 * *part / whole) : std::nullopt;
}
std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

/// A total of this run, which depends on no rung.
PublishedQuantity total(const char* name, const char* words, int digits,
                        const std::optional<double>& here) {
  return {name, words, digits, [here](const StudyResult&, const PublishedFigure&) { return here; }};
}

std::vector<PublishedQuantity> enhance_quantities(const EnhanceTotals& t) {
  const ScanTransfers& besides = t.transfers;
  const auto transfers = besides.all_ordinary(), all = added(t.paper_gpu, transfers);
  return {
      row_quantity("ms", "ms", 4, &StudyRow::ms),
      speed_quantity("over_plain", "times as fast as the CPU's loop", plain_of),
      {"operations_a_four", "operations for four pixels"},
      {"operations_a_pixel", "operations for a pixel"},
      {"bytes_a_four", "bytes for four pixels"},
      {"bytes_a_block", "bytes for a block of 256 pixels"},
      {"gflops", "GFLOP/s by the paper's count", 0, gflops_here},
      {"of_gflops_percent", "share of the peak, %", 1,
       [](const StudyResult& r, const PublishedFigure& f) {
         return percent_of(gflops_here(r, f), r.peak_gflops);
       }},
      {"gbytes", "GB/s by the paper's count", 0, gbytes_here},
      {"of_gbytes_percent", "share of the bandwidth, %", 0,
       [](const StudyResult& r, const PublishedFigure& f) {
         return percent_of(gbytes_here(r, f), r.peak_gbytes);
       }},
      {"peak_gflops", "peak, GFLOP/s (here measured)", 0,
       [](const StudyResult& r, const PublishedFigure&) { return known(r.peak_gflops); }},
      {"peak_gbytes", "bandwidth, GB/s (here measured)", 0,
       [](const StudyResult& r, const PublishedFigure&) { return known(r.peak_gbytes); }},
      total("kernels", "the best kernels added, ms", 4, t.paper_gpu),
      total("all", "the CPU's loops added, ms", 1, t.plain),
      total("kernels_over_plain", "loops over kernels", 1, over(t.plain, t.paper_gpu)),
      total("transfers", "allocations and copies from and to ordinary memory, ms", 4, transfers),
      total("with_transfers_over_plain", "loops over kernels, allocations and copies", 1,
            over(t.plain, all)),
      total("transfers_percent", "share of allocations and copies in all, %", 0,
            all ? percent_of(transfers, *all) : std::nullopt),
      total("upload", "copy to the device, ms", 4, besides.upload_ordinary),
      total("download", "copy of the result, ms", 4, besides.download_ordinary),
      total("counts_download", "copy of the counts, ms", 4, besides.counts_download),
      total("grey_allocation", "allocation for the scan and grey, ms", 4, besides.grey_allocation),
      total("histogram_allocation", "allocation for the histogram, ms", 4,
            besides.histogram_allocation),
      total("contrast_allocation", "allocation for contrast, ms", 4, besides.contrast_allocation),
      total("smooth_allocation", "allocation for smoothing, ms", 4, besides.smooth_allocation),
  };
}

}  // namespace

std::vector<ComparedFigure> enhance_compared(const StudyResult& result, const EnhanceTotals& totals,
                                             bool paper_size) {
  ComparedPaper paper{
      .operation = "enhance", .quantities = enhance_quantities(totals), .paper_case = paper_size};
  for (const auto* rungs : {&enhance_cuda_rungs(), &enhance_cpu_rungs()})
    for (const EnhanceRung& rung : *rungs) paper.rungs.push_back(rung.id);
  return compared_figures(result, paper);
}

}  // namespace tessera
