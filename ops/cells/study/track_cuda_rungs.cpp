// SPDX-License-Identifier: Apache-2.0
// The published CUDA programs for tracking: from rung to rung less stays on the host.
// Edges before and stars after the solver are the host's in all of them.
#include "ops/cells/study/cells_rungs.hpp"
#include "ops/cells/study/track_args.cuh"
#include "ops/cells/study/track_solvers.hpp"

namespace tessera {
namespace {

using Solver = std::function<int(const MgvfKernels&, WatchedDevice&, const double*, double*)>;

/// The kernels of a rung, and its solver for one cell after the other; without a solver all cells
/// are solved at once.
struct TrackProgram {
  std::string unit;
  std::vector<std::string> entries;
  Solver solve;
  int threads = kMgvfThreads;
};

void track_in_turn(const TrackedFrame& frame, const TrackProgram& program,
                   const MgvfKernels& kernels, WatchedDevice& device, Tracked& made) {
  made = empty_tracked(frame.cells);
  for (int cell = 0; cell < static_cast<int>(frame.cells.size()); ++cell)
    track_cell(
        frame, cell,
        [&](const double* edges, const StudyWindow&, double* field) {
          return program.solve(kernels, device, edges, field);
        },
        made);
}

PreparedRung prepare(const CellsCase& c, const TrackProgram& program, Stream& stream) {
  MgvfKernels kernels;
  for (const std::string& entry : program.entries)
    kernels.push_back(&find_kernel(stream.device(), {program.unit, entry, "", ""}));
  PreparedRung rung;
  rung.truth = truth_of(CellsStage::track, false);
  rung.bound = kFloatFieldBound;
  rung.block_x = program.threads;
  rung.block_y = 1;
  rung.registers = kernels.front()->registers();
  rung.shared_bytes = kernels.front()->static_shared_bytes();
  rung.run = [&c, program, kernels](Stream& on) {
    WatchedDevice device(on, c.watched());
    if (program.solve)
      track_in_turn(c.next_frame(), program, kernels, device, c.tracked());
    else
      track_persistent(c.next_frame(), kernels, device, c.tracked());
  };
  return rung;
}

CellsRung track_rung(const std::string& id, const std::string& title, const TrackProgram& program) {
  return {"track." + id, title,
          cells_ladder_files({"track_args.", "mgvf_sample.", program.unit + "."}),
          [program](const CellsCase& c, Stream& stream) { return prepare(c, program, stream); }};
}

}  // namespace

std::vector<CellsRung> track_cuda_rungs() {
  return {
      track_rung("heaviside", "one kernel per Heaviside call",
                 {"t1_heaviside", {"heaviside_of_all"}, solve_heaviside}),
      track_rung("larger", "one kernel per step",
                 {"t2_mgvf_step", {"mgvf_step"}, solve_larger_kernel}),
      track_rung("allocation", "memory once per cell",
                 {"t2_mgvf_step", {"mgvf_step"}, solve_reduced_allocation}),
      track_rung("partial", "sums of blocks",
                 {"t4_partial_sums", {"mgvf_step_partial"}, solve_partial_reduction}),
      track_rung("two-kernels", "the whole sum, 2 kernels",
                 {"t5_two_kernels", {"mgvf_step_unless_done", "finish_sum"}, solve_two_kernels}),
      track_rung("one-kernel", "the whole sum, 1 kernel",
                 {"t6_one_kernel", {"mgvf_sum_then_step"}, solve_one_kernel}),
      track_rung("persistent", "one block per cell, all at once",
                 {"t7_persistent", {"mgvf_persistent"}, nullptr, kPersistentThreads})};
}

const std::vector<CellsRung>& cells_cuda_rungs() {
  static const std::vector<CellsRung> rungs = [] {
    std::vector<CellsRung> made = detect_cuda_rungs();
    for (CellsRung& rung : track_cuda_rungs()) made.push_back(std::move(rung));
    made.push_back(film_cuda_rung());
    for (CellsRung& rung : our_cells_rungs(Backend::cuda)) made.push_back(std::move(rung));
    return made;
  }();
  return rungs;
}

}  // namespace tessera
