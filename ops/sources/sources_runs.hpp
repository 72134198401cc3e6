// SPDX-License-Identifier: Apache-2.0
/// Runs of pixels in rows, and the islands they make, while rows pass.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

/// Columns [x0, x1) of row y.
struct SourceRun {
  int y = 0, x0 = 0, x1 = 0;
  int pixels() const { return x1 - x0; }
};

/// Sets that are joined: find() gives the same number for all members.
class SourceSets {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int find(int member);
  /// The lower number stays; returns it.
  int join(int a, int b);
  int count() const { return static_cast<int>(parents_.size()); }

 private:
  std::vector<int> parents_;
};

/// Runs [first, end) of the row before that touch a run, also at corners: both lists ascend, and
/// `first` is where the search for the run before began.
template <class Use>
void for_touching(const std::vector<SourceRun>& runs, std::size_t& first, std::size_t end,
                  const SourceRun& run, Use use) {
  while (first < end && runs[first].x1 < run.x0) ++first;
  for (std::size_t k = first; k < end && runs[k].x0 <= run.x1; ++k) use(k);
}

/// Islands of runs that come row by row.
class SourceIslands {
 public:
  /// The runs of row y, which is after all before, ascending; `seeded` says which have a pixel as
  /// high as the seed.
  void add_row(int y, const std::vector<SourceRun>& runs, const std::vector<bool>& seeded);

  const std::vector<SourceRun>& runs() const { return runs_; }
  int island(std::size_t run) { return sets_.find(static_cast<int>(run)); }
  bool seeded(std::size_t run) { return state_[static_cast<std::size_t>(island(run))].seeded; }
  long long pixels(std::size_t run) { return state_[static_cast<std::size_t>(island(run))].pixels; }
  /// No later row can add to it.
  bool closed(std::size_t run) {
    return state_[static_cast<std::size_t>(island(run))].last_row < last_row_;
  }
  /// Runs of rows [a, b).
  std::pair<std::size_t, std::size_t> between(int a, int b) const;
  /// Forgets runs of closed islands without a seed.
  void forget_unseeded();
  long long bytes() const;

 private:
  struct State {
    int last_row = 0;
    long long pixels = 0;
    bool seeded = false;
  };
  SourceSets sets_;
  std::vector<SourceRun> runs_;
  std::vector<State> state_;  ///< of the run that an island is named after
  int last_row_ = -1;
};

/// The pixels at most `margin` columns and rows away from some runs, as runs in order, within
/// columns [0, width) and rows [first, end).
std::vector<SourceRun> widened(const std::vector<SourceRun>& runs, int margin, int width, int first,
                               int end);

}  // namespace tessera
