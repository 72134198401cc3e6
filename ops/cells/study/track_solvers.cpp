// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/track_solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/piece_launch.hpp"

namespace tessera {
namespace {

constexpr std::size_t kFieldBytes = kFieldSamples * sizeof(float);
constexpr unsigned kBlocks = (kFieldSamples + kMgvfThreads - 1) / kMgvfThreads;

using Floats = std::vector<float>;

Floats as_floats(const double* samples) {
  Floats floats(kFieldSamples);
  std::transform(samples, samples + kFieldSamples, floats.begin(),
                 [](double sample) { return static_cast<float>(sample); });
  return floats;
}

TrackArgs arguments() {
  TrackArgs args = {};
  args.width = kFieldWidth;
  args.height = kFieldHeight;
  args.blocks = static_cast<int>(kBlocks);
  args.limit = kMgvfLimit;
  return args;
}

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

/// A cell's memory, taken once: edges, the field before and after a step, sums, known results.
struct CellMemory {
  Scratch edges;
  std::array<Scratch, 2> fields, sums;
  Scratch state;

  CellMemory(WatchedDevice& device, const Floats& first) {
    for (Scratch* field : {&edges, &fields[0], &fields[1]}) *field = device.allocate(kFieldBytes);
    for (Scratch& sum : sums) sum = device.allocate(kBlocks * sizeof(float));
    state = device.allocate(sizeof(MgvfState));
    const MgvfState fresh = {};
    device.upload(first.data(), first.size(), edges);
    device.upload(first.data(), first.size(), fields[0]);
    device.upload(&fresh, 1, state);
  }
  /// Arguments of step number `step`.
  TrackArgs arguments_of(int step) const {
    const auto now = static_cast<std::size_t>(step % 2);
    TrackArgs args = arguments();
    args.edges = edges.as<const float>();
    args.from = fields[now].as<const float>();
    args.to = fields[1 - now].as<float>();
    args.sums = sums[now].as<float>();
    args.sums_before = sums[1 - now].as<const float>();
    args.state = state.as<MgvfState>();
    args.step = step;
    return args;
  }
  /// Downloads the field after `steps` steps, and releases all memory.
  int finish(WatchedDevice& device, int steps, double* field) {
    Floats last(kFieldSamples);
    device.download(fields[static_cast<std::size_t>(steps % 2)], last.size(), last.data());
    std::copy(last.begin(), last.end(), field);
    for (Scratch* memory : {&edges, &fields[0], &fields[1], &sums[0], &sums[1], &state})
      device.release(*memory);
    return steps;
  }
};

/// Launches many steps before the host checks for convergence; `launch` makes one step.
template <class Launch>
int solve_in_batches(WatchedDevice& device, const double* edges, double* field, int batch,
                     Launch launch) {
  CellMemory memory(device, as_floats(edges));
  MgvfState state = {};
  for (int step = 0; step < kMostMgvfSteps && !state.done;) {
    const int end = std::min(step + batch, kMostMgvfSteps);
    for (; step < end; ++step) launch(memory.arguments_of(step));
    device.download(memory.state, 1, &state);
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
    TrackArgs args = arguments();
    args.from = in.as<const float>();
    args.to = out.as<float>();
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
    device.download(out, values.size(), values.data());
    device.release(in);
    device.release(out);
  };
  const Floats fixed = as_floats(edges);
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
  const Floats fixed = as_floats(edges);
  Floats from = fixed, to(kFieldSamples);
  for (int step = 1;; ++step) {
    Scratch memory[3];
    for (Scratch& one : memory) one = device.allocate(kFieldBytes);
    device.upload(fixed.data(), fixed.size(), memory[0]);
    device.upload(from.data(), from.size(), memory[1]);
    TrackArgs args = arguments();
    args.edges = memory[0].as<const float>();
    args.from = memory[1].as<const float>();
    args.to = memory[2].as<float>();
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
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
  Floats from = as_floats(edges), to(kFieldSamples);
  CellMemory memory(device, from);
  for (int step = 0;;) {
    const TrackArgs args = memory.arguments_of(step++);
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
    device.download(memory.fields[static_cast<std::size_t>(step % 2)], to.size(), to.data());
    if (is_over(changed(from, to), step)) return memory.finish(device, step, field);
    from.swap(to);
  }
}

int solve_partial_reduction(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                            double* field) {
  CellMemory memory(device, as_floats(edges));
  Floats sums(kBlocks);
  for (int step = 0;;) {
    const TrackArgs args = memory.arguments_of(step++);
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
    device.download(memory.sums[static_cast<std::size_t>((step - 1) % 2)], sums.size(),
                    sums.data());
    double change = 0;
    for (const float sum : sums) change += sum;
    if (is_over(change, step)) return memory.finish(device, step, field);
  }
}

int solve_two_kernels(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                      double* field) {
  return solve_in_batches(device, edges, field, kLaunchesInARow / 2, [&](const TrackArgs& args) {
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
    device.launch(*kernels[1], 1, kMgvfThreads, args);
  });
}

int solve_one_kernel(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                     double* field) {
  return solve_in_batches(device, edges, field, kLaunchesInARow, [&](const TrackArgs& args) {
    device.launch(*kernels[0], kBlocks, kMgvfThreads, args);
  });
}

}  // namespace tessera
