// SPDX-License-Identifier: Apache-2.0
/// How many samples pairs of inputs were valid in.
#pragma once

#include <vector>

#include "tessera/xengine.hpp"

namespace tessera {

/// A matrix of pairs is made only when some input was not valid.
class XEngineCounts {
 public:
  void add(const VoltageBlock& block, int inputs, int threads);
  void clear() { *this = {}; }
  /// As XEngineDump::valid. Empty: everything was valid.
  std::vector<long long> values(const XEngineShape& shape, VisibilityOrder order,
                                int average) const;

 private:
  long long everywhere_ = 0;      ///< samples all inputs were valid in
  std::vector<long long> pairs_;  ///< and those of masks: [i][j], j <= i
};

}  // namespace tessera
