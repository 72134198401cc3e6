// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/correlate_study.hpp"

#include <fmt/format.h>

#include "core/machine.hpp"
#include "core/parallel.hpp"
#include "ops/correlate/study/shift_args.cuh"
#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kPaperSide = 500, kLeastSide = 16, kMostSide = kMostShiftThreads;
constexpr const char* kNotes =
    R"(One case: 4 planes of 500x500 pixels, 250x250 shifts, the image with itself;
with --side N it is N by N and half as many shifts. --sizes and --search do not
apply. Rungs are named by words; the first words stand for all rungs that begin
with them: sum (aggregation: local, shared, global), shared (table 2), local
(table 3), row (figures 8 and 9), unrolled, scalar and simd (tables 4 and 5;
simd.8 has 8 threads), openmp and pthreads (the same on other threads), fma, wide
and eight (what the paper expected: multiply-adds, vectors as wide as the CPU's;
eight sums at once), ours. co means planes co-located, sep separate; small and
large are the L1 cache, ca and cg the loads. Without a GPU only the rungs of the
CPU run.
Examples:
  tessera study correlate
  tessera study correlate --rungs shared,row.co.texture,simd,ours
  tessera study correlate --backend cpu --side 128 --json
)";

int checked_side(const StudyOptions& options) {
  refuse_sizes(options, "correlation");
  refuse_search(options, "correlation", "tries every tile there is");
  return side_within(options, kPaperSide, kLeastSide, kMostSide);
}

void measure_flops(StudyPlaces& places, StudyResult& result) {
  places.all_threads = {.fma_flops = measure_cpu().fma_flops_all,
                        .copy_bytes = measure_cpu().copy_bytes_all};
  result.cpu = fmt::format("{}, {} threads", this_machine().cpu_name, available_threads());
  result.cpu_gflops = 1e-9 * places.all_threads.fma_flops;
}

StudyRow row_with_error(const CorrelateRung& rung, const CorrelateCase& problem,
                        StudyPlaces& places) {
  StudyRow row = row_of(rung, problem, places, correlate_cpu_rungs(), false);
  if (row.ms) row.error = problem.largest_error();
  if (rung.id.ends_with(".fft")) row.of_peak.reset();  // its GFLOP/s are those of the direct sum
  return row;
}

const bool study_entered = add_study(
    {"correlate", "Ask again whether CPUs can match GPUs: the paper on correlating scenes.", kNotes,
     run_correlate_study});

}  // namespace

StudyResult run_correlate_study(const StudyOptions& options, const StudyProgress& progress) {
  const int side = checked_side(options);
  const std::vector<const CorrelateRung*> rungs =
      wanted_rungs(options, correlate_cuda_rungs(), correlate_cpu_rungs());
  StudyResult result{.study = "correlate", .first = "scalar"};
  StudyPlaces places = open_places(options, rungs, correlate_cpu_rungs(), result, measure_flops);
  const CorrelateCase problem(scene_planes(side), places.device ? &*places.device : nullptr);
  for (const CorrelateRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(row_with_error(*rung, problem, places));
    if (side == kPaperSide) result.rows.back().published = published_times(rung->id);
  }
  const auto copies =
      places.device ? std::optional(time_correlate_copies(problem, *places.device)) : std::nullopt;
  result.compared = correlate_compared(result, copies, side == kPaperSide);
  result.summary = summarize(result, {});
  result.verdict = correlate_verdict(result);
  result.tables =
      fmt::format("correlate: 4 planes of {}, {}x{} shifts, {:.3g} GFLOP\n", problem.name(),
                  problem.shifts(), problem.shifts(), 1e-9 * problem.flops()) +
      correlate_tables(result, machine_facts(places, options.device));
  return result;
}

}  // namespace tessera
