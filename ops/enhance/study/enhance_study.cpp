// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/enhance_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kLeastSide = 16, kMostSide = 30000;
constexpr const char* kNotes =
    R"(One case: a synthetic scan of 8773x5352 pixels, red, green and blue; with
--side N it is N by N, with --image a scan of yours. --sizes and --search do
not apply. Rungs are named by words; the first words stand for all rungs that
begin with them: grey, histogram, contrast, smooth, chain (all four steps).
naive, coalesced, four, shared, branchless and tiled are the paper's CUDA
programs, columns and sixteen two more, plain its loops on the CPU; ours is
the product: cuda, one (thread) and all (threads). Without a GPU only the
rungs of the CPU run.
Examples:
  tessera study enhance
  tessera study enhance --rungs histogram,chain
  tessera study enhance --backend cpu --side 2048 --json
)";

/// The user's scan, or a synthetic one.
Image checked_scan(const StudyOptions& options) {
  refuse_sizes(options, "enhancement");
  refuse_search(options, "enhancement");
  if (options.image) {
    refuse_side(options, "enhancement");
    const auto [size, type, device] = options.image->info();
    if (type != Type::u8 || size.channels != 3 || size.planes != 1 ||
        std::min(size.width, size.height) < kLeastSide ||
        std::max(size.width, size.height) > kMostSide)
      refuse_image(options, fmt::format("the study of enhancement takes u8 images of 3 channels "
                                        "and 1 plane, with sides from {} to {}",
                                        kLeastSide, kMostSide));
    return copy(options.image->view());
  }
  if (!options.side) return made_scan(kPaperWidth, kPaperHeight);
  const int side = side_within(options, kPaperWidth, kLeastSide, kMostSide);
  return made_scan(side, side);
}

/// Steps move bytes, so the ceiling is that of a copy.
void measure_copies(StudyPlaces& places, StudyResult& result) {
  const CpuCeilings measured = measure_cpu();
  places.one_thread.copy_bytes = measured.copy_bytes_one;
  places.all_threads.copy_bytes = measured.copy_bytes_all;
  result.cpu = fmt::format("{}, {} threads: {:.1f} GB/s measured, {:.1f} with one",
                           this_machine().cpu_name, available_threads(),
                           1e-9 * measured.copy_bytes_all, 1e-9 * measured.copy_bytes_one);
}

const bool study_entered =
    add_study({"enhance",
               "Climb again from naive kernels to fast ones: grey, histogram, "
               "contrast and smoothing of a large scan.",
               kNotes,
               run_enhance_study,
               {},
               "a scan of u8, red, green and blue, instead of the synthetic one"});

}  // namespace

StudyResult run_enhance_study(const StudyOptions& options, const StudyProgress& progress) {
  const Image scan = checked_scan(options);
  const std::vector<const EnhanceRung*> rungs =
      wanted_rungs(options, enhance_cuda_rungs(), enhance_cpu_rungs());
  const Size size = scan.info().size;
  const bool paper_size = size.width == kPaperWidth && size.height == kPaperHeight;
  StudyResult result{.study = "enhance", .first = "grey.naive"};
  StudyPlaces places = open_places(options, rungs, enhance_cpu_rungs(), result, measure_copies);
  const EnhanceCase problem(scan, places.device ? &*places.device : nullptr);
  for (const EnhanceRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(
        row_of(*rung, problem, places, enhance_cpu_rungs(), is_of_one_thread(rung->id)));
    if (paper_size)
      result.rows.back().published =
          published_text(published_figures("enhance"), rung->id, 0, 0, {"ms"});
  }
  const EnhanceTotals totals = enhance_totals(
      result, problem.has_device() ? measure_transfers(problem, *places.device) : ScanTransfers{});
  result.compared = enhance_compared(result, totals, paper_size);
  result.verdict = enhance_verdict(totals, paper_size);
  result.tables = fmt::format("enhance: {} of {}, {:.1f} million pixels\n",
                              options.image ? options.image_name : "a scan", problem.name(),
                              1e-6 * static_cast<double>(problem.pixels())) +
                  enhance_tables(result, totals);
  return result;
}

}  // namespace tessera
