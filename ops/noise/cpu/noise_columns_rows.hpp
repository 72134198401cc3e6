// SPDX-License-Identifier: Apache-2.0
/// The rows of a tile, one after another: the number of values in each box, the positions of its
/// quantiles, and the maps made from them.
#pragma once

#include <array>
#include <limits>

#include "ops/noise/cpu/noise_region.hpp"
#include "ops/noise/cpu/noise_slider.hpp"

namespace tessera {

/// The positions of all quantiles of a box; boxes with as many values as the previous one share
/// them.
class NoisePlaces {
 public:
  explicit NoisePlaces(const NoiseProblem& problem) : problem_(problem) {}
  const std::array<QuantilePlace, kMostNoiseQuantiles>& of(int n) {
    if (n == n_) return places_;
    n_ = n;
    for (std::size_t i = 0; i < problem_.orders.size(); ++i)
      places_[i] = problem_.place(problem_.orders[i], n);
    return places_;
  }

 private:
  const NoiseProblem& problem_;
  int n_ = -1;
  std::array<QuantilePlace, kMostNoiseQuantiles> places_{};
};

class NoiseTileRows {
 public:
  NoiseTileRows(const NoiseProblem& problem, const NoiseRegion& region, const NoiseMarks& marks,
                const NoiseRectangle& outputs);

  /// The positions of the quantiles of the next row, found by the slider. False after the last row.
  bool next(NoiseSlider& slider);
  int row() const { return row_; }

  /// Valid values of the row's boxes, 0 where there is no result.
  const int* counts() const { return counts_.data(); }
  const NoiseWanted* wanted(std::size_t order) const {
    return wanted_.data() + order * counts_.size();
  }
  /// A row of the slider's results.
  const NoiseFound* found(std::size_t order) const {
    return found_.data() + order * counts_.size();
  }
  const NoiseLocated* located(std::size_t order) const {
    return located_.data() + order * counts_.size();
  }

 private:
  void count_values();
  void want();

  const NoiseProblem& problem_;
  const NoiseRegion& region_;
  NoiseMarks marks_;
  NoiseRectangle outputs_;
  NoisePlaces places_;
  int row_ = -1;
  std::vector<int> column_counts_, counts_;
  std::vector<NoiseWanted> wanted_;  ///< one row per order, like found_
  std::vector<NoiseLocated> located_;
  std::vector<NoiseFound> found_;
};

}  // namespace tessera
