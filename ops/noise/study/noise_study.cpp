// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/study/noise_study.hpp"

#include <fmt/format.h>

#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kLeastSide = 8, kMostSide = 8192;
/// With fewer values than 16x16 quartiles fall between bins.
constexpr int kLeastBox = 16, kMostBox = 1024;
constexpr const char* kNotes =
    R"(An image of 1024x1024 pixels, or --side squared, and a box of 64x64 around every
pixel; --sizes 16,64,128 takes these boxes in turn. --search does not apply.
Rungs are named by words; the first words stand for all rungs that begin with
them. cpu: sort and select (exact, every box copied), histogram (every box
counted), slide (a column enters, a column leaves), follow (quantiles follow
too), threads (the same on all). gpu: sort and select (one thread per pixel),
histogram (one block per pixel), slide (one warp per row), stream (the same from
and to the host). ours is the product, binned and exact. Rungs that would take
minutes make a band of rows; their times are scaled. Without a GPU only the
rungs of the CPU run.
Examples:
  tessera study noise
  tessera study noise --rungs cpu.threads,cpu.ours --sizes 16,64,256
  tessera study noise --backend cpu --side 512 --json
)";

int checked_side(const StudyOptions& options) {
  refuse_search(options, "noise");
  return side_within(options, kNoiseStudySide, kLeastSide, kMostSide);
}

std::vector<NoiseBox> checked_boxes(const StudyOptions& options) {
  std::vector<NoiseBox> boxes;
  for (const StudySize& size :
       parse_sizes(options.sizes == "all" ? "64" : options.sizes, kMostBox)) {
    if (size.width < kLeastBox || size.height < kLeastBox)
      throw Error(ErrorKind::usage, fmt::format("--sizes: a box of {}x{} is not from {} to {}",
                                                size.width, size.height, kLeastBox, kMostBox));
    boxes.push_back({size.width, size.height});
  }
  return boxes;
}

/// The time of all rows, from that of a band; the title says so.
void scale_band(StudyRow& row, const NoiseCase& problem) {
  const int made = problem.rows(made_by_noise_rung(row.rung)).count();
  if (!row.ms || made == problem.side()) return;
  scale_times(row, 1.0 * problem.side() / made);
  row.title += fmt::format(" ({} rows)", made);
}

/// Adds rows, tables and a sentence to the result.
void run_case(const NoiseCase& problem, const std::vector<const NoiseRung*>& rungs,
              StudyPlaces& places, const std::function<void(long long)>& told,
              StudyResult& result) {
  StudyResult one = result;
  one.rows.clear();
  std::optional<TransferTimes> transfer;
  for (const NoiseRung* rung : rungs) {
    told(std::ssize(result.rows) + std::ssize(one.rows));
    one.rows.push_back(
        row_of(*rung, problem, places, noise_cpu_rungs(), is_of_one_thread_noise(rung->id)));
    StudyRow& row = one.rows.back();
    scale_band(row, problem);
    if (rung->id != "gpu.stream" || !row.ms) continue;
    transfer = time_noise_transfer(problem, *places.device);
    add_shares(row, *transfer);
  }
  result.rows.insert(result.rows.end(), one.rows.begin(), one.rows.end());
  const bool first = result.tables.empty();
  result.verdict += (first ? "" : " ") + noise_verdict(one);
  result.tables += fmt::format("{}noise: {}\n", first ? "" : "\n", problem.name()) +
                   noise_tables(one, transfer, problem.pixels(NoiseMade::host));
}

const bool study_entered =
    add_study({"noise",
               "Compare again: background and noise by sorting boxes, by counting "
               "them and by sliding, on CPU and GPU.",
               kNotes, run_noise_study});

}  // namespace

StudyResult run_noise_study(const StudyOptions& options, const StudyProgress& progress) {
  const int side = checked_side(options);
  const std::vector<NoiseBox> boxes = checked_boxes(options);
  const std::vector<const NoiseRung*> rungs =
      wanted_rungs(options, noise_cuda_rungs(), noise_cpu_rungs());
  StudyResult result{.study = "noise", .first = "cpu.sort"};
  StudyPlaces places = open_places(options, rungs, noise_cpu_rungs(), result);
  const auto told = [&](long long done) {
    if (progress) progress(done, std::ssize(rungs) * std::ssize(boxes));
  };
  for (const NoiseBox box : boxes)
    run_case({side, box, places.device ? &*places.device : nullptr}, rungs, places, told, result);
  return result;
}

}  // namespace tessera
