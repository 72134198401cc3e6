// SPDX-License-Identifier: Apache-2.0
/// The device memory of the tracking programs that follow one cell after the other.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "ops/cells/study/track_args.cuh"
#include "ops/cells/study/watched_device.hpp"

namespace tessera {

inline constexpr std::size_t kFieldBytes = kFieldSamples * sizeof(float);

inline std::vector<float> floats_of_field(const double* samples) {
  std::vector<float> floats(kFieldSamples);
  std::transform(samples, samples + kFieldSamples, floats.begin(),
                 [](double sample) { return static_cast<float>(sample); });
  return floats;
}

/// Without pointers.
inline TrackArgs field_arguments() {
  TrackArgs args = {};
  args.width = kFieldWidth;
  args.height = kFieldHeight;
  args.blocks = static_cast<int>(kFieldBlocks);
  args.limit = kMgvfLimit;
  return args;
}

/// Edges, the field before and after a step, sums, and what is known of the result.
struct CellMemory {
  Scratch edges;
  std::array<Scratch, 2> fields, sums;
  Scratch state;

  explicit CellMemory(WatchedDevice& device) {
    for (Scratch* field : {&edges, &fields[0], &fields[1]}) *field = device.allocate(kFieldBytes);
    for (Scratch& sum : sums) sum = device.allocate(kFieldBlocks * sizeof(float));
    state = device.allocate(sizeof(MgvfState));
  }
  /// The field begins as the edges.
  void start(WatchedDevice& device, const std::vector<float>& first) {
    const MgvfState fresh = {};
    device.upload(first.data(), first.size(), edges);
    device.upload(first.data(), first.size(), fields[0]);
    device.upload(&fresh, 1, state);
  }
  /// Arguments of step number `step`.
  TrackArgs arguments_of(int step) const {
    const auto now = static_cast<std::size_t>(step % 2);
    TrackArgs args = field_arguments();
    args.edges = edges.as<const float>();
    args.from = fields[now].as<const float>();
    args.to = fields[1 - now].as<float>();
    args.sums = sums[now].as<float>();
    args.sums_before = sums[1 - now].as<const float>();
    args.state = state.as<MgvfState>();
    args.step = step;
    return args;
  }
  MgvfState known(WatchedDevice& device) const {
    MgvfState now = {};
    device.download(state, 1, &now);
    return now;
  }
  /// Downloads the field after `steps` steps.
  void result(WatchedDevice& device, int steps, double* field) const {
    std::vector<float> last(kFieldSamples);
    device.download(fields[static_cast<std::size_t>(steps % 2)], last.size(), last.data());
    std::copy(last.begin(), last.end(), field);
  }
  void release(WatchedDevice& device) {
    for (Scratch* memory : {&edges, &fields[0], &fields[1], &sums[0], &sums[1], &state})
      device.release(*memory);
  }
  /// Both.
  int finish(WatchedDevice& device, int steps, double* field) {
    result(device, steps, field);
    release(device);
    return steps;
  }
};

}  // namespace tessera
