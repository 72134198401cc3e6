// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_costs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {

PartSeconds timed_detection(const CellsCase& c) {
  PartSeconds parts;
  Detected made;
  detect_by_rows(c, 1, made, {.parts = &parts});
  return parts;
}

PartSeconds timed_tracking(const CellsCase& c) {
  PartSeconds parts;
  const auto solve = [&](const double* edges, const StudyWindow& w, double* field) {
    const PartClock solver(parts.solver);
    return plain_mgvf(edges, w.width, w.height, field);
  };
  Tracked made;
  {
    const PartClock all(parts.all);
    track_in_turn(c.next_frame(), solve, made);
  }
  return parts;
}

std::optional<double> part_percent(const std::optional<PartSeconds>& parts,
                                   double PartSeconds::*part) {
  if (!parts || parts->all <= 0) return std::nullopt;
  return 100 * *parts.*part / parts->all;
}

std::optional<double> launching_percent(const CellsCosts& costs, const std::string& rung) {
  const auto wait = costs.launch_waits.find(rung);
  if (!costs.calls || wait == costs.launch_waits.end() || wait->second <= 0) return std::nullopt;
  return std::min(100.0, 100 * costs.calls->launch_waited / wait->second);
}

std::vector<ComparedFigure> call_figures(const CellsCosts& costs) {
  if (!costs.calls) return {};
  const DeviceCalls& calls = *costs.calls;
  std::vector<ComparedFigure> figures;
  const auto add = [&](const std::string& what, double seconds) {
    figures.push_back({.what = what + ", us", .here = 1e6 * seconds, .digits = 3});
  };
  add("launch of an empty kernel, one after the other", calls.launch);
  add("launch of an empty kernel, waited for", calls.launch_waited);
  add("cuMemAlloc", calls.driver_allocate);
  add("cuMemFree", calls.driver_release);
  add("memory from the stream's pool", calls.pool_allocate);
  add("memory back to the pool", calls.pool_release);
  add("malloc", calls.host_allocate);
  add("free", calls.host_release);
  for (const SmallCopy& copy : calls.copies) {
    add(fmt::format("copy of {} bytes to the device", copy.bytes), copy.up);
    add(fmt::format("copy of {} bytes to the host", copy.bytes), copy.down);
  }
  return figures;
}

}  // namespace tessera
