// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ops/cells/study/track_memory.hpp"
#include "ops/cells/study/track_solvers.hpp"

namespace tessera {
namespace {

template <class Args>
LoopKernel loop_kernel(const GpuKernel& kernel, unsigned blocks, const Args& args) {
  LoopKernel one{&kernel, {blocks}, {kMgvfThreads}, std::vector<std::byte>(sizeof(Args))};
  std::memcpy(one.args.data(), &args, sizeof(Args));
  return one;
}

/// An even step and an odd one, each with the kernel that adds up its changes.
std::vector<LoopKernel> two_steps(const MgvfKernels& kernels, const CellMemory& memory,
                                  unsigned long long handle) {
  std::vector<LoopKernel> body;
  for (const int step : {0, 1}) {
    const TrackArgs args = memory.arguments_of(step);
    body.push_back(loop_kernel(*kernels[0], kFieldBlocks, args));
    body.push_back(loop_kernel(*kernels[1], 1, GraphCheckArgs{args, step == 1 ? handle : 0ULL}));
  }
  return body;
}

}  // namespace

void track_by_graph(const TrackedFrame& frame, const MgvfKernels& kernels, WatchedDevice& device,
                    Tracked& made) {
  CellMemory memory(device);
  const auto loop = make_graph_loop(device.device(), [&](unsigned long long handle) {
    return two_steps(kernels, memory, handle);
  });
  track_in_turn(
      frame,
      [&](const double* edges, const StudyWindow&, double* field) {
        memory.start(device, floats_of_field(edges));
        device.launch(*loop);
        const int steps = memory.known(device).steps;
        memory.result(device, steps, field);
        return steps;
      },
      made);
  memory.release(device);
}

}  // namespace tessera
