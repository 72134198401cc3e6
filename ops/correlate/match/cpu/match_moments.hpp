// SPDX-License-Identifier: Apache-2.0
/// The spread of every window of an image: sums of squared differences from the window's own mean.
#pragma once

#include "ops/correlate/match/match_problem.hpp"

namespace tessera {

/// Means of many windows, and their sums of squared differences from them.
struct Moments {
  double* mean = nullptr;
  double* squares = nullptr;

  Moments at(long long offset) const { return {mean + offset, squares + offset}; }
};

/// Windows of `count` samples each.
struct CountedMoments {
  Moments moments;
  double count = 0;
};

/// to = the moments of windows a and b together, for n windows. With d the difference of the means
/// (Chan, Golub, LeVeque 1979):
///
///     mean = mean a + d nb / n,  squares = squares a + squares b + d^2 na nb / n
///
/// All terms of squares are positive, so nothing cancels, whatever the mean; equal samples give
/// exactly 0. `to` may be a, and may be b if it lies before it.
using MergeMoments = void (*)(const CountedMoments& a, const CountedMoments& b, Moments to,
                              long long n);
MergeMoments merge_moments_function();

/// The spread of the windows of the template's size that begin at columns [first, first + columns)
/// and rows [0, rows) of `pixels`, all of whose samples count.
class WindowSpread {
 public:
  WindowSpread(const MatchProblem& problem, int columns, int rows);
  /// Memory that find() works in.
  std::size_t scratch_bytes() const;
  /// Row y lies at result.squares + y * columns of the most.
  Moments find(const MatchPixels& pixels, int first, int columns, int rows, double* scratch) const;

 private:
  void across(const MatchPixels& pixels, int columns, Moments line, Moments to, Moments more) const;
  Moments down(Moments levels, Moments sums, int columns, int rows) const;

  int width_, height_, channels_, most_columns_, most_rows_;
  MergeMoments merge_;
};

}  // namespace tessera
