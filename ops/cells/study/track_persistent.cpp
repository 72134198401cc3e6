// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/cells/study/track_solvers.hpp"

namespace tessera {
namespace {

using Floats = std::vector<float>;

/// Windows of all cells, one after the other.
Floats edges_of_all(const TrackedFrame& frame) {
  Floats edges;
  std::vector<double> of_one(kFieldSamples);
  for (const StarCell& cell : frame.cells) {
    plain_edges(frame.samples, frame.width, whole_window(frame, cell), of_one.data());
    for (const double edge : of_one) edges.push_back(static_cast<float>(edge));
  }
  return edges;
}

void solve_all(const MgvfKernels& kernels, WatchedDevice& device, const Floats& edges,
               Floats& fields, std::vector<MgvfState>& states) {
  Scratch given = device.allocate(edges.size() * sizeof(float));
  Scratch made = device.allocate(edges.size() * sizeof(float));
  Scratch known = device.allocate(states.size() * sizeof(MgvfState));
  device.upload(edges.data(), edges.size(), given);
  TrackArgs args = {};
  args.edges = given.as<const float>();
  args.to = made.as<float>();
  args.state = known.as<MgvfState>();
  args.width = kFieldWidth;
  args.height = kFieldHeight;
  args.limit = kMgvfLimit;
  device.launch(*kernels[0], static_cast<unsigned>(states.size()), kPersistentThreads, args);
  device.download(made, fields.size(), fields.data());
  device.download(known, states.size(), states.data());
  for (Scratch* memory : {&given, &made, &known}) device.release(*memory);
}

}  // namespace

int solve_by_one_block(const MgvfKernels& kernels, WatchedDevice& device, const double* edges,
                       double* field) {
  Floats given, made(kFieldSamples);
  for (int k = 0; k < kFieldSamples; ++k) given.push_back(static_cast<float>(edges[k]));
  std::vector<MgvfState> state(1);
  solve_all(kernels, device, given, made, state);
  std::copy(made.begin(), made.end(), field);
  return state[0].steps;
}

void track_persistent(const TrackedFrame& frame, const MgvfKernels& kernels, WatchedDevice& device,
                      Tracked& made) {
  made = empty_tracked(frame.cells);
  const Floats edges = edges_of_all(frame);
  Floats fields(edges.size());
  std::vector<MgvfState> states(frame.cells.size());
  solve_all(kernels, device, edges, fields, states);
  for (std::size_t k = 0; k < states.size(); ++k) {
    std::copy_n(fields.begin() + static_cast<long>(k * kFieldSamples), kFieldSamples,
                made.fields[k].begin());
    made.mgvf_steps[k] = states[k].steps;
    const StudyWindow window = whole_window(frame, made.cells[k]);
    made.star_steps[k] = plain_star(made.fields[k].data(), window, made.cells[k]);
  }
}

}  // namespace tessera
