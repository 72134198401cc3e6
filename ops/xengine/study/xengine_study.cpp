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
is N inputs. --sizes and --search do not apply. Rungs are named by words; the
first words stand for all rungs that begin with them. cpu: ti and it (loops on
[time][input] and [input][time]), planes (vectors), threads (the same on all),
cgemm and cherk (CBLAS in float). gpu: it and ti (sums in global memory),
shared, registers, blas (cuBLAS in float), stream and streams (from and to the
host, on one and on four). ours is the product, method by method. Without a GPU
only the rungs of the CPU run.
Examples:
  tessera study xengine
  tessera study xengine --rungs cpu.cherk,cpu.ours
  tessera study xengine --backend cpu --side 64 --json
)";

int checked_inputs(const StudyOptions& options) {
  refuse_sizes(options, "the X-engine");
  refuse_search(options, "the X-engine");
  return side_within(options, kXEngineStudyInputs, kLeastInputs, kMostInputs);
}

const bool study_entered =
    add_study({"xengine",
               "Compare again: a correlator's X-engine by layout, by the memory of "
               "its sums and by BLAS, on CPU and GPU.",
               kNotes, run_xengine_study});

}  // namespace

StudyResult run_xengine_study(const StudyOptions& options, const StudyProgress& progress) {
  const int inputs = checked_inputs(options);
  const std::vector<const XEngineRung*> rungs =
      wanted_rungs(options, xengine_cuda_rungs(), xengine_cpu_rungs());
  StudyResult result{.study = "xengine", .first = "cpu.it"};
  StudyPlaces places = open_places(options, rungs, xengine_cpu_rungs(), result);
  const XEngineCase problem(inputs, places.device ? &*places.device : nullptr);
  std::optional<TransferTimes> transfer;
  for (const XEngineRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(
        row_of(*rung, problem, places, xengine_cpu_rungs(), is_of_one_thread_xengine(rung->id)));
    StudyRow& row = result.rows.back();
    if (rung->id != "gpu.stream" || !row.ms) continue;
    transfer = time_xengine_transfer(problem, *places.device);
    add_shares(row, *transfer);
  }
  result.verdict = xengine_verdict(result);
  result.tables =
      fmt::format("xengine: {}, {:.2f} GOP\n", problem.name(), 1e-9 * problem.operations()) +
      xengine_tables(result, transfer);
  return result;
}

}  // namespace tessera
