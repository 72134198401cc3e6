// SPDX-License-Identifier: Apache-2.0
// The paper's figures besides times over C: steps, shares, launches, whole films.
#include <algorithm>

#include "ops/cells/study/cells_study.hpp"

namespace tessera {
namespace {

std::string stage_of(const std::string& rung) { return rung.substr(0, rung.find('.')); }

/// The CUDA program before it on its ladder; "" for the first.
std::string step_before(const PublishedFigure& figure) {
  std::string before;
  for (const CellsRung& rung : cells_cuda_rungs()) {
    if (rung.id == figure.rung) return before;
    before = stage_of(rung.id) == stage_of(figure.rung) ? rung.id : "";
  }
  return "";
}

std::string openmp_of(const PublishedFigure& figure) { return stage_of(figure.rung) + ".openmp"; }

std::optional<double> launches_of(const StudyResult& result, const PublishedFigure& figure) {
  const StudyRow* const row = row_of_figure(result, figure);
  return row && row->launches ? std::optional<double>(*row->launches) : std::nullopt;
}

PublishedQuantity share_quantity(const char* name, const char* words,
                                 std::optional<double> StudyRow::*field) {
  return row_quantity(name, words, 0, field, 100);
}

PublishedQuantity times_as_slow(const char* name, const char* words, bool percent = false) {
  const auto fast = speed_quantity(name, words, openmp_of);
  return {name, words, percent ? 0 : 2,
          [=](const StudyResult& result, const PublishedFigure& figure) -> std::optional<double> {
            const auto times = fast.here(result, figure);
            if (!times) return std::nullopt;
            return percent ? 100 / *times - 100 : 1 / *times;
          }};
}

/// Rates of kCellsWays by the paper's formula.
std::optional<double> cuda_rate(const StudyResult& result) {
  return frame_rates(result, kCellsWays[2]).by_formula;
}
std::optional<double> cuda_over_c(const StudyResult& result) {
  const auto cuda = cuda_rate(result), plain = frame_rates(result, kCellsWays[0]).by_formula;
  return cuda && plain ? std::optional(*cuda / *plain) : std::nullopt;
}

/// How many times as fast one rung is as another.
PublishedQuantity wish(const char* name, const char* words, const char* rung, const char* base) {
  return {name, words, 2,
          [=](const StudyResult& result, const PublishedFigure&) -> std::optional<double> {
            const StudyRow* const fast = row_of_figure(result, {.rung = rung});
            const StudyRow* const slow = row_of_figure(result, {.rung = base});
            if (!fast || !slow || !fast->ms || !slow->ms) return std::nullopt;
            return *slow->ms / *fast->ms;
          }};
}

/// A quantity of the costs, which the result does not have.
template <class Here>
PublishedQuantity cost_quantity(const char* name, const char* words, int digits, Here here) {
  return {name, words, digits,
          [=](const StudyResult&, const PublishedFigure& figure) { return here(figure); }};
}

std::optional<double> over(double a, double b) {
  return b > 0 ? std::optional(a / b) : std::nullopt;
}

std::vector<PublishedQuantity> cost_quantities(const CellsCosts& costs) {
  const auto of_calls = [&costs](auto value) {
    return [&costs, value](const PublishedFigure&) -> std::optional<double> {
      return costs.calls ? value(*costs.calls) : std::nullopt;
    };
  };
  const auto share = [](const std::optional<PartSeconds>& parts, double PartSeconds::*part) {
    return [&parts, part](const PublishedFigure&) { return part_percent(parts, part); };
  };
  return {
      cost_quantity(
          "launching_percent", "of the wait for kernels, share of launching them, %", 1,
          [&costs](const PublishedFigure& f) { return launching_percent(costs, f.rung); }),
      cost_quantity("gicov_percent", "share of the scores, %", 1,
                    share(costs.detection, &PartSeconds::scores)),
      cost_quantity("dilation_percent", "share of the dilation, %", 1,
                    share(costs.detection, &PartSeconds::dilation)),
      cost_quantity("solver_percent", "share of the solver, %", 1,
                    share(costs.tracking, &PartSeconds::solver)),
      cost_quantity("cudamalloc_over_malloc", "time of cudaMalloc over malloc", 1,
                    of_calls([](const DeviceCalls& calls) {
                      return over(calls.driver_allocate, calls.host_allocate);
                    })),
      cost_quantity("cudafree_over_free", "time of cudaFree over free", 1,
                    of_calls([](const DeviceCalls& calls) {
                      return over(calls.driver_release, calls.host_release);
                    })),
      cost_quantity("constant_copy_kilobytes",
                    "size up to which a copy takes the same time, within a quarter, kB", 1,
                    of_calls([](const DeviceCalls& calls) {
                      return over(static_cast<double>(constant_copy_bytes(calls)), 1024);
                    })),
  };
}

std::vector<PublishedQuantity> cells_quantities() {
  return {
      {"over_c", "times as fast as C", 2,
       [](const StudyResult& r, const PublishedFigure& f) { return over_c(r, f.rung); }},
      {"slower_than_c", "C over it", 2,
       [](const StudyResult& r, const PublishedFigure& f) -> std::optional<double> {
         const auto times = over_c(r, f.rung);
         return times ? std::optional(1 / *times) : std::nullopt;
       }},
      speed_quantity("over_step", "times as fast as the step before", step_before),
      speed_quantity("over_openmp", "times as fast as OpenMP", openmp_of),
      times_as_slow("slower_than_openmp", "OpenMP over it"),
      times_as_slow("slower_percent", "slower than threads that share the cells, %", true),
      {"over_matlab", "times as fast as MATLAB"},
      {"launches", "kernels launched for a frame", 0, launches_of},
      share_quantity("allocation_percent", "share of allocation, %", &StudyRow::allocation),
      share_quantity("copies_percent", "share of copies, %", &StudyRow::copies),
      {"matlab_gicov_percent", "share of the scores in MATLAB, %"},
      {"matlab_dilation_percent", "share of the dilation in MATLAB, %"},
      {"matlab_solver_percent", "share of the solver in MATLAB, %"},
      wish("predicted_over_openmp", "over OpenMP with cheap allocation (here: from a pool)",
           "track.larger.pool", "track.openmp"),
      wish("predicted_by_fence", "gain of a fence for all blocks", "track.one-kernel.fence",
           "track.one-kernel"),
      {"all_over_c", "detection and tracking by (D+9T)/10, CUDA over C", 1,
       [](const StudyResult& r, const PublishedFigure&) { return cuda_over_c(r); }},
      {"all_over_matlab", "detection and tracking by (D+9T)/10, CUDA over MATLAB"},
      {"openmp_over_matlab", "detection and tracking by (D+9T)/10, OpenMP over MATLAB"},
      {"matlab_frames_a_second", "frames per second by (D+9T)/10, MATLAB"},
      {"cuda_frames_a_second", "frames per second by (D+9T)/10, CUDA", 1,
       [](const StudyResult& r, const PublishedFigure&) { return cuda_rate(r); }},
  };
}

}  // namespace

std::vector<ComparedFigure> cells_compared(const StudyResult& result, bool paper_case,
                                           const CellsCosts& costs) {
  ComparedPaper paper{
      .operation = "cells", .quantities = cells_quantities(), .paper_case = paper_case};
  for (PublishedQuantity& quantity : cost_quantities(costs))
    paper.quantities.push_back(std::move(quantity));
  for (const auto* rungs : {&cells_cuda_rungs(), &cells_cpu_rungs()})
    for (const CellsRung& rung : *rungs) paper.rungs.push_back(rung.id);
  std::vector<ComparedFigure> figures = compared_figures(result, paper);
  for (ComparedFigure& figure : call_figures(costs)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace tessera
