// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/fit/sources_second.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera {
namespace {

/// Not all pixels of wide sources are tried: places closer than a third of the shape tell the
/// same.
constexpr double kPlacesPerWidth = 3;
/// A source at the middle of the fit differs from it by less than this share: there is nothing to
/// see.
constexpr double kSmallestDifference = 1e-4;
constexpr double kFaintestShare = 1e-4;  // of the peak of what is tried

class SecondSource {
 public:
  SecondSource(const SourceGroup& group, const SourceFit& fit, const SourceShape& shape)
      : group_(group), fit_(fit), n_(static_cast<std::size_t>(fit.free)) {
    set_shape(tried_, moments_of(shape));
    slopes_.resize(fit.region.size() * n_);
    normal_.assign(n_ * n_, 0);
    to_left_.assign(n_, 0);
    double slope[SourceGaussian::kParameters];
    for (std::size_t i = 0; i < fit.region.size(); ++i) {
      const std::size_t pixel = fit.region[i];
      fit.gaussian.slopes(group.x[pixel], group.y[pixel], slope);
      double* const row = &slopes_[i * n_];
      for (std::size_t r = 0; r < n_; ++r) {
        row[r] = group.weight[pixel] * slope[r];
        to_left_[r] += row[r] * fit.residuals[i];
        for (std::size_t c = 0; c <= r; ++c) normal_[r * n_ + c] += row[r] * row[c];
      }
    }
    for (std::size_t r = 0; r < n_; ++r)
      for (std::size_t c = r + 1; c < n_; ++c) normal_[r * n_ + c] = normal_[c * n_ + r];
  }

  /// Height over error if the noise is white.
  double ratio_at(std::size_t place) {
    shape_at(place);
    double left = 0, squares = 0;
    std::vector<double> shared(n_, 0);
    for (const auto& [i, value] : values_) {
      left += value * fit_.residuals[i];
      squares += value * value;
      for (std::size_t r = 0; r < n_; ++r) shared[r] += value * slopes_[i * n_ + r];
    }
    change_ = shared;
    std::vector<double> copy = normal_;
    if (!solve_positive(copy, static_cast<int>(n_), change_)) return 0;
    difference_ = squares - std::inner_product(shared.begin(), shared.end(), change_.begin(), 0.0);
    if (!(difference_ > kSmallestDifference * squares)) return 0;
    return (left - std::inner_product(to_left_.begin(), to_left_.end(), change_.begin(), 0.0)) /
           std::sqrt(difference_);
  }

  /// The factor on errors at the place tried last.
  double correlated(const SourceErrorsOf& of) const {
    std::vector<double> pattern(fit_.region.size(), 0);
    for (const auto& [i, value] : values_) pattern[i] = value;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      for (std::size_t r = 0; r < n_; ++r) pattern[i] -= slopes_[i * n_ + r] * change_[r];
    return std::sqrt(std::max(0.0, pattern_variance(group_, fit_.region, pattern, of)) /
                     difference_);
  }

 private:
  /// The second source, at the pixels of the region that it reaches.
  void shape_at(std::size_t place) {
    values_.clear();
    tried_.v[0] = 1;
    tried_.v[1] = group_.x[place];
    tried_.v[2] = group_.y[place];
    const double across = tried_.reach_x(kFaintestShare), down = tried_.reach_y(kFaintestShare);
    const auto first = std::ranges::lower_bound(
        fit_.region, tried_.y() - down, {},
        [&](std::size_t pixel) { return static_cast<double>(group_.y[pixel]); });
    for (auto pixel = first; pixel != fit_.region.end() && group_.y[*pixel] <= tried_.y() + down;
         ++pixel)
      if (std::abs(group_.x[*pixel] - tried_.x()) <= across)
        values_.emplace_back(static_cast<std::size_t>(pixel - fit_.region.begin()),
                             group_.weight[*pixel] * tried_.at(group_.x[*pixel], group_.y[*pixel]));
  }

  const SourceGroup& group_;
  const SourceFit& fit_;
  std::size_t n_;
  SourceGaussian tried_;
  std::vector<double> slopes_, normal_, to_left_, change_;
  std::vector<std::pair<std::size_t, double>> values_;
  double difference_ = 0;
};

}  // namespace

double second_source(const SourceGroup& group, const SourceFit& fit,
                     const std::vector<std::size_t>& places, const SourceShape& shape,
                     const SourceErrorsOf& of) {
  SecondSource second(group, fit, shape);
  const int step = std::max(1, static_cast<int>(shape.minor / kPlacesPerWidth));
  double highest = 0;
  std::size_t best = SourceGroup::kNone;
  for (const std::size_t place : places) {
    if (group.x[place] % step != 0 || group.y[place] % step != 0) continue;
    if (const double ratio = second.ratio_at(place); ratio > highest) {
      highest = ratio;
      best = place;
    }
  }
  if (best == SourceGroup::kNone) return 0;
  second.ratio_at(best);
  const double factor = second.correlated(of);
  return factor > 0 ? highest / factor : 0;
}

}  // namespace tessera
