// SPDX-License-Identifier: Apache-2.0
/// How the element's runs are made of running minima along rows ("windows"): each window comes from
/// the previous one by one pass with two to four reads, and every run is one window at some
/// position.
#pragma once

#include <vector>

#include "ops/morphology/morphology_problem.hpp"

namespace tessera {

/// A window of `length` pixels. window(x) = best of the previous window at x + offsets[0..reads).
struct RowWindow {
  int length;
  int reads;       ///< 0: the pixels themselves
  int offsets[4];  ///< in pixels
  int kept;        ///< index among the kept rows; -1: only a step to the next
};

/// A run relative to rows.
struct WindowTerm {
  int row;   ///< of the element
  int kept;  ///< which window
  int first;
  bool operator==(const WindowTerm&) const = default;
};

struct WindowPlan {
  std::vector<RowWindow> windows;  ///< lengths ascending from 1
  int kept = 0;                    ///< windows that runs use
  std::vector<WindowTerm> single;  ///< the terms of one output row, rows counted from its first
  /// The terms of two output rows: of both, only the upper, only the lower.
  std::vector<WindowTerm> shared, upper, lower;
};

WindowPlan plan_windows(const std::vector<ElementRun>& runs);

}  // namespace tessera
