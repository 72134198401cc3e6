// SPDX-License-Identifier: Apache-2.0
/// The splits of filters.hpp, for weights in row order.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "tessera/filters.hpp"

namespace tessera {

/// Sides up to which singular values are computed. The larger one takes seconds and must be
/// requested; 64 takes milliseconds, so that planning stays quick.
inline constexpr int kMostSplitSide = 512, kQuickSplitSide = 64;
inline constexpr std::size_t kMostFilterWeights = std::size_t{1} << 26;

FilterSplit split_in_one(const std::vector<double>& weights, int width, int height);
FilterSplit split_in_few(const std::vector<double>& weights, int width, int height, double eps);

/// A split that is computed when it is first needed; safe to call from any thread.
class LazySplit {
 public:
  template <class Find>
  const FilterSplit& get(const Find& find) {
    std::call_once(once_, [&] { split_ = find(); });
    return split_;
  }

 private:
  std::once_flag once_;
  FilterSplit split_;
};

}  // namespace tessera
