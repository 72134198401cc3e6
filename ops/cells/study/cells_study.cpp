// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "ops/cells/study/track_args.cuh"
#include "study/study_checks.hpp"
#include "study/study_places.hpp"

namespace tessera {
namespace {

constexpr int kLeastSide = 160, kMostSide = 1024;
constexpr int kFilmFrames = 60, kPaperCells = 36;
constexpr int kPixelsACell = 640 * 219 / kPaperCells;

constexpr const char* kNotes =
    R"(One case: a synthetic film of 640x480 pixels, 36 cells in a crop of 219 rows;
with --side N frames of N by N, all of it the crop, and fewer cells; with
--image a film of yours, whose cells are those that the plain program finds;
the product is then compared with its own reference. --sizes and --search do
not apply. Rungs are named by words; the first words stand for all rungs that
begin with them: detect (one frame), track (one frame), film (detection in one
frame of ten). plain and openmp are the paper's programs for CPUs; naive,
constant, texture, columns, one-pass, and heaviside, larger, allocation,
partial, two-kernels, one-kernel, persistent its CUDA programs; ours is the
product: cuda, one (thread) and all (threads). A third word is a change to a
program: what the paper tells of (openmp.one-pass, two-kernels.batch-1: the host
checks after every step, persistent.in-turn) or wishes for (larger.pool,
one-kernel.fence, two-kernels.graph). Without a GPU only the rungs of the CPU
run.
Examples:
  tessera study cells
  tessera study cells --rungs track
  tessera study cells --backend cpu --side 200 --json
)";

/// The first frames of the user's film.
StudyFilm users_film(const StudyOptions& options) {
  refuse_side(options, "cells");
  AnyView frames = options.image->view();
  const Size size = frames.size;
  if (frames.type != Type::u8 || size.channels != 1 || size.planes < kFramesADetection ||
      std::min(size.width, size.height) < kLeastSide ||
      std::max(size.width, size.height) > kMostSide)
    refuse_image(options, fmt::format("the study of cells takes films of {} u8 frames or more, "
                                      "grey, with sides from {} to {}",
                                      kFramesADetection, kLeastSide, kMostSide));
  frames.size.planes = std::min(size.planes, kFilmFrames);
  StudyFilm film = film_of_frames(frames, kPaperCells);
  if (film.cells.empty())
    refuse_image(options, fmt::format("the plain program finds no cell in its first frame that "
                                      "stays inside for {} frames",
                                      kFramesADetection));
  return film;
}

StudyFilm checked_film(const StudyOptions& options) {
  refuse_sizes(options, "cells");
  refuse_search(options, "cells");
  if (options.image) return users_film(options);
  if (!options.side) return made_film(640, 480, 110, 219, kPaperCells, kFilmFrames);
  const int side = side_within(options, kLeastSide, kLeastSide, kMostSide);
  const int cells = std::clamp(side * side / kPixelsACell, 1, kPaperCells);
  return made_film(side, side, 0, side, cells, kFilmFrames);
}

void name_cpu(StudyPlaces&, StudyResult& result) {
  result.cpu = fmt::format("{}, {} threads", this_machine().cpu_name, available_threads());
}

/// Frames that a run of the rung processes; its time is given per frame.
int frames_of(const std::string& rung, const CellsCase& problem) {
  const bool ours = rung.find(".ours.") != std::string::npos;
  if (rung.starts_with("detect.")) return 1;
  if (ours) return problem.frames();
  return rung.starts_with("film.") ? kFramesADetection : 1;
}

/// One more run, in which every step is waited for.
void divide_time(const PreparedRung& prepared, const CellsCase& problem, Stream& stream,
                 StudyRow& row, CellsCosts& costs) {
  TimeSplit split;
  problem.watched() = &split;
  const auto start = std::chrono::steady_clock::now();
  prepared.run(stream);
  stream.wait();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  problem.watched() = nullptr;
  if (split.launches == 0) return;  // the product launches its own
  costs.launch_waits[row.rung] = split.kernels / static_cast<double>(split.launches);
  row.kernels = split.kernels / taken.count();
  row.copies = split.copies / taken.count();
  row.allocation = split.allocation / taken.count();
  row.launches = static_cast<int>(split.launches / frames_of(row.rung, problem));
}

StudyRow run(const CellsRung& rung, const CellsCase& problem, Stream& stream, CellsCosts& costs) {
  return run_rung(rung, problem, stream, {}, [&](const PreparedRung& prepared, StudyRow& row) {
    scale_times(row, 1.0 / frames_of(rung.id, problem));
    if (row.launches) row.launches = *row.launches / frames_of(rung.id, problem);
    if (stream.device() != kHost) divide_time(prepared, problem, stream, row, costs);
  });
}

StudyRow row_of(const CellsRung& rung, const CellsCase& problem, StudyPlaces& places,
                CellsCosts& costs) {
  if (stands_in(cells_cpu_rungs(), &rung)) {
    StudyRow row = run(rung, problem, places.host, costs);
    if (rung.id == "detect.plain") costs.detection = timed_detection(problem);
    if (rung.id == "track.plain") costs.tracking = timed_tracking(problem);
    return row;
  }
  if (places.device) return run(rung, problem, *places.device, costs);
  return row_without_device(rung, problem);
}

const bool study_entered =
    add_study({"cells",
               "Climb again from plain C to one block per cell: finding and following "
               "white blood cells.",
               kNotes,
               run_cells_study,
               {},
               "a film of u8 frames, grey, instead of the synthetic one; its first 60 frames"});

}  // namespace

StudyResult run_cells_study(const StudyOptions& options, const StudyProgress& progress) {
  const std::vector<const CellsRung*> rungs =
      wanted_rungs(options, cells_cuda_rungs(), cells_cpu_rungs());
  StudyResult result{.study = "cells", .first = "detect.plain"};
  const CellsCase problem(checked_film(options));
  StudyPlaces places = open_places(options, rungs, cells_cpu_rungs(), result, name_cpu, false);
  CellsCosts costs;
  if (places.device)
    costs.calls = measure_device_calls(places.device->device(), kFieldSamples * sizeof(float));
  for (const CellsRung* rung : rungs) {
    if (progress) progress(std::ssize(result.rows), std::ssize(rungs));
    result.rows.push_back(row_of(*rung, problem, places, costs));
    result.rows.back().published =
        published_text(published_figures("cells"), rung->id, 0, 0, {"over_c", "slower_than_c"});
  }
  result.compared = cells_compared(result, !options.side && !options.image, costs);
  result.verdict = cells_verdict(result);
  result.tables = fmt::format("cells: {}frames of {}x{}, detection in {}\n",
                              options.image ? options.image_name + ", " : "", problem.width(),
                              problem.frame_height(), problem.name()) +
                  cells_tables(result);
  return result;
}

}  // namespace tessera
