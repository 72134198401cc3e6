// SPDX-License-Identifier: Apache-2.0
// Every box separately: one warp or block per point, for all estimators.
//
// Quantiles and distances from the median are found in the sorted order without sorting: counts of
// digits narrow each down. Sums of clip and mode are added within each thread and then up a fixed
// tree, so that they have the same bits however the image is cut.
#pragma once

#include "ops/noise/cuda/noise_box_keys.cuh"

namespace tessera {

/// Statistics of the values left by clipping.
struct NoiseClipped {
  int count;
  double mean, deviation;
  double low, high;  ///< the values left are between these
};

template <class T, int kThreads>
class NoiseBoxEstimate {
 public:
  using Keys = NoiseKeys<T>;
  using Key = typename Keys::Key;
  using Team = NoiseTeam<kThreads>;

  __device__ NoiseBoxEstimate(const NoiseBoxesArgs& a, const NoiseBoxKeys<T, kThreads>& box)
      : a_(a), box_(box) {}

  /// Afterwards order(k) is the k-th quantile of the valid values.
  __device__ void find_orders() const {
    const int picks = noise_picks(a_.rule), each_order = a_.rule.by_rank ? 1 : 2;
    for (int p = Team::thread(); p < picks; p += kThreads)
      Team::memory().pick[p].index =
          min(place(p / each_order).index + p % each_order, box_.count() - 1);
    noise_find_keys<kThreads>(picks, box_.least(), box_.most(),
                              [this](auto use) { box_.each(use); });
  }
  __device__ double order(int k) const {
    if (a_.rule.by_rank) return picked(k);
    return between(picked(2 * k), picked(2 * k + 1), place(k).fraction);
  }
  __device__ double plane(int k) const {
    return noise_plane_of(a_.rule.plane[k], [this](int which) { return order(which); });
  }

  /// The median distance from `middle`.
  __device__ double median_distance(double middle) const {
    using Distance = unsigned long long;
    const auto each = [this, middle](auto use) {
      box_.each([&](Key key) { use(bits_of(fabs(Keys::value(key) - middle))); });
    };
    return bits_median<Distance>(each, box_.count(), [](Distance bits) {
      NoiseKeys<double>::Bits distance;
      distance.key = bits;
      return distance.value;
    });
  }

  /// The values left when none lies more than 3 deviations from the mean, or from the median, which
  /// `median` is at the end.
  __device__ NoiseClipped clipped(bool about_median, double& median) const {
    NoiseClipped left{0, 0, 0, -infinity(), infinity()};
    double low = left.low, high = left.high;
    for (int time = 0;; ++time) {
      const NoiseClipped next = measure(low, high);
      if (next.count == 0 || next.count == left.count) return left;
      left = next;
      if (about_median) median = median_of(left);
      if (time == (about_median ? kModeRounds : kClipRounds)) return left;
      const double middle = about_median ? median : left.mean, reach = kClipSigmas * left.deviation;
      low = middle - reach > low ? middle - reach : low;
      high = middle + reach < high ? middle + reach : high;
    }
  }

 private:
  __device__ static double infinity() {
    NoiseKeys<double>::Bits bits;
    bits.key = 0x7ff0000000000000ULL;
    return bits.value;
  }
  __device__ static unsigned long long bits_of(double value) {
    NoiseKeys<double>::Bits bits;
    bits.value = value;
    return bits.key;
  }

  __device__ QuantilePlace place(int which) const { return a_.rule.place(which, box_.count()); }
  __device__ double picked(int pick) const {
    return Keys::value(static_cast<Key>(Team::memory().pick[pick].low));
  }

  /// The median of the `count` keys given by each(use), as a value.
  template <class AnyKey, class Each, class ValueOf>
  __device__ static double bits_median(const Each& each, int count, const ValueOf& value_of) {
    AnyKey low = static_cast<AnyKey>(~0ULL), high = 0;
    each([&](AnyKey key) {
      low = key < low ? key : low;
      high = key > high ? key : high;
    });
    low = Team::least(low);
    high = Team::most(high);
    const QuantilePlace middle = quantile_place(0.5, count);
    NoisePick* pick = Team::memory().pick;
    Team::sync();  // all have read the previous result
    if (Team::thread() < 2)
      pick[Team::thread()].index = min(middle.index + Team::thread(), count - 1);
    noise_find_keys<kThreads>(2, low, high, each);
    return between(value_of(static_cast<AnyKey>(pick[0].low)),
                   value_of(static_cast<AnyKey>(pick[1].low)), middle.fraction);
  }

  /// use(key) for this thread's keys whose values lie between.
  template <class Use>
  __device__ void each_between(double low, double high, const Use& use) const {
    box_.each([&](Key key) {
      const double value = Keys::value(key);
      if (low < value && value < high) use(key);
    });
  }
  __device__ double median_of(const NoiseClipped& left) const {
    return bits_median<Key>([&](auto use) { each_between(left.low, left.high, use); }, left.count,
                            [](Key key) { return Keys::value(key); });
  }
  __device__ NoiseClipped measure(double low, double high) const {
    int count = 0;
    double sum = 0, squares = 0;
    each_between(low, high, [&](Key key) {
      ++count;
      sum += Keys::value(key);
    });
    count = Team::sum(count);
    const double mean = Team::sum(sum) / count;
    each_between(low, high, [&](Key key) {
      const double distance = Keys::value(key) - mean;
      squares += distance * distance;
    });
    return {count, mean, sqrt(Team::sum(squares) / count), low, high};
  }

  const NoiseBoxesArgs& a_;
  const NoiseBoxKeys<T, kThreads>& box_;
};

/// Background and noise of clip and mode.
template <class T, int kThreads>
__device__ void noise_clipped_planes(bool mode, const NoiseBoxEstimate<T, kThreads>& estimate,
                                     double& background, double& noise) {
  double median = 0;
  const NoiseClipped left = estimate.clipped(mode, median);
  background = mode ? noise_mode_of(left.mean, median, left.deviation) : left.mean;
  noise = left.deviation;
}

/// One block per point.
template <class T, int kThreads>
__device__ void noise_boxes_point(const NoiseBoxesArgs& a) {
  const int x = static_cast<int>(blockIdx.x), y = static_cast<int>(blockIdx.y);
  const int made = a.made.first + y;
  const NoiseBoxKeys<T, kThreads> box(a, a.columns ? a.columns[x] : x,
                                      a.rows ? a.rows[made] : made);
  const bool first = threadIdx.x == 0;
  if (!box.enough() || (!a.rule.nomask && box.blank_pixel())) {
    for (int plane = 0; first && plane < a.rule.planes; ++plane)
      noise_box_store(a, plane, x, y, noise_nothing());
    return;
  }
  const NoiseBoxEstimate<T, kThreads> estimate(a, box);
  double background = 0, noise = 0;
  if (a.way == NoiseBoxWay::quantiles || a.way == NoiseBoxWay::mad) {
    estimate.find_orders();
    if (a.way == NoiseBoxWay::quantiles) {
      for (int plane = 0; first && plane < a.rule.planes; ++plane)
        noise_box_store(a, plane, x, y, estimate.plane(plane));
      return;
    }
    background = estimate.order(0);
    noise = kMedianDistanceToSigma * estimate.median_distance(background);
  } else {
    noise_clipped_planes(a.way == NoiseBoxWay::mode, estimate, background, noise);
  }
  if (!first) return;
  noise_box_store(a, 0, x, y, background);
  noise_box_store(a, 1, x, y, noise);
}

}  // namespace tessera
