// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_study.hpp"

#include <fmt/format.h>

#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kLeastInputs = 2, kMostInputs = 1024;
constexpr const char* kNotes =
    R"(One case: a cycle of 1000 samples of 128 inputs in 64 channels; with --side N it
is N inputs, with --cycles 10 ten cycles are added and read out once, as in the
talk. --sizes and --search do not apply. Rungs are named by words; the first
words stand for all rungs that begin with them. cpu: ti and it (loops on
[time][input] and [input][time]), planes (vectors), threads (the same on all),
cgemm and cherk (CBLAS in float). gpu: it and ti (sums in global memory), shared
(side by side; banks: in two arrays; more-l1 and less-l1: with another part of
L1), registers, planes (the talk's real and imaginary planes), tiles (2 by 2 and
4 by 4 pairs per thread), texture, blas (cuBLAS; complex: cgemm), stream and
streams (from and to the host, on one and on four), blas.host (the same by cgemm
after the host's reordering). ours is the product, method by method. Without a
GPU only the rungs of the CPU run.
Examples:
  tessera study xengine
  tessera study xengine --cycles 10 --rungs cpu.threads,cpu.cgemm,gpu.streams
  tessera study xengine --rungs cpu.cherk,cpu.ours
  tessera study xengine --backend cpu --side 64 --json
)";

int checked_inputs(const StudyOptions& options) {
  refuse_sizes(options, "the X-engine");
  refuse_search(options, "the X-engine");
  return side_within(options, kXEngineStudyInputs, kLeastInputs, kMostInputs);
}

/// Times the parts of the rungs on one stream, and adds their shares to the row.
void divide_time(StudyRow& row, const XEngineCase& problem, Stream& device,
                 XEngineTransfers& transfers) {
  if (row.rung == "gpu.stream")
    add_shares(row, (transfers.stream = time_xengine_parts(problem, device))->times);
  if (row.rung == "gpu.blas.host")
    add_shares(row, (transfers.host = time_xengine_host_parts(problem, device))->times);
}

const bool study_entered =
    add_study({"xengine",
               "Compare again: a correlator's X-engine by layout, by the memory of "
               "its sums and by BLAS, on CPU and GPU.",
               kNotes, run_xengine_study, own_options<XEngineStudyOptions>()});

}  // namespace

StudyResult run_xengine_study(const StudyOptions& options, const StudyProgress& progress) {
  const int inputs = checked_inputs(options);
  const auto own = read_own<XEngineStudyOptions>(options);
  check_ranges("xengine", own);
  const std::vector<const XEngineRung*> rungs =
      wanted_rungs(options, xengine_cuda_rungs(), xengine_cpu_rungs());
  StudyResult result{.study = "xengine", .first = "cpu.it"};
  StudyPlaces places = open_places(options, rungs, xengine_cpu_rungs(), result);
  Stream* const device = places.device ? &*places.device : nullptr;
  const XEngineCase problem(inputs, device, kXEngineStudyChannels, kXEngineStudySamples,
                            own.cycles);
  XEngineTransfers transfers;
  for (const XEngineRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(
        row_of(*rung, problem, places, xengine_cpu_rungs(), is_of_one_thread_xengine(rung->id)));
    StudyRow& row = result.rows.back();
    if (row.ms && device) divide_time(row, problem, *device, transfers);
  }
  result.verdict = xengine_verdict(result);
  result.tables =
      fmt::format("xengine: {}, {:.2f} GOP\n", problem.name(), 1e-9 * problem.operations()) +
      xengine_tables(result, transfers);
  return result;
}

}  // namespace tessera
