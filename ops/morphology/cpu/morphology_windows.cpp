// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/cpu/morphology_windows.hpp"

#include <algorithm>
#include <set>

namespace tessera {
namespace {

constexpr int kMostReads = 4;

/// From a window of `from` pixels to one of `to`: pieces side by side, the last one overlapping.
RowWindow widen(int from, int to) {
  RowWindow window{to, (to + from - 1) / from, {}, -1};
  for (int k = 0; k < window.reads; ++k) window.offsets[k] = std::min(k * from, to - from);
  return window;
}

bool contains(const std::vector<WindowTerm>& terms, const WindowTerm& term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

void split_pairs(WindowPlan& plan) {
  std::vector<WindowTerm> next = plan.single;  // those of the lower row, relative to the upper
  for (WindowTerm& term : next) ++term.row;
  for (const WindowTerm& term : plan.single)
    (contains(next, term) ? plan.shared : plan.upper).push_back(term);
  for (const WindowTerm& term : next)
    if (!contains(plan.single, term)) plan.lower.push_back(term);
}

}  // namespace

WindowPlan plan_windows(const std::vector<ElementRun>& runs) {
  std::set<int> lengths;
  for (const ElementRun& run : runs) lengths.insert(run.length);
  WindowPlan plan;
  plan.windows.push_back({1, 0, {}, -1});
  for (const int length : lengths) {
    while (length > kMostReads * plan.windows.back().length)
      plan.windows.push_back(
          widen(plan.windows.back().length, kMostReads * plan.windows.back().length));
    if (length > plan.windows.back().length)
      plan.windows.push_back(widen(plan.windows.back().length, length));
    plan.windows.back().kept = plan.kept++;
  }
  for (const ElementRun& run : runs)
    for (const RowWindow& window : plan.windows)
      if (window.length == run.length && window.kept >= 0)
        plan.single.push_back({run.row, window.kept, run.first});
  split_pairs(plan);
  return plan;
}

}  // namespace tessera
