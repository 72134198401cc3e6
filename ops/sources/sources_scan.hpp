// SPDX-License-Identifier: Apache-2.0
/// What a catalogue keeps while rows pass: islands, the pixels in and around them, and samples of
/// the noise. Everything kept at the end depends on the image alone, not on how its rows came.
#pragma once

#include <deque>
#include <vector>

#include "ops/sources/sources_noise.hpp"
#include "ops/sources/sources_problem.hpp"
#include "ops/sources/sources_runs.hpp"
#include "tessera/sources.hpp"

namespace tessera {

/// Pixels of runs, one run after the other, in row order.
struct SourcePixels {
  std::vector<SourceRun> runs;
  std::vector<SourcePixel> values;
};

/// Islands of one sign, and the pixels at most `margin` away from them.
class SourceFinder {
 public:
  SourceFinder(const SourcesProblem& problem, int sign) : problem_(&problem), sign_(sign) {}

  int sign() const { return sign_; }
  /// Rows that begin with row `first` of the image, with their marks.
  void add(const SourceRows& rows, int first, SourceBits& bits);
  /// After the last row: pixels of islands without a seed are dropped.
  void finish(int rows);
  long long bytes() const;

  SourceIslands& islands() { return islands_; }
  /// After finish: runs of islands that count, in row order, and all pixels around them.
  std::vector<SourceRun> runs_that_count();
  const SourcePixels& pixels() const { return kept_; }

 private:
  struct Row {
    int y = 0;
    std::vector<SourcePixel> values;
  };
  void find_runs(const SourceRows& rows, int row, int y, SourceBits& bits);
  void keep_until(int row, int rows_seen, const SourceRows& rows, int first);
  bool counts(std::size_t run);

  const SourcesProblem* problem_;
  int sign_;
  SourceIslands islands_;
  std::deque<Row> waiting_;  ///< the last `margin` rows of earlier calls
  SourcePixels kept_;
  int done_ = 0;  ///< rows whose pixels were kept if near an island
  std::size_t forget_at_ = 1 << 16;
};

struct SourceScan::Impl {
  explicit Impl(const SourcesProblem& problem);

  std::vector<SourceFinder> finders;  ///< sources above the background, and below if asked for
  SourceNoiseSamples samples;
  long long valid = 0;
  int rows = 0;
  long long bytes() const;
};

}  // namespace tessera
