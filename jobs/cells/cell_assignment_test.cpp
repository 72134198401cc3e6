// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sample/random.hpp"

namespace tessera {
namespace {

double sum_of(const AssignmentTable& weights, const std::vector<int>& column_of) {
  double sum = 0;
  for (int row = 0; row < weights.rows(); ++row)
    if (const int column = column_of[static_cast<std::size_t>(row)]; column >= 0)
      sum += weights.at(row, column);
  return sum;
}

/// Tries every assignment.
double best_sum(const AssignmentTable& weights, int row, std::vector<bool>& taken) {
  if (row == weights.rows()) return 0;
  double best = best_sum(weights, row + 1, taken);
  for (int column = 0; column < weights.columns(); ++column) {
    const auto k = static_cast<std::size_t>(column);
    if (taken[k]) continue;
    taken[k] = true;
    best = std::max(best, weights.at(row, column) + best_sum(weights, row + 1, taken));
    taken[k] = false;
  }
  return best;
}

TEST(CellAssignment, TakesTheLargerSumNotTheLargestPair) {
  AssignmentTable weights(2, 2);
  weights.at(0, 0) = 5;
  weights.at(0, 1) = 4;
  weights.at(1, 0) = 4;
  weights.at(1, 1) = 1;
  EXPECT_EQ(best_assignment(weights), (std::vector{1, 0}));  // 4 + 4 is more than 5 + 1
}

TEST(CellAssignment, LeavesOutWhatHasNoWeight) {
  AssignmentTable weights(3, 2);
  weights.at(0, 0) = -1;
  weights.at(1, 0) = 2;
  EXPECT_EQ(best_assignment(weights), (std::vector{-1, 0, -1}));
  EXPECT_EQ(best_assignment(AssignmentTable(2, 0)), (std::vector{-1, -1}));
  EXPECT_EQ(best_assignment(AssignmentTable(0, 3)), std::vector<int>{});
}

TEST(CellAssignment, IsAsGoodAsTryingEverything) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random{seed, 1};
    AssignmentTable weights(random.below(7), random.below(7));
    for (int row = 0; row < weights.rows(); ++row)
      for (int column = 0; column < weights.columns(); ++column)
        // Small whole numbers have ties; some weights are 0 or negative.
        weights.at(row, column) = seed % 2 ? random.below(6) - 2 : random.between(-0.5, 1);
    const std::vector<int> column_of = best_assignment(weights);
    std::vector<bool> taken(static_cast<std::size_t>(weights.columns()));
    EXPECT_NEAR(sum_of(weights, column_of), best_sum(weights, 0, taken), 1e-12) << seed;
    std::multiset<int> used(column_of.begin(), column_of.end());
    for (int column = 0; column < weights.columns(); ++column) EXPECT_LE(used.count(column), 1u);
  }
}

}  // namespace
}  // namespace tessera
