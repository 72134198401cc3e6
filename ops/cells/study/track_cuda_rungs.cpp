// SPDX-License-Identifier: Apache-2.0
// The published CUDA programs for tracking: from rung to rung less stays on the host.
// Edges before and stars after the solver are the host's in all of them.
#include <fmt/format.h>

#include "ops/cells/study/cells_rungs.hpp"
#include "ops/cells/study/track_args.cuh"
#include "ops/cells/study/track_solvers.hpp"

namespace tessera {
namespace {

using Solver = std::function<int(const MgvfKernels&, WatchedDevice&, const double*, double*)>;

using FrameSolver =
    std::function<void(const TrackedFrame&, const MgvfKernels&, WatchedDevice&, Tracked&)>;

/// The kernels of a rung, and its solver for one cell after the other, or for a frame.
struct TrackProgram {
  std::string unit;
  std::vector<std::string> entries;
  Solver solve;
  int threads = kMgvfThreads;
  MemoryFrom memory = MemoryFrom::driver;
  unsigned together = 0;  ///< blocks that must be on the device at once
  FrameSolver solve_frame = track_persistent;
  bool in_graph = false;
};

PreparedRung prepare(const CellsCase& c, const TrackProgram& program, Stream& stream) {
  // Older drivers cannot load its kernels.
  if (const std::string reason = program.in_graph ? why_no_graph_loops() : ""; !reason.empty())
    return {.absent = reason};
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
  if (program.together > 0) {
    const int blocks = kernels.front()->blocks_at_once(program.threads, 0);
    if (blocks < static_cast<int>(program.together))
      rung.absent = fmt::format("its {} blocks must be on the device at once, which holds {}",
                                program.together, blocks);
  }
  rung.run = [&c, program, kernels](Stream& on) {
    WatchedDevice device(on, c.watched(), program.memory);
    if (!program.solve) return program.solve_frame(c.next_frame(), kernels, device, c.tracked());
    track_in_turn(
        c.next_frame(),
        [&](const double* edges, const StudyWindow&, double* field) {
          return program.solve(kernels, device, edges, field);
        },
        c.tracked());
  };
  return rung;
}

CellsRung track_rung(const std::string& id, const std::string& title, const TrackProgram& program) {
  return {"track." + id, title,
          cells_ladder_files({"track_args.", "mgvf_sample.", program.unit + "."}),
          [program](const CellsCase& c, Stream& stream) { return prepare(c, program, stream); }};
}

/// The program with one or two kernels, with another number of launches between checks.
CellsRung batch_rung(const std::string& id, const std::string& title, TrackProgram program,
                     decltype(&solve_one_kernel) solve, int launches) {
  program.solve = [=](const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                      double* field) { return solve(kernels, device, edges, field, launches); };
  return track_rung(id, title, program);
}

/// Programs that the paper tells of besides its ladder, or wishes for.
std::vector<CellsRung> further_rungs(const TrackProgram& heaviside, const TrackProgram& larger,
                                     const TrackProgram& two, const TrackProgram& one,
                                     const TrackProgram& persistent) {
  TrackProgram heaviside_pool = heaviside, larger_pool = larger, in_turn = persistent;
  heaviside_pool.memory = larger_pool.memory = MemoryFrom::pool;
  in_turn.solve = solve_by_one_block;
  TrackProgram fence{"t8_fence", {"mgvf_fence"}, solve_with_fence};
  fence.together = kFieldBlocks;
  TrackProgram graph{"t9_graph", {"mgvf_graph_step", "mgvf_graph_check"}, nullptr};
  graph.solve_frame = track_by_graph;
  graph.in_graph = true;
  const char *const each = "the host checks after every step", *const ten = "after 10 launches",
                    *const hundred = "after 100 launches";
  return {track_rung("heaviside.pool", "memory from the stream's pool", heaviside_pool),
          track_rung("larger.pool", "memory from the stream's pool", larger_pool),
          batch_rung("two-kernels.batch-1", each, two, solve_two_kernels, 1),
          batch_rung("two-kernels.batch-10", ten, two, solve_two_kernels, 10),
          batch_rung("two-kernels.batch-100", hundred, two, solve_two_kernels, 100),
          batch_rung("one-kernel.batch-1", each, one, solve_one_kernel, 1),
          batch_rung("one-kernel.batch-10", ten, one, solve_one_kernel, 10),
          batch_rung("one-kernel.batch-100", hundred, one, solve_one_kernel, 100),
          track_rung("one-kernel.fence", "blocks wait for each other", fence),
          track_rung("two-kernels.graph", "a loop on the device launches", graph),
          track_rung("persistent.in-turn", "one block, cells in turn", in_turn)};
}

}  // namespace

std::vector<CellsRung> track_cuda_rungs() {
  // Default arguments are not part of a function's type.
  const auto by_thirty = [](auto solve) -> Solver {
    return [solve](const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                   double* field) { return solve(kernels, device, edges, field, kLaunchesInARow); };
  };
  const TrackProgram heaviside{"t1_heaviside", {"heaviside_of_all"}, solve_heaviside};
  const TrackProgram larger{"t2_mgvf_step", {"mgvf_step"}, solve_larger_kernel};
  const TrackProgram two{
      "t5_two_kernels", {"mgvf_step_unless_done", "finish_sum"}, by_thirty(solve_two_kernels)};
  const TrackProgram one{"t6_one_kernel", {"mgvf_sum_then_step"}, by_thirty(solve_one_kernel)};
  const TrackProgram persistent{"t7_persistent", {"mgvf_persistent"}, nullptr, kPersistentThreads};
  std::vector<CellsRung> rungs{
      track_rung("heaviside", "one kernel per Heaviside call", heaviside),
      track_rung("larger", "one kernel per step", larger),
      track_rung("allocation", "memory once per cell",
                 {"t2_mgvf_step", {"mgvf_step"}, solve_reduced_allocation}),
      track_rung("partial", "sums of blocks",
                 {"t4_partial_sums", {"mgvf_step_partial"}, solve_partial_reduction}),
      track_rung("two-kernels", "the whole sum, 2 kernels", two),
      track_rung("one-kernel", "the whole sum, 1 kernel", one),
      track_rung("persistent", "one block per cell, all at once", persistent)};
  for (CellsRung& rung : further_rungs(heaviside, larger, two, one, persistent))
    rungs.push_back(std::move(rung));
  return rungs;
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
