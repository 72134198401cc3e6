// SPDX-License-Identifier: Apache-2.0
/// From a box's valid values to its planes, for all estimators.
#pragma once

#include <array>
#include <cmath>

#include "ops/noise/cpu/noise_select.hpp"
#include "ops/noise/noise_problem.hpp"

namespace tessera {

/// Medians and clipping of lists of doubles.
class NoiseListEstimator {
 public:
  using Keys = NoiseKeys<double>;

  double median(const double* values, int count);
  /// The clipped list's background and noise; `values` is consumed.
  void clip(double* values, int count, double* planes);
  void mode(double* values, int count, double* planes);

 private:
  KeySelector<Keys::Key> selector_;
  std::vector<Keys::Key> keys_;
};

template <class T>
class NoiseEstimates {
 public:
  using Keys = NoiseKeys<T>;
  using Key = typename Keys::Key;

  explicit NoiseEstimates(const NoiseProblem& problem) : problem_(problem) {
    if (problem.estimator != NoiseEstimator::iqr)
      values_.resize(static_cast<std::size_t>(problem.box.width) * problem.box.height);
  }

  /// `keys` may be reordered.
  void planes_of(Key* keys, int count, double* planes) {
    if (problem_.estimator == NoiseEstimator::iqr) return by_quantiles(keys, count, planes);
    for (int k = 0; k < count; ++k) values_[k] = Keys::value(keys[k]);
    if (problem_.estimator == NoiseEstimator::mad) return by_mad(keys, count, planes);
    if (problem_.estimator == NoiseEstimator::clip)
      lists_.clip(values_.data(), count, planes);
    else
      lists_.mode(values_.data(), count, planes);
  }

 private:
  void find_quantiles(Key* keys, int count, double* quantiles) {
    std::array<int, kMostPicks> ranks{};
    std::array<Key, kMostPicks> found{};
    std::array<QuantilePlace, kMostNoiseQuantiles> places;
    int wanted = 0;
    const auto want = [&](int rank) {
      if (wanted == 0 || ranks[wanted - 1] < rank) ranks[wanted++] = rank;
    };
    const int orders = static_cast<int>(problem_.orders.size());
    for (int q = 0; q < orders; ++q) {
      places[q] = problem_.place(problem_.orders[q], count);
      want(places[q].index);
      if (places[q].fraction != 0) want(places[q].index + 1);
    }
    selector_.select(keys, count, ranks.data(), wanted, found.data());
    for (int q = 0, k = 0; q < orders; ++q) {
      while (ranks[k] < places[q].index) ++k;
      const double low = Keys::value(found[k]);
      quantiles[q] = places[q].fraction == 0
                         ? low
                         : between(low, Keys::value(found[k + 1]), places[q].fraction);
    }
  }

  void by_quantiles(Key* keys, int count, double* planes) {
    std::array<double, kMostNoiseQuantiles> quantiles;
    find_quantiles(keys, count, quantiles.data());
    for (std::size_t p = 0; p < problem_.planes.size(); ++p) {
      const NoisePlane& plane = problem_.planes[p];
      planes[p] = plane.high < 0 ? quantiles[plane.low]
                                 : (quantiles[plane.high] - quantiles[plane.low]) / plane.divisor;
    }
  }

  void by_mad(Key* keys, int count, double* planes) {
    find_quantiles(keys, count, planes);
    for (int k = 0; k < count; ++k) values_[k] = std::abs(values_[k] - planes[0]);
    planes[1] = kMedianDistanceToSigma * lists_.median(values_.data(), count);
  }

  const NoiseProblem& problem_;
  KeySelector<Key> selector_;
  std::vector<double> values_;
  NoiseListEstimator lists_;
};

}  // namespace tessera
