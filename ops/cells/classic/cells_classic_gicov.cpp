// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/parallel.hpp"
#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

/// Sums over a circle, for all centres of a row at once.
class CircleSums {
 public:
  CircleSums(const ClassicGradient& gradient, int y)
      : gradient_(gradient),
        y_(y),
        count_(static_cast<std::size_t>(gradient.x.width - 2 * kClassicMargin)),
        mean_(count_),
        variance_(count_) {}

  /// In two passes, as published: deviations from the mean are squared one by one.
  void run(const ClassicCircle& circle) {
    mean_.assign(count_, 0);
    variance_.assign(count_, 0);
    for_samples(circle, [this](std::size_t k, double slope) { mean_[k] += slope; });
    for (double& mean : mean_) mean /= kClassicSamples;
    for_samples(circle, [this](std::size_t k, double slope) {
      const double deviation = slope - mean_[k];
      variance_[k] += deviation * deviation;
    });
    for (double& variance : variance_) variance /= kClassicSamples - 1;
  }

  std::size_t count() const { return count_; }
  double mean(std::size_t k) const { return mean_[k]; }
  double variance(std::size_t k) const { return variance_[k]; }

 private:
  template <class Take>
  void for_samples(const ClassicCircle& circle, Take take) const {
    const auto& direction = classic_directions<kClassicSamples>();
    for (std::size_t n = 0; n < kClassicSamples; ++n) {
      const int x = kClassicMargin + circle.x[n], y = y_ + circle.y[n];
      const double* gx = gradient_.x.row(y) + x;
      const double* gy = gradient_.y.row(y) + x;
      for (std::size_t k = 0; k < count_; ++k)
        take(k, gx[k] * direction.x[n] + gy[k] * direction.y[n]);
    }
  }

  const ClassicGradient& gradient_;
  int y_;
  std::size_t count_;
  std::vector<double> mean_, variance_;
};

void score_row(const ClassicGradient& gradient, int y, double* scores) {
  CircleSums sums(gradient, y);
  std::vector<double> best(sums.count());
  for (const ClassicCircle& circle : classic_circles()) {
    sums.run(circle);
    for (std::size_t k = 0; k < sums.count(); ++k) {
      const double mean = sums.mean(k), variance = sums.variance(k);
      // Flat ground gives 0 / 0, which compares as not greater: no score.
      const double score = mean * mean / variance;
      if (!(score > best[k])) continue;
      best[k] = score;
      scores[k] = mean / std::sqrt(variance);
    }
  }
}

}  // namespace

const std::array<ClassicCircle, kClassicCircles>& classic_circles() {
  static const auto made = [] {
    const auto& direction = classic_directions<kClassicSamples>();
    std::array<ClassicCircle, kClassicCircles> circles{};
    for (std::size_t k = 0; k < kClassicCircles; ++k)
      for (std::size_t n = 0; n < kClassicSamples; ++n) {
        const double radius = 8 + 2 * static_cast<double>(k);
        circles[k].x[n] = static_cast<int>(radius * direction.x[n]);
        circles[k].y[n] = static_cast<int>(radius * direction.y[n]);
      }
    return circles;
  }();
  return made;
}

ClassicPlane classic_gicov(const ClassicGradient& gradient, int threads) {
  ClassicPlane scores(gradient.x.width, gradient.x.height);
  const int rows = scores.height - 2 * kClassicMargin;
  if (rows < 1 || scores.width <= 2 * kClassicMargin) return scores;
  parallel_for(rows, threads, [&](int k) {
    const int y = kClassicMargin + k;
    score_row(gradient, y, scores.row(y) + kClassicMargin);
  });
  return scores;
}

}  // namespace tessera
