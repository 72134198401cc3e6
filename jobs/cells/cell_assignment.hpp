// SPDX-License-Identifier: Apache-2.0
/// Assigns rows to columns with the largest sum of weights, exactly.
#pragma once

#include <vector>

namespace tessera {

/// Weights of every row with every column.
class AssignmentTable {
 public:
  AssignmentTable(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        weights_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double& at(int row, int column) { return weights_[place(row, column)]; }
  double at(int row, int column) const { return weights_[place(row, column)]; }

 private:
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int rows_, columns_;
  std::vector<double> weights_;
};

/// The column of every row, -1 for none. Every column occurs at most once, all pairs have weights
/// above 0, and no other assignment has a larger sum of weights.
std::vector<int> best_assignment(const AssignmentTable& weights);

}  // namespace tessera
