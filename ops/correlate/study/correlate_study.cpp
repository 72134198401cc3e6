// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/correlate_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/machine.hpp"
#include "core/parallel.hpp"
#include "ops/correlate/study/shift_args.cuh"
#include "study/study_checks.hpp"
#include "study/study_places.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera {
namespace {

constexpr int kPaperSide = 500, kLeastSide = 16, kMostSide = kMostShiftThreads;
constexpr const char* kNotes =
    R"(One case: 4 planes of 500x500 pixels, 250x250 shifts, the image with itself;
with --side N it is N by N and half as many shifts; with --image the square in
the middle of an image of yours. --sizes and --search do not apply. Rungs are
named by words; the first words stand for all rungs that begin with them: sum
(aggregation: local, shared, global), shared (table 2), local (table 3), row
(figures 8 and 9), unrolled, scalar and simd (tables 4 and 5; simd.8 has 8
threads), openmp and pthreads (the same on other threads), fma, wide and eight
(what the paper expected: multiply-adds, vectors as wide as the CPU's; eight
sums at once), ours. co means planes co-located, sep separate; small and large
are the L1 cache, ca and cg the loads. Without a GPU only the rungs of the CPU
run.
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

/// The square in the middle.
AnyView middle_of(const AnyView& image, int side) {
  return image.region((image.size.width - side) / 2, (image.size.height - side) / 2, side, side);
}

/// The four planes of the user's image, or of a synthetic scene.
Image checked_planes(const StudyOptions& options, int side) {
  if (!options.image) return scene_planes(side);
  const AnyView image = options.image->view();
  const bool photograph = is_integer(image.type) && image.size.planes == 1 &&
                          (image.size.channels == 1 || image.size.channels == 3);
  const bool planes =
      image.type == Type::f32 && image.size.channels == 1 && image.size.planes == kShiftPlanes;
  if ((!photograph && !planes) || std::min(image.size.width, image.size.height) < side)
    refuse_image(options,
                 fmt::format("the study of correlation takes the square of {0}x{0} pixels (--side) "
                             "in the middle of a photograph of u8 or u16, grey or red, green and "
                             "blue, or of {1} planes of f32",
                             side, kShiftPlanes));
  const AnyView square = middle_of(image, side);
  Image made = photograph ? tessera::scene_planes(square) : copy(square);
  const float* const samples = made.as<float>().data;
  const float* const end = samples + made.info().size.samples();
  if (!std::all_of(samples, end, [](float sample) { return std::isfinite(sample); }))
    refuse_image(options, "it has NaN or infinity where the study takes its square");
  if (std::all_of(samples, end, [](float sample) { return sample == 0; }))
    refuse_image(options, "the square that the study takes is flat: its planes are 0");
  return made;
}

void measure_flops(StudyPlaces& places, StudyResult& result) {
  places.all_threads = {.fma_flops = measure_cpu().fma_flops_all,
                        .copy_bytes = measure_cpu().copy_bytes_all};
  places.one_thread = places.all_threads;  // tables 4 to 6 are of whole processors
  result.cpu = fmt::format("{}, {} threads", this_machine().cpu_name, available_threads());
  result.cpu_gflops = 1e-9 * places.all_threads.fma_flops;
}

StudyRow row_with_error(const CorrelateRung& rung, const CorrelateCase& problem,
                        StudyPlaces& places) {
  StudyRow row = row_of(rung, problem, places, correlate_cpu_rungs(), false);
  if (row.ms) row.error = problem.largest_error();
  if (rung.id.find(".fft") != std::string::npos)
    row.of_peak.reset();  // its GFLOP/s are those of the direct sum
  return row;
}

const bool study_entered =
    add_study({"correlate",
               "Ask again whether CPUs can match GPUs: the paper on correlating scenes.",
               kNotes,
               run_correlate_study,
               {},
               "a photograph, or four planes of f32, instead of the synthetic scene"});

}  // namespace

StudyResult run_correlate_study(const StudyOptions& options, const StudyProgress& progress) {
  const int side = checked_side(options);
  const Image planes = checked_planes(options, side);
  const std::vector<const CorrelateRung*> rungs =
      wanted_rungs(options, correlate_cuda_rungs(), correlate_cpu_rungs());
  StudyResult result{.study = "correlate", .first = "scalar"};
  StudyPlaces places = open_places(options, rungs, correlate_cpu_rungs(), result, measure_flops);
  const CorrelateCase problem(planes, places.device ? &*places.device : nullptr);
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
      fmt::format("correlate: 4 planes of {}{}, {}x{} shifts, {:.3g} GFLOP\n", problem.name(),
                  options.image ? " in the middle of " + options.image_name : "", problem.shifts(),
                  problem.shifts(), 1e-9 * problem.flops()) +
      correlate_tables(result, machine_facts(places, options.device));
  return result;
}

}  // namespace tessera
