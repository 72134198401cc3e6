// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_assignment.hpp"

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

/// The Hungarian method with potentials: rows are added one by one, each by the cheapest path
/// through rows that already have a column. There must not be more rows than columns; costs are
/// minus weights.
class Hungarian {
 public:
  explicit Hungarian(const AssignmentTable& weights)
      : weights_(weights),
        row_potential_(size(weights.rows())),
        column_potential_(size(weights.columns())),
        row_of_(size(weights.columns()), -1),
        before_(size(weights.columns())) {}

  /// The row of every column, -1 for none.
  const std::vector<int>& solve() {
    for (int row = 0; row < weights_.rows(); ++row) take_in(row);
    return row_of_;
  }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  // Dijkstra's search from the new row to the nearest free column.
  void take_in(int row) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> distance(row_of_.size(), kFar);
    std::vector<int> reached;
    std::vector<bool> done(row_of_.size());
    int from = -1, at_row = row;
    double path = 0;
    for (;;) {
      int next = -1;
      for (int column = 0; column < weights_.columns(); ++column) {
        const std::size_t k = size(column);
        if (done[k]) continue;
        const double there = path - std::max(0.0, weights_.at(at_row, column)) -
                             row_potential_[size(at_row)] - column_potential_[k];
        if (there < distance[k]) {
          distance[k] = there;
          before_[k] = from;
        }
        if (next < 0 || distance[k] < distance[size(next)]) next = column;
      }
      path = distance[size(next)];
      done[size(next)] = true;
      reached.push_back(next);
      if (row_of_[size(next)] < 0) break;
      from = next;
      at_row = row_of_[size(next)];
    }
    row_potential_[size(row)] += path;
    for (const int column : reached) {
      const double shorter = path - distance[size(column)];
      column_potential_[size(column)] -= shorter;
      if (row_of_[size(column)] >= 0) row_potential_[size(row_of_[size(column)])] += shorter;
    }
    turn_over(reached.back(), row);
  }

  // Every row on the path moves to the next column; the new row takes the first.
  void turn_over(int column, int row) {
    for (; before_[size(column)] >= 0; column = before_[size(column)])
      row_of_[size(column)] = row_of_[size(before_[size(column)])];
    row_of_[size(column)] = row;
  }

  const AssignmentTable& weights_;
  std::vector<double> row_potential_, column_potential_;
  std::vector<int> row_of_, before_;
};

AssignmentTable transposed(const AssignmentTable& weights) {
  AssignmentTable other(weights.columns(), weights.rows());
  for (int row = 0; row < weights.rows(); ++row)
    for (int column = 0; column < weights.columns(); ++column)
      other.at(column, row) = weights.at(row, column);
  return other;
}

}  // namespace

std::vector<int> best_assignment(const AssignmentTable& weights) {
  std::vector<int> column_of(static_cast<std::size_t>(weights.rows()), -1);
  if (weights.rows() == 0 || weights.columns() == 0) return column_of;
  const bool wide = weights.rows() <= weights.columns();
  const AssignmentTable table = wide ? weights : transposed(weights);
  const std::vector<int> row_of = Hungarian(table).solve();
  for (int k = 0; k < table.columns(); ++k) {
    const int other = row_of[static_cast<std::size_t>(k)];
    if (other < 0) continue;
    const int row = wide ? other : k, column = wide ? k : other;
    // A pair of weight 0 counts as no pair: such rows stay single.
    if (weights.at(row, column) > 0) column_of[static_cast<std::size_t>(row)] = column;
  }
  return column_of;
}

}  // namespace tessera
