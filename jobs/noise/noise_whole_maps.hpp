// SPDX-License-Identifier: Apache-2.0
/// Whole maps in memory, whose rows come from several ranks (core/ranks.hpp).
#pragma once

#include <vector>

#include "core/strips.hpp"

namespace tessera {

class NoiseWholeMaps : public ViewSink {
 public:
  explicit NoiseWholeMaps(AnyMutableView maps) : ViewSink(maps), maps_(maps) {}

  void write(Rows rows, AnyView from) override;
  /// Joins the rows of all ranks, on each of them.
  void join_ranks();

 private:
  AnyMutableView maps_;
  std::vector<int> own_;  ///< rows of this rank
};

}  // namespace tessera
