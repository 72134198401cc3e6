// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine.hpp"
#include "ops/convolve/study/convolve_search.hpp"
#include "ops/convolve/study/ladder_options.hpp"
#include "ops/convolve/study/ladder_space.hpp"
#include "study/published.hpp"
#include "study/study_checks.hpp"
#include "study/study_places.hpp"
#include "study/study_threads.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kPaperSide = 4096, kCpuSide = 1024;
constexpr const char* kNotes =
    R"(Sizes are odd square filters 3-43 unless given; 17x43 is not square. Rungs: 1
naive, 2 constant memory, 3 shared tile, 4 one element per thread, 5a and 5b 1x2
and 1x4 tiling, 6 padding columns, 7 adaptive tiling, 8 unrolled, 9 read-only
loads; 3.16x16, 4.16x16, 5a.32x32, 5b.32x32, 6.1x1, 6.1x2 and 7.16x32 are these
with the paper's other blocks and tiles, 3.unrolled and 4.unrolled its pair at
5x5 (--rungs 3 runs rung 3 and all that begin with 3.); 10 the product's direct,
10b the talk's nine pixels per thread; s1 horizontal, s2 vertical, s3 both
passes, s4 the product's separable; fft the product's FFT, cufft that of CUDA
with the paper's padding. On the CPU: cpu.talk the talk's loop, cpu.loop.N the
paper's on N threads, cpu.simd.N with vectors, cpu.direct, cpu.separable and
cpu.fft the product's. They run without a GPU, with --backend cpu, or if they
are named; on their own the image is 1024x1024. A rung that does not run here
says why.
--search 110 searches the paper's whole space for rungs 8, s1 and s2: 11 blocks
and tile factors 1 to 10 (to 20 for s1 and s2). --sizes is then squares, all (3
to 43 each way, 441 sizes) or a list; --journal keeps every time, and a search
that was stopped goes on when it is started again. --learn reads such a journal
and predicts the best block and tile factor of filters that were not searched.
Examples:
  tessera study convolve
  tessera study convolve --sizes 3,5,17x43 --rungs 1,8,10 --csv > ladder.csv
  tessera study convolve --rungs 7 --shared 48K
  tessera study convolve --search 110 --sizes squares,17x43 --rungs 8
  tessera study convolve --search 110 --sizes squares --compile sm_90
  tessera study convolve --learn times.tsv --sizes all
)";

// A kernel that a compiler of 2010 made, which the paper timed: its figures, and none of ours.
void add_published_rows(StudyResult& result, const ConvolveCase& problem) {
  const StudySize& size = problem.filter_size();
  const std::string figures = published_text(published_figures("convolve"), "compiler", size.width,
                                             size.height, {"gflops", "ms"});
  if (figures.empty()) return;
  StudyRow row{.case_name = problem.name(), .rung = "compiler"};
  row.title = "made by a compiler (Yang 2010)";
  row.absent = "it is not ours to run; published: " + figures;
  row.published = figures;
  result.rows.push_back(row);
}

// Rungs of the CPU and of the GPU take too different times for one table, unless somebody asks for
// both, or for threads.
std::vector<const ConvolveRung*> rungs_wanted(const StudyOptions& options) {
  auto rungs = wanted_rungs(options, convolve_rungs(), convolve_cpu_rungs());
  if (options.rungs == "all" && options.backend == Backend::automatic &&
      study_threads() == StudyThreads{}) {
    const bool on_cpu = this_machine().devices.empty();
    std::erase_if(rungs, [&](const ConvolveRung* rung) {
      return stands_in(convolve_cpu_rungs(), rung) != on_cpu;
    });
  }
  return rungs;
}

// Without a GPU: the tile factor of rung 7 as far as shared memory decides.
void adapt_without_device(StudyRow& row, StudySize size, const LadderLimits& limits) {
  const int tiles = adaptive_tiles(size.width, size.height, limits, [](int) { return 0; });
  if (tiles == 0) return;
  const LadderShape shape = tiled_shape(size.width, size.height, 32, 32, tiles);
  row.block_x = shape.block_x;
  row.block_y = shape.block_y;
  row.tiles = shape.tiles;
  row.shared_bytes = shape.shared_bytes;
}

bool shows_adaptation(const std::vector<const ConvolveRung*>& rungs,
                      const std::optional<LadderLimits>& limits) {
  return limits && limits->shared_bytes_per_block > 0 &&
         std::any_of(rungs.begin(), rungs.end(), [](const auto* rung) { return rung->id == "7"; });
}

const bool study_entered =
    add_study({"convolve", "Climb the ladder of CUDA kernels of the paper on adaptive tiling.",
               kNotes, run_convolve_study, own_options<LadderOptions>()});

}  // namespace

StudyResult run_convolve_study(const StudyOptions& options, const StudyProgress& progress) {
  const auto own = read_own<LadderOptions>(options);
  check_ladder_options(options, own);
  if (!own.learn.empty())
    return run_convolve_learn(options, own, side_within(options, kPaperSide, 1, 16384));
  if (options.search == kWholeSearch)
    return run_convolve_search(options, own, side_within(options, kPaperSide, 1, 16384), progress);
  const auto rungs = rungs_wanted(options);
  const auto sizes = search_sizes(options.sizes == "all" ? "squares" : options.sizes);
  const auto limits = limits_wanted(own);
  const bool any_on_cpu = std::any_of(rungs.begin(), rungs.end(), [](const ConvolveRung* rung) {
    return stands_in(convolve_cpu_rungs(), rung);
  });
  const bool all_on_cpu = std::all_of(rungs.begin(), rungs.end(), [](const ConvolveRung* rung) {
    return stands_in(convolve_cpu_rungs(), rung);
  });
  const int side = side_within(options, all_on_cpu ? kCpuSide : kPaperSide, 1, 16384);
  if (!any_on_cpu && !shows_adaptation(rungs, limits)) need_device("convolve", options.device);
  StudyResult result{.study = "convolve", .rival = "fft"};
  if (all_on_cpu) result.first = "cpu.loop.1", result.rival = "cpu.fft";
  StudyPlaces places = open_places(options, rungs, convolve_cpu_rungs(), result);
  Stream* const device = places.device ? &*places.device : nullptr;
  const auto& published = published_figures("convolve");
  const Image image = ladder_image(side);
  const auto all = static_cast<long long>(sizes.size() * rungs.size());
  long long done = 0;
  for (const StudySize& size : sizes) {
    const ConvolveCase problem(image, size, {options.search, limits}, device);
    for (const ConvolveRung* rung : rungs) {
      if (progress) progress(done++, all);
      StudyRow row = row_of(*rung, problem, places, convolve_cpu_rungs(), is_of_one_core(rung->id));
      row.published = published_gflops(published, rung->id, size.width, size.height);
      if (!device && rung->id == "7" && shows_adaptation(rungs, limits))
        adapt_without_device(row, size, *limits);
      result.rows.push_back(row);
    }
    if (!all_on_cpu) add_published_rows(result, problem);
  }
  result.summary = summarize(result, {"s1", "s2", "s3", "s4", "cpu.separable", "cufft"});
  result.compared = convolve_compared(result, side == kPaperSide, options.sizes == "all");
  result.further = table_1_text(result);
  result.verdict = convolve_verdict(result);
  if (const std::string text = adaptation_text(result, limits); !text.empty())
    result.verdict += " " + text;
  return result;
}

}  // namespace tessera
