// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/track_solvers.hpp"

#include <algorithm>
#include <cmath>

#include "ops/cells/study/track_memory.hpp"

namespace tessera {
namespace {

using Floats = std::vector<float>;

double changed(const Floats& from, const Floats& to) {
  double change = 0;
  for (std::size_t k = 0; k < from.size(); ++k)
    change += std::abs(static_cast<double>(to[k]) - from[k]);
  return change;
}

/// Whether the iteration ends after `step` steps.
bool is_over(double change, int step) {
  return change / kFieldSamples <= kMgvfTolerance || step == kMostMgvfSteps;
}

/// Launches many steps before the host checks for convergence; `launch` makes one step.
template <class Launch>
int solve_in_batches(WatchedDevice& device, const double* edges, double* field, int batch,
                     Launch launch) {
  CellMemory memory(device);
  memory.start(device, floats_of_field(edges));
  MgvfState state = {};
  for (int step = 0; step < kMostMgvfSteps && !state.done;) {
    const int end = std::min(step + batch, kMostMgvfSteps);
    for (; step < end; ++step) launch(memory.arguments_of(step));
    state = memory.known(device);
  }
  return memory.finish(device, state.done ? state.steps : kMostMgvfSteps, field);
}

}  // namespace

// Differences and sums stay on the host; each of the eight calls allocates memory, copies,
// launches, copies back and releases the memory.
int solve_heaviside(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                    double* field) {
  struct Neighbour {
    int x, y;
    float weight;
  };
  constexpr Neighbour kNeighbours[] = {{0, -1, -1}, {0, 1, 1}, {-1, 0, -1},  {1, 0, 1},
                                       {1, -1, 0},  {1, 1, 2}, {-1, -1, -2}, {-1, 1, 0}};
  const auto heaviside = [&](Floats& values) {
    Scratch in = device.allocate(kFieldBytes), out = device.allocate(kFieldBytes);
    device.upload(values.data(), values.size(), in);
    TrackArgs args = field_arguments();
    args.from = in.as<const float>();
    args.to = out.as<float>();
    device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
    device.download(out, values.size(), values.data());
    device.release(in);
    device.release(out);
  };
  const Floats fixed = floats_of_field(edges);
  Floats from = fixed, to(kFieldSamples), sum, difference(kFieldSamples), step_of;
  for (int step = 1;; ++step) {
    sum.assign(kFieldSamples, 0);
    for (const Neighbour& n : kNeighbours) {
      for (int y = 0; y < kFieldHeight; ++y)
        for (int x = 0; x < kFieldWidth; ++x) {
          const int near_x = std::clamp(x + n.x, 0, kFieldWidth - 1);
          const int near_y = std::clamp(y + n.y, 0, kFieldHeight - 1);
          const int at = y * kFieldWidth + x;
          difference[at] = from[near_y * kFieldWidth + near_x] - from[at];
        }
      step_of = difference;
      for (float& value : step_of) value *= n.weight;
      heaviside(step_of);
      for (int at = 0; at < kFieldSamples; ++at) sum[at] += step_of[at] * difference[at];
    }
    for (int at = 0; at < kFieldSamples; ++at) {
      const float spread = from[at] + 0.1F * sum[at];
      to[at] = spread - 0.2F * fixed[at] * (spread - fixed[at]);
    }
    const bool over = is_over(changed(from, to), step);
    from.swap(to);
    if (!over) continue;
    std::copy(from.begin(), from.end(), field);
    return step;
  }
}

// One launch per step, with everything it needs copied there and back in newly allocated memory.
int solve_larger_kernel(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                        double* field) {
  const Floats fixed = floats_of_field(edges);
  Floats from = fixed, to(kFieldSamples);
  for (int step = 1;; ++step) {
    Scratch memory[3];
    for (Scratch& one : memory) one = device.allocate(kFieldBytes);
    device.upload(fixed.data(), fixed.size(), memory[0]);
    device.upload(from.data(), from.size(), memory[1]);
    TrackArgs args = field_arguments();
    args.edges = memory[0].as<const float>();
    args.from = memory[1].as<const float>();
    args.to = memory[2].as<float>();
    device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
    device.download(memory[2], to.size(), to.data());
    for (Scratch& one : memory) device.release(one);
    const bool over = is_over(changed(from, to), step);
    from.swap(to);
    if (!over) continue;
    std::copy(from.begin(), from.end(), field);
    return step;
  }
}

// The field stays on the device; the host still gets all of it after every step, to add up the
// changes.
int solve_reduced_allocation(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                             double* field) {
  Floats from = floats_of_field(edges), to(kFieldSamples);
  CellMemory memory(device);
  memory.start(device, from);
  for (int step = 0;;) {
    const TrackArgs args = memory.arguments_of(step++);
    device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
    device.download(memory.fields[static_cast<std::size_t>(step % 2)], to.size(), to.data());
    if (is_over(changed(from, to), step)) return memory.finish(device, step, field);
    from.swap(to);
  }
}

int solve_partial_reduction(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                            double* field) {
  CellMemory memory(device);
  memory.start(device, floats_of_field(edges));
  Floats sums(kFieldBlocks);
  for (int step = 0;;) {
    const TrackArgs args = memory.arguments_of(step++);
    device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
    device.download(memory.sums[static_cast<std::size_t>((step - 1) % 2)], sums.size(),
                    sums.data());
    double change = 0;
    for (const float sum : sums) change += sum;
    if (is_over(change, step)) return memory.finish(device, step, field);
  }
}

int solve_two_kernels(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                      double* field, int launches) {
  return solve_in_batches(device, edges, field, std::max(1, launches / 2),
                          [&](const TrackArgs& args) {
                            device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
                            device.launch(*kernels[1], 1, kMgvfThreads, args);
                          });
}

int solve_one_kernel(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                     double* field, int launches) {
  return solve_in_batches(device, edges, field, launches, [&](const TrackArgs& args) {
    device.launch(*kernels[0], kFieldBlocks, kMgvfThreads, args);
  });
}

int solve_with_fence(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                     double* field) {
  CellMemory memory(device);
  memory.start(device, floats_of_field(edges));
  const FenceArgs args{memory.arguments_of(0), memory.arguments_of(1)};
  device.launch_together(*kernels[0], kFieldBlocks, kMgvfThreads, args);
  return memory.finish(device, memory.known(device).steps, field);
}

}  // namespace tessera
