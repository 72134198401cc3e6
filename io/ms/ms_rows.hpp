// SPDX-License-Identifier: Apache-2.0
/// Integrations as the rows of a Measurement Set.
#pragma once

#include <vector>

#include "core/pools.hpp"
#include "io/ms/ms.hpp"
#include "io/ms/ms_interface.h"

namespace tessera {

/// Rows of one integration after the other, in order; each lasts until the next is made.
class MsRows {
 public:
  MsRows(int antennas, int polarisations, int channels);

  long long baselines() const { return static_cast<long long>(first_.size()); }
  /// The most that `make` gives.
  long long most() const { return most_; }
  /// Rows from `row` on, some megabytes of them at most.
  TesseraMsRows make(const UvfitsIntegration& in, long long row);

 private:
  template <class Part>
  void fill(const UvfitsIntegration& in, long long row, long long count);
  long long samples_of(const UvfitsIntegration& in, long long place) const;

  int polarisations_, products_;
  long long channels_, most_;
  std::vector<int> first_, second_;  ///< antennas of all baselines
  std::vector<double> uvw_;
  std::vector<float> weights_;
  Scratch data_;
};

}  // namespace tessera
