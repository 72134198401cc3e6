// SPDX-License-Identifier: Apache-2.0
// Levenberg and Marquardt's least squares for each source in turn, with the Gaussians of all others
// subtracted, until none of them moves.
#include "ops/sources/fit/sources_fit.hpp"

#include <algorithm>
#include <cmath>

#include "ops/sources/fit/sources_width.hpp"

namespace tessera {
namespace {

constexpr int kSteps = 60, kRounds = 30;
/// A Gaussian has settled if no parameter moves by more than this share of its error.
constexpr double kSettled = 1e-3;
/// Gaussians count down to this share of the noise.
constexpr double kFaintest = 1e-3;
/// The minimum is reached if a step promises to lower the sum of squares by less, absolute and of
/// what it is: the first is a ten-thousandth of an error, the second is above rounding.
constexpr double kSmallGain = 1e-8, kSmallShare = 1e-13;
/// Narrower ones are single bright pixels: between two pixels nothing is left of them.
constexpr double kNarrowest = 0.2;
/// No source is narrower than the beam, or without a beam than a pixel. A beam in a header may be
/// off by a tenth, noise makes fits narrower by some errors, and below a half errors say nothing.
constexpr double kAsNarrowAsBeam = 0.9, kMuchNarrower = 0.5, kNarrowErrors = 3;
constexpr double kNarrowestWithoutBeam = 1;
/// A Gaussian lower than this share of the source's highest pixel, and than some errors of its own,
/// is not what was found there.
constexpr double kLowPeak = 0.5, kPeakErrors = 5;

using Parameters = std::array<double, SourceGaussian::kParameters>;

class GroupFit {
 public:
  GroupFit(const SourceGroup& group, const std::vector<SourcePeak>& peaks, const SourceFitting& how)
      : group_(group), peaks_(peaks), how_(how), rest_(group.size()) {
    for (std::size_t i = 0; i < group.size(); ++i)
      rest_[i] = group.weight[i] > 0 ? group.height(i) : 0;
    owners_.assign(group.size(), -1);
    for (std::size_t k = 0; k < peaks.size(); ++k)
      for (const std::size_t pixel : peaks[k].pixels) owners_[pixel] = static_cast<int>(k);
    for (std::size_t k = 0; k < peaks.size(); ++k) begin(k);
  }

  std::vector<SourceFit> run() {
    for (std::size_t k = 0; k < fits_.size(); ++k) add(k, -1);
    // A source is fitted again only if one nearby has moved.
    open_.assign(fits_.size(), true);
    do settle();
    while (replace_impossible());
    for (SourceFit& fit : fits_)
      for (const std::size_t i : fit.region)
        fit.residuals.push_back(data(i) - (fits_.size() > 1 ? 0 : modelled(fit, i)));
    return std::move(fits_);
  }

 private:
  void settle() {
    for (int round = 0; round < kRounds && std::ranges::count(open_, true) > 0; ++round)
      for (std::size_t k = 0; k < fits_.size(); ++k) {
        if (!open_[k]) continue;
        open_[k] = false;
        if (fit_again(k) >= kSettled) open_neighbours(k);
      }
  }

  void open_neighbours(std::size_t k) {
    for (std::size_t j = 0; j < fits_.size(); ++j)
      if (j != k && are_near(fits_[j], fits_[k])) open_[j] = true;
  }

  /// Gaussians that only noise can have made get the beam's shape; returns whether there were any.
  bool replace_impossible() {
    bool any = false;
    for (std::size_t k = 0; k < fits_.size(); ++k) {
      SourceFit& fit = fits_[k];
      if (fit.free < SourceGaussian::kParameters) continue;
      if (!is_too_narrow(fit) && !is_not_at_top(fit, peaks_[k].top)) continue;
      add(k, 1);
      double unused = 0;
      fit.gaussian = start_[k];
      fall_back(fit, unused);
      add(k, -1);
      open_neighbours(k);
      any = true;
    }
    return any;
  }

  bool is_too_narrow(const SourceFit& fit) const {
    if (!how_.beam) return shape_of(moments_of(fit.gaussian)).minor < kNarrowestWithoutBeam;
    const RelativeWidth narrowest = narrowest_width(fit.gaussian, *how_.beam);
    if (narrowest.width >= kAsNarrowAsBeam) return false;
    if (narrowest.width < kMuchNarrower) return true;
    const double variance = white_variance(
        fit, {0, 0, 0, narrowest.slopes[0], narrowest.slopes[1], narrowest.slopes[2]});
    return !(narrowest.width + kNarrowErrors * std::sqrt(variance * how_.noise_pixels) >= 1);
  }

  /// The pixel that was found is noise, and the Gaussian made of something else around it.
  bool is_not_at_top(const SourceFit& fit, std::size_t top) const {
    const double height = data(top) + (fits_.size() > 1 ? modelled(fit, top) : 0),
                 peak = group_.weight[top] * fit.gaussian.a();
    if (peak >= kLowPeak * height) return false;
    const double variance = white_variance(fit, {1, 0, 0, 0, 0, 0});
    return !(fit.gaussian.a() >= kPeakErrors * std::sqrt(variance));
  }

  /// The variance of a function of the parameters with these slopes, if the noise is white; NaN:
  /// unknown.
  double white_variance(const SourceFit& fit, const std::vector<double>& slopes) const {
    std::vector<double> matrix, right, solved = slopes;
    normal(fit, fit.gaussian, matrix, right);
    if (!solve_positive(matrix, fit.free, solved)) return std::nan("");
    double variance = 0;
    for (std::size_t p = 0; p < slopes.size(); ++p) variance += slopes[p] * solved[p];
    return variance;
  }

  double modelled(const SourceFit& fit, std::size_t i) const {
    return fit.free == 0 ? 0 : group_.weight[i] * fit.gaussian.at(group_.x[i], group_.y[i]);
  }

  /// The Gaussian of one may reach the region of the other.
  static bool are_near(const SourceFit& a, const SourceFit& b) {
    return std::max(std::abs(a.gaussian.x() - b.gaussian.x()),
                    std::abs(a.gaussian.y() - b.gaussian.y())) <= a.widest + b.widest;
  }

  /// The first guess: moments of the source's own pixels, widened by what the threshold cut off.
  void begin(std::size_t k) {
    const SourcePeak& peak = peaks_[k];
    SourceFit fit;
    fit.left = fit.right = group_.x[peak.top];
    double x = 0, y = 0, lowest = group_.pixels[peak.top].d;
    for (const std::size_t i : peak.pixels) {
      const double d = group_.pixels[i].d;
      fit.sum += d;
      x += d * group_.x[i];
      y += d * group_.y[i];
      lowest = std::min(lowest, d);
      fit.left = std::min(fit.left, group_.x[i]);
      fit.right = std::max(fit.right, group_.x[i]);
      fit.is_cut = fit.is_cut || touches_nothing(i);
    }
    fit.top = group_.y[peak.pixels.front()];
    fit.bottom = group_.y[peak.pixels.back()];
    fit.widest = std::hypot(fit.right - fit.left, fit.bottom - fit.top) + 2 * how_.margin + 1;
    x /= fit.sum;
    y /= fit.sum;
    for (const std::size_t i : peak.pixels) {
      const double share = group_.pixels[i].d / fit.sum, dx = group_.x[i] - x, dy = group_.y[i] - y;
      fit.moments.xx += share * dx * dx;
      fit.moments.xy += share * dx * dy;
      fit.moments.yy += share * dy * dy;
    }
    fit.gaussian.v = {group_.pixels[peak.top].d, x, y, 0, 0, 0};
    // A Gaussian cut off at a share f of its peak has 1 + f ln f / (1 - f) of its variance.
    const double f = std::min(lowest / fit.gaussian.a(), 0.999);
    const double kept = f > 0 ? 1 + f * std::log(f) / (1 - f) : 1;
    const double least = 1.0 / 12 / std::max(kept, 0.1);  // one pixel's
    SourceMoments guess{fit.moments.xx / std::max(kept, 0.1) + least,
                        fit.moments.xy / std::max(kept, 0.1),
                        fit.moments.yy / std::max(kept, 0.1) + least};
    if (how_.beam) {
      const SourceMoments beam = moments_of(*how_.beam);
      if (guess.xx * guess.yy - guess.xy * guess.xy < beam.xx * beam.yy - beam.xy * beam.xy)
        guess = beam;
    }
    set_shape(fit.gaussian, guess);
    fit.free = SourceGaussian::kParameters;
    fit.region = region_of(k);
    start_.push_back(fit.gaussian);
    fits_.push_back(std::move(fit));
  }

  /// Has a neighbour that is blank or outside the image.
  bool touches_nothing(std::size_t i) const {
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t next = group_.at(group_.x[i] + dx, group_.y[i] + dy);
        if (next == SourceGroup::kNone || group_.weight[next] == 0) return true;
      }
    return false;
  }

  /// The source's own pixels, and those near them that no other source has.
  std::vector<std::size_t> region_of(std::size_t k) const {
    std::vector<SourceRun> own;
    for (const std::size_t i : peaks_[k].pixels) {
      const SourceRun pixel{group_.y[i], group_.x[i], group_.x[i] + 1};
      if (!own.empty() && own.back().y == pixel.y && own.back().x1 == pixel.x0)
        ++own.back().x1;
      else
        own.push_back(pixel);
    }
    std::vector<std::size_t> region;
    const SourceRun& last = group_.runs.back();
    int widest = 0;
    for (const SourceRun& run : group_.runs) widest = std::max(widest, run.x1);
    for (const SourceRun& run : widened(own, how_.margin, widest, 0, last.y + 1))
      group_.for_row(run.y, run.x0, run.x1, [&](std::size_t i) {
        if (group_.weight[i] > 0 && (owners_[i] < 0 || owners_[i] == static_cast<int>(k)))
          region.push_back(i);
      });
    return region;
  }

  /// Adds a Gaussian to what is left of the group, or with sign -1 takes it away.
  void add(std::size_t k, int sign) {
    if (fits_.size() == 1 || fits_[k].free == 0) return;
    const SourceGaussian& g = fits_[k].gaussian;
    const double faint = kFaintest * group_.pixels[peaks_[k].top].rms;
    const double across = g.reach_x(faint), down = g.reach_y(faint);
    const auto bounded = [](double value) {
      return static_cast<int>(std::clamp(value, -1e9, 1e9));
    };
    const int first = std::max(group_.runs.front().y, bounded(std::ceil(g.y() - down))),
              last = std::min(group_.runs.back().y, bounded(std::floor(g.y() + down)));
    for (int row = first; row <= last; ++row)
      group_.for_row(
          row, bounded(std::ceil(g.x() - across)), bounded(std::floor(g.x() + across)) + 1,
          [&](std::size_t i) { rest_[i] += sign * group_.weight[i] * g.at(group_.x[i], row); });
  }

  /// The data of a pixel that belong to source k, in sigmas.
  double data(std::size_t i) const { return fits_.size() == 1 ? group_.height(i) : rest_[i]; }

  double fit_again(std::size_t k) {
    SourceFit& fit = fits_[k];
    add(k, 1);
    const SourceGaussian before = fit.gaussian;
    double moved = 0;
    if (fit.free > 0 && !minimise(fit, moved, before)) {
      fit.gaussian = start_[k];
      fall_back(fit, moved);
    }
    add(k, -1);
    return moved;
  }

  void fall_back(SourceFit& fit, double& moved) {
    moved = 1;  // the others must look again
    while (fit.free > 0) {
      fit.free = fit.free == SourceGaussian::kParameters && how_.beam ? 3 : 0;
      if (fit.free == 3) set_shape(fit.gaussian, moments_of(*how_.beam));
      const SourceGaussian start = fit.gaussian;
      double unused = 0;
      if (fit.free == 0 || minimise(fit, unused, start)) return;
      fit.gaussian = start;
    }
  }

  double squares(const SourceFit& fit, const SourceGaussian& g) const {
    double sum = 0;
    for (const std::size_t i : fit.region) {
      const double left = data(i) - group_.weight[i] * g.at(group_.x[i], group_.y[i]);
      sum += left * left;
    }
    return sum;
  }

  /// Normal equations at a Gaussian.
  void normal(const SourceFit& fit, const SourceGaussian& g, std::vector<double>& matrix,
              std::vector<double>& right) const {
    const int n = fit.free;
    matrix.assign(static_cast<std::size_t>(n * n), 0);
    right.assign(static_cast<std::size_t>(n), 0);
    constexpr int kAll = SourceGaussian::kParameters;
    double slope[kAll], sums[kAll][kAll] = {}, to_data[kAll] = {};
    for (const std::size_t i : fit.region) {
      const double weight = group_.weight[i];
      const double left = data(i) - weight * g.slopes(group_.x[i], group_.y[i], slope);
      for (double& value : slope) value *= weight;
      for (int r = 0; r < kAll; ++r) {
        to_data[r] += slope[r] * left;
        for (int c = 0; c <= r; ++c) sums[r][c] += slope[r] * slope[c];
      }
    }
    for (int r = 0; r < n; ++r) {
      right[static_cast<std::size_t>(r)] = to_data[r];
      for (int c = 0; c <= r; ++c) matrix[static_cast<std::size_t>(r * n + c)] = sums[r][c];
    }
    for (int r = 0; r < n; ++r)
      for (int c = r + 1; c < n; ++c)
        matrix[static_cast<std::size_t>(r * n + c)] = matrix[static_cast<std::size_t>(c * n + r)];
  }

  /// Where blanks or the edge cut a source off, a larger one beyond would fit as well: the middle
  /// may then lie outside the source's own pixels by half the beam, but not further. Others, such
  /// as the highest pixels of a wide source in noise, may lie anywhere near.
  bool is_possible(const SourceFit& fit, const SourceGaussian& g) const {
    if (!g.is_one()) return false;
    const SourceShape shape = shape_of(moments_of(g));
    if (shape.minor < kNarrowest * kWidthOfSigma || shape.major > 4 * fit.widest) return false;
    const double at_cut = how_.beam ? std::max(1.0, how_.beam->minor / 2) : 1;
    const double out = fit.is_cut ? at_cut : how_.margin;
    return g.x() >= fit.left - out && g.x() <= fit.right + out && g.y() >= fit.top - out &&
           g.y() <= fit.bottom + out;
  }

  /// False: no minimum was found that is a source.
  bool minimise(SourceFit& fit, double& moved, const SourceGaussian& before) {
    const int n = fit.free;
    if (std::ssize(fit.region) <= n) return false;
    double damping = 1e-3, chi2 = squares(fit, fit.gaussian);
    bool settled = false;
    std::vector<double> matrix, right, step, damped;
    for (int count = 0; count < kSteps && !settled; ++count) {
      normal(fit, fit.gaussian, matrix, right);
      while (damping < 1e12 && !settled) {
        damped = matrix;
        step = right;
        for (int r = 0; r < n; ++r) damped[static_cast<std::size_t>(r * n + r)] *= 1 + damping;
        SourceGaussian next = fit.gaussian;
        if (solve_positive(damped, n, step)) {
          double gain = 0;  // what the step promises
          for (std::size_t r = 0; r < right.size(); ++r) {
            next.v[r] += step[r];
            gain += step[r] * right[r];
          }
          // With much damping small steps say nothing about the minimum.
          settled = damping <= 1 && gain < kSmallGain * (1 + kSmallShare * chi2);
          const double now = is_possible(fit, next) ? squares(fit, next) : -1;
          if (now >= 0 && now <= chi2) {
            fit.gaussian = next;
            chi2 = now;
            damping = std::max(1e-9, damping / 10);
            break;
          }
        }
        damping *= 10;
      }
      if (damping >= 1e12) break;
    }
    fit.chi2 = chi2;
    // A narrow Gaussian at the limit is a bright pixel; one at a cut has its middle somewhere else.
    if ((fit.is_cut && !settled) || !is_possible(fit, fit.gaussian)) return false;
    normal(fit, fit.gaussian, matrix, right);
    moved = 0;
    for (int r = 0; r < n; ++r) {
      const auto at = static_cast<std::size_t>(r);
      const double curvature = matrix[static_cast<std::size_t>(r * n + r)];
      if (!(curvature > 0)) return false;
      moved = std::max(moved, std::abs(fit.gaussian.v[at] - before.v[at]) * std::sqrt(curvature));
    }
    damped = matrix;
    return solve_positive(damped, n, right);
  }

  const SourceGroup& group_;
  const std::vector<SourcePeak>& peaks_;
  const SourceFitting& how_;
  std::vector<double> rest_;  ///< of the data in sigmas, without all Gaussians
  std::vector<int> owners_;   ///< the source that has a pixel; -1: none
  std::vector<SourceFit> fits_;
  std::vector<SourceGaussian> start_;
  std::vector<bool> open_;  ///< to be fitted again
};

}  // namespace

std::vector<SourceFit> fit_sources(const SourceGroup& group, const std::vector<SourcePeak>& peaks,
                                   const SourceFitting& how) {
  return GroupFit(group, peaks, how).run();
}

}  // namespace tessera
