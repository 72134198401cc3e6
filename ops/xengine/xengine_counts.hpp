// SPDX-License-Identifier: Apache-2.0
/// The number of samples in which both inputs of a pair were valid.
#pragma once

#include <vector>

#include "tessera/xengine.hpp"

namespace tessera {

/// A matrix of pairs is made only when some input was not valid.
class XEngineCounts {
 public:
  void add(const VoltageBlock& block, int inputs, int threads);
  /// Samples in which no input was valid.
  void add_missing(int inputs);
  void clear() { *this = {}; }
  /// As XEngineDump::valid. Empty: everything was valid.
  std::vector<long long> values(const XEngineShape& shape, VisibilityOrder order,
                                int average) const;

 private:
  long long everywhere_ = 0;      ///< samples in which all inputs were valid
  std::vector<long long> pairs_;  ///< and those of masks: [i][j], j <= i
};

}  // namespace tessera
