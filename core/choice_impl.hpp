// SPDX-License-Identifier: Apache-2.0
/// The template of choice.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tessera {

template <class Problem, class Runner, class Seconds>
const Method<Problem, Runner>& choose(const char* operation,
                                      const std::vector<Method<Problem, Runner>>& methods,
                                      const Problem& problem, Backend backend,
                                      const std::string& method, const Machine& machine,
                                      Seconds seconds_of) {
  const Method<Problem, Runner>* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  std::vector<Refusal> reasons;
  bool name_known = method == "auto", on_host = false, on_device = false;
  for (const auto& row : methods) {
    const bool named = method == row.name;
    name_known = name_known || named;
    if (!(named || method == "auto")) continue;
    if (backend != Backend::automatic && backend != row.backend) continue;
    if (const std::string reason = row.refuses(problem); !reason.empty()) {
      reasons.push_back({std::string(name_of(row.backend)), row.name, reason});
      continue;
    }
    (row.backend == Backend::cuda ? on_device : on_host) = true;
    const double seconds = seconds_of(row, problem, machine);
    if (!best || seconds < least) {
      best = &row;
      least = seconds;
    }
  }
  if (on_host && on_device) note_choice_of_backend(problem.device);
  if (best) return *best;
  if (!name_known) {
    std::vector<std::string> known{"auto"};
    for (const auto& row : methods)
      if (std::find(known.begin(), known.end(), row.name) == known.end())
        known.emplace_back(row.name);
    throw_unknown(fmt::format("{}: method", operation), method, known);
  }
  throw Error(ErrorKind::usage,
              reasons.empty()
                  ? fmt::format("{}: backend {} has no method {}; give backend auto or method auto",
                                operation, name_of(backend), method)
                  : fmt::format("{}: no method can run this ({}); give another backend or method",
                                operation, refusals_text(reasons)));
}

template <class Problem, class Runner>
const Method<Problem, Runner>& choose(const char* operation,
                                      const std::vector<Method<Problem, Runner>>& methods,
                                      const Problem& problem, Backend backend,
                                      const std::string& method, const Machine& machine) {
  return choose(operation, methods, problem, backend, method, machine,
                [](const Method<Problem, Runner>& row, const Problem& p, const Machine& m) {
                  return row.seconds(p, m);
                });
}

}  // namespace tessera
