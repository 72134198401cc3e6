// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/faraday_study.hpp"

#include <fmt/format.h>

#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kLeastSide = 8, kMostSide = 1024;
constexpr const char* kNotes =
    R"(One case: 300 channels of 128x128 pixels become 401 Faraday depths; with --side
N it is N by N pixels. --sizes and --search do not apply. Rungs are named by
words; the first words stand for all rungs that begin with them. cpu: naive
(four loops), layout (planes and tiles), threads (the same on all), blas (CBLAS:
one complex product; blas.rows: one for each row of pixels, as in the talk;
blas.stacked: one real product). gpu: naive, tiled, blas (cuBLAS: one real
product; blas.complex, blas.rows), stream and streams (from and to the host, on
one and on four), rows.stream and rows.streams (the same for each row). ours is
the product, method by method. Each ends with double or single. Without a GPU
only the rungs of the CPU run.
Examples:
  tessera study faraday
  tessera study faraday --rungs cpu.blas,cpu.ours
  tessera study faraday --backend cpu --side 64 --json
)";

int checked_side(const StudyOptions& options) {
  refuse_sizes(options, "rotation measures");
  refuse_search(options, "rotation measures");
  return side_within(options, kFaradayPaperSide, kLeastSide, kMostSide);
}

/// Times the parts of a rung on one stream, and adds their shares to its row.
void divide_time(StudyRow& row, const FaradayCase& problem, StudyPlaces& places,
                 FaradayTransfers& transfers) {
  if (!row.ms || !places.device) return;
  const auto times = time_faraday_transfer(problem, row.rung, *places.device);
  if (!times) return;
  transfers[row.rung] = *times;
  add_shares(row, *times);
}

const bool study_entered =
    add_study({"faraday",
               "Compare again: rotation measure synthesis by hand and by BLAS, "
               "on CPU and GPU, in single and double.",
               kNotes, run_faraday_study});

}  // namespace

StudyResult run_faraday_study(const StudyOptions& options, const StudyProgress& progress) {
  const int side = checked_side(options);
  const std::vector<const FaradayRung*> rungs =
      wanted_rungs(options, faraday_cuda_rungs(), faraday_cpu_rungs());
  StudyResult result{.study = "faraday", .first = "cpu.naive.double"};
  StudyPlaces places = open_places(options, rungs, faraday_cpu_rungs(), result);
  const FaradayCase problem(side, places.device ? &*places.device : nullptr);
  FaradayTransfers transfers;
  for (const FaradayRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(
        row_of(*rung, problem, places, faraday_cpu_rungs(), is_of_one_thread_faraday(rung->id)));
    divide_time(result.rows.back(), problem, places, transfers);
  }
  result.verdict = faraday_verdict(result);
  result.tables = "faraday: " + problem.name() +
                  fmt::format(", {:.1f} GFLOP\n", 1e-9 * problem.flops()) +
                  faraday_tables(result, transfers);
  return result;
}

}  // namespace tessera
