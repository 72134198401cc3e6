// SPDX-License-Identifier: Apache-2.0
// The paper's figures besides its tables: transfers, the spread of the variants, one side over the
// other.
#include <algorithm>

#include "core/device.hpp"
#include "ops/correlate/study/correlate_study.hpp"
#include "study/fastest_rungs.hpp"
#include "study/study_transfer.hpp"

namespace tessera {
namespace {

bool is_of_memory(const std::string& rung) {
  return std::ranges::any_of(
      kMemoryGroups, [&](const char* group) { return rung.starts_with(group + std::string(".")); });
}

/// The slowest of the variants of memory, or the fastest, in milliseconds.
std::optional<double> extreme_ms(const StudyResult& result, bool slowest) {
  std::optional<double> ms;
  for (const StudyRow& row : result.rows)
    if (row.ms && is_of_memory(row.rung) && (!ms || (slowest ? *row.ms > *ms : *row.ms < *ms)))
      ms = row.ms;
  return ms;
}

std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b,
                           double factor = 1) {
  return a && b ? std::optional(factor * *a / *b) : std::nullopt;
}

std::vector<PublishedQuantity> correlate_quantities(const std::optional<double>& copies_ms) {
  const auto fastest = [](const StudyResult& r, const PublishedFigure&) {
    return extreme_ms(r, false);
  };
  return {
      row_quantity("ms", "ms", 3, &StudyRow::ms),
      row_quantity("seconds", "s", 3, &StudyRow::ms, 1e-3),
      {"transfer_percent", "copies both ways over the fastest kernel, %", 2,
       [copies_ms](const StudyResult& r, const PublishedFigure&) {
         return over(copies_ms, extreme_ms(r, false), 100);
       }},
      {"slowest_seconds", "the slowest variant of memory, s", 4,
       [](const StudyResult& r, const PublishedFigure&) { return over(extreme_ms(r, true), 1e3); }},
      {"fastest_ms", "the fastest variant of memory, ms", 3, fastest},
      speed_quantity("over_scalar", "times as fast as no SIMD",
                     [](const PublishedFigure&) { return "scalar"; }),
      {"slower_than_gpu", "times as long as the paper's fastest CUDA program", 2,
       [](const StudyResult& r, const PublishedFigure& f) {
         const StudyRow* const row = row_of_figure(r, f);
         return over(row ? row->ms : std::nullopt, extreme_ms(r, false));
       }},
      {"cores", "cores"},
      {"ghz", "clock, GHz"},
      {"peak_gbytes", "bandwidth of memory, GB/s"},
      {"simd", "SIMD"},
      {"memory", "memory"},
      {"effort", "how long its program took to write"},
      {"gflops", "sustained GFLOP/s"},
      {"peak_gflops", "peak GFLOP/s"},
      {"percent", "share of the peak, %"},
  };
}

bool stands_in_a_table(const PublishedFigure& figure) {
  return figure.source == "000 table 1" || figure.source == "000 table 4" ||
         figure.source == "000 table 5" || figure.source == "000 table 6";
}

}  // namespace

const PublishedFigure* find_published(const std::string& device, const std::string& rung,
                                      const std::string& quantity) {
  for (const PublishedFigure& figure : published_figures("correlate"))
    if (figure.device == device && figure.rung == rung && figure.quantity == quantity)
      return &figure;
  return nullptr;
}

std::string published_times(const std::string& rung) {
  return published_text(published_figures("correlate"), rung, 0, 0, {"ms", "seconds"});
}

double time_correlate_copies(const CorrelateCase& c, Stream& stream) {
  const CorrelateCase::OnDevice& there = c.on_device();
  const ImageInfo image = c.together().info();
  const ImageInfo map{{c.shifts(), c.shifts()}, Type::f32};
  const auto on_device = [&](ImageInfo info, const Scratch& memory) {
    info.device = stream.device();
    return packed(memory.data(), info);
  };
  return step_ms(stream, [&](Stream& on) {
    device_stream(on).copy(c.together().view(), on_device(image, there.together));
    device_stream(on).copy(on_device(map, there.map), packed(c.host_map(), map));
  });
}

std::vector<ComparedFigure> correlate_compared(const StudyResult& result,
                                               const std::optional<double>& copies_ms,
                                               bool paper_case) {
  ComparedPaper paper{.operation = "correlate",
                      .quantities = correlate_quantities(copies_ms),
                      .paper_case = paper_case,
                      .left_out = stands_in_a_table};
  for (const auto* rungs : {&correlate_cuda_rungs(), &correlate_cpu_rungs()})
    for (const CorrelateRung& rung : *rungs) paper.rungs.push_back(rung.id);
  return compared_figures(result, paper);
}

}  // namespace tessera
