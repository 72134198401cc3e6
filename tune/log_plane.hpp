// SPDX-License-Identifier: Apache-2.0
/// A value between measured ones, from a plane fitted to its neighbours. In logarithms a time that
/// is proportional to the product of its numbers is a plane, and any smooth one nearly is between
/// close neighbours.
#pragma once

#include <vector>

namespace tessera {

struct LogNode {
  double distance;      ///< from the requested position
  const double* place;  ///< logarithms of the numbers
  double value;         ///< logarithm of the measured value
};

/// The value at `at`. A node there gives its own (the last of several); slopes are limited to 0…1.
double value_on_plane(std::vector<LogNode> nodes, const std::vector<double>& at);

}  // namespace tessera
