// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/sources_measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <tuple>

#include "core/parallel.hpp"
#include "ops/sources/fit/sources_errors.hpp"
#include "ops/sources/fit/sources_fit.hpp"
#include "ops/sources/fit/sources_peaks.hpp"
#include "ops/sources/fit/sources_second.hpp"

namespace tessera {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// A residual that noise leaves once in some millions of fits.
constexpr double kPoorFit = 6;
/// A second source in the same pixels that stands out of its errors. Noise does this once in some
/// thousands of fits.
constexpr double kSecondSource = 4.5;

/// Islands in row order, with what their pixels alone tell.
struct IslandFacts {
  std::map<int, std::pair<int, int>> first;  ///< row and column of their first pixels
  std::vector<SourceIslandRun> runs;
};

IslandFacts facts_of(SourceFinder& finder, const SourcesProblem& problem) {
  IslandFacts facts;
  SourceIslands& islands = finder.islands();
  for (std::size_t r = 0; r < islands.runs().size(); ++r) {
    if (!islands.seeded(r) || islands.pixels(r) < problem.options.min_pixels) continue;
    const SourceRun& run = islands.runs()[r];
    const int island = islands.island(r);
    facts.runs.push_back({run, island});
    facts.first.try_emplace(island, run.y, run.x0);
  }
  return facts;
}

double beam_pixels(const SourcesProblem& problem) {
  if (!problem.scale.beam) return 1;
  return std::numbers::pi * problem.scale.beam->major * problem.scale.beam->minor /
         (4 * std::numbers::ln2);
}

/// All sources of a group, with the finder's names of islands.
class GroupSources {
 public:
  GroupSources(const SourcesProblem& problem, SourceGroup& group, const SourceErrorsOf& errors,
               int sign)
      : problem_(problem), group_(group), errors_(errors), sign_(sign) {
    do {
      peaks_ = source_peaks(group, {problem.options.seed, problem.options.rise});
      fits_ = fit_sources(group, peaks_, {problem.margin, problem.scale.beam, errors.noise_pixels});
    } while (give_back_pieces());
    for (std::size_t i = 0; i < group_.size(); ++i)
      if (group_.island[i] >= 0) flags_[group_.island[i]] |= place_flags(i);
    for (const SourcePeak& peak : peaks_) ++counts_[peak.island];
  }

  std::size_t count() const { return peaks_.size(); }

  Source source(std::size_t k) const {
    Source source = measured(k);
    source.flags |= flags_.at(peaks_[k].island);
    if (counts_.at(peaks_[k].island) > 1) source.flags |= SourceFlags::blend;
    if (sign_ < 0) source.flags |= SourceFlags::negative;
    return source;
  }

 private:
  /// The height of a pixel above the Gaussians of brighter sources in other islands.
  double height_above_others(std::size_t k) const {
    const std::size_t top = peaks_[k].top;
    double height = group_.height(top);
    for (std::size_t j = 0; j < peaks_.size(); ++j)
      if (peaks_[j].island != peaks_[k].island && fits_[j].free > 0 &&
          fits_[j].gaussian.a() > fits_[k].gaussian.a() &&
          group_.height(peaks_[j].top) > group_.height(top))
        height -= group_.weight[top] * fits_[j].gaussian.at(group_.x[top], group_.y[top]);
    return height;
  }

  /// Noise breaks pieces off the rim of a wide source. Islands that are such pieces are islands no
  /// more; returns whether there were any.
  bool give_back_pieces() {
    std::map<int, double> heights;
    for (std::size_t k = 0; k < peaks_.size(); ++k) {
      double& highest = heights.try_emplace(peaks_[k].island, 0).first->second;
      highest = std::max(highest, height_above_others(k));
    }
    bool any = false;
    for (std::size_t k = 0; k < peaks_.size(); ++k) {
      if (heights[peaks_[k].island] >= problem_.options.grow) continue;
      for (const std::size_t pixel : peaks_[k].pixels) group_.island[pixel] = -1;
      any = true;
    }
    return any;
  }

  /// At the edge, or next to a blank pixel.
  int place_flags(std::size_t i) const {
    const Size size = problem_.image.size;
    const int x = group_.x[i], y = group_.y[i];
    int flags = 0;
    if (x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1) flags |= SourceFlags::edge;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t next = group_.at(x + dx, y + dy);
        if (next != SourceGroup::kNone && group_.weight[next] == 0) flags |= SourceFlags::blank;
      }
    return flags;
  }

  Source measured(std::size_t k) const {
    const SourcePeak& peak = peaks_[k];
    const SourceFit& fit = fits_[k];
    const SourcePixel& top = group_.pixels[peak.top];
    const double area = beam_pixels(problem_);
    Source s;
    s.island = peak.island;
    s.pixels = static_cast<int>(peak.pixels.size());
    s.x_max = group_.x[peak.top];
    s.y_max = group_.y[peak.top];
    s.top = sign_ * top.d;
    s.background = top.background;
    s.rms = top.rms;
    s.snr = top.d / top.rms;
    const double sum_err = std::sqrt(std::max(0.0, sum_variance(group_, peak.pixels, errors_)));
    s.sum = sign_ * fit.sum / area;
    s.sum_err = sum_err / area;
    const SourceShape moments = shape_of(fit.moments);
    s.a = moments.major / kWidthOfSigma;
    s.b = moments.minor / kWidthOfSigma;
    s.theta = moments.angle;
    s.x = fit.gaussian.x();
    s.y = fit.gaussian.y();
    s.peak = sign_ * fit.gaussian.a();
    if (fit.free == 0) {
      without_fit(s, top);
      return s;
    }
    s.flux = sign_ * fit.gaussian.integral() / area;
    s.shape = shape_of(moments_of(fit.gaussian));
    const double freedom = static_cast<double>(std::ssize(fit.region) - fit.free);
    s.chi2 = fit.chi2 / freedom;
    if (s.chi2 > 1 + kPoorFit * std::sqrt(2 * std::max(1.0, errors_.noise_pixels) / freedom) ||
        has_second_source(k, s.shape))
      s.flags |= SourceFlags::poor_fit;
    if (fit.free < SourceGaussian::kParameters) s.flags |= SourceFlags::fixed_shape;
    set_errors(s, fit, gaussian_covariance(group_, fits_, k, errors_), area);
    return s;
  }

  /// Without a beam it is tried with half the width of the first.
  bool has_second_source(std::size_t k, SourceShape shape) const {
    shape.major /= 2;
    shape.minor /= 2;
    return second_source(group_, fits_[k], peaks_[k].pixels, problem_.scale.beam.value_or(shape),
                         errors_) > kSecondSource;
  }

  static void without_fit(Source& s, const SourcePixel& top) {
    s.flags |= SourceFlags::no_fit;
    s.peak_err = top.rms;
    s.peak = s.top;
    s.flux = s.sum;
    s.flux_err = s.sum_err;
    s.shape = s.shape_err = {kUnknown, kUnknown, kUnknown};
    s.x_err = s.y_err = s.xy_cov = s.chi2 = kUnknown;
  }

  static void set_errors(Source& s, const SourceFit& fit, const std::vector<double>& covariance,
                         double area) {
    const auto n = static_cast<std::size_t>(fit.free);
    const auto variance = [&](const Parameters& slopes) {
      if (covariance.empty()) return kUnknown;
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) sum += slopes[r] * covariance[r * n + c] * slopes[c];
      return sum;
    };
    const auto error = [&](const Parameters& slopes) { return std::sqrt(variance(slopes)); };
    s.peak_err = error({1, 0, 0, 0, 0, 0});
    s.x_err = error({0, 1, 0, 0, 0, 0});
    s.y_err = error({0, 0, 1, 0, 0, 0});
    s.xy_cov = covariance.empty() ? kUnknown : covariance[n + 2];
    Parameters slopes = fit.gaussian.integral_slopes();
    s.flux_err = error(slopes) / area;
    s.shape_err = {0, 0, 0};
    if (n < SourceGaussian::kParameters) return;
    double SourceShape::*const parts[] = {&SourceShape::major, &SourceShape::minor,
                                          &SourceShape::angle};
    for (double SourceShape::*const part : parts) {
      for (std::size_t p = 0; p < n; ++p)
        slopes[p] = p < 3 ? 0 : shape_slope(fit.gaussian, p, part);
      s.shape_err.*part = error(slopes);
    }
  }

  using Parameters = std::array<double, SourceGaussian::kParameters>;

  /// By a small step of p, q or s.
  static double shape_slope(const SourceGaussian& g, std::size_t parameter,
                            double SourceShape::*part) {
    const double step = 1e-4 * std::sqrt(g.determinant());
    SourceGaussian above = g, below = g;
    above.v[parameter] += step;
    below.v[parameter] -= step;
    double change = shape_of(moments_of(above)).*part - shape_of(moments_of(below)).*part;
    if (part == &SourceShape::angle) change = std::remainder(change, 180.0);
    return change / (2 * step);
  }

  const SourcesProblem& problem_;
  SourceGroup& group_;
  const SourceErrorsOf& errors_;
  int sign_;
  std::vector<SourcePeak> peaks_;
  std::vector<SourceFit> fits_;
  std::map<int, int> flags_, counts_;  ///< of islands
};

/// A source with the place of its island's first pixel, by which islands are numbered.
struct Placed {
  std::pair<int, int> first;
  int sign = 1;
  Source source;
};

void number(std::vector<Placed>& found, SourceList& list) {
  std::ranges::sort(found, [](const Placed& a, const Placed& b) {
    const auto key = [](const Placed& p) {
      return std::tuple(p.first, -p.sign, -p.source.snr, p.source.y_max, p.source.x_max);
    };
    return key(a) < key(b);
  });
  const Placed* before = nullptr;
  for (Placed& placed : found) {
    const bool same = before && before->first == placed.first && before->sign == placed.sign;
    list.islands += same ? 0 : 1;
    placed.source.island = static_cast<int>(list.islands);
    placed.source.id = static_cast<int>(std::ssize(list.sources)) + 1;
    list.sources.push_back(placed.source);
    before = &placed;
  }
}

}  // namespace

SourceList measure_sources(const SourcesProblem& problem, SourceScan::Impl& scan, int threads) {
  SourceList list;
  list.valid = scan.valid;
  list.blank = problem.image.size.pixels() - scan.valid;
  for (SourceFinder& finder : scan.finders) {
    finder.finish(scan.rows);
    scan.samples.leave_out(finder.pixels().runs);
  }
  find_source_noise(problem, scan.samples, threads, list);
  // The variance of a median of n normal numbers is pi / 2n.
  const double box = problem.scale.background_pixels;
  const SourceErrorsOf errors{list.lags, list.noise_pixels,
                              box > 0 ? std::numbers::pi / 2 * list.noise_pixels / box : 0};
  std::vector<Placed> found;
  for (SourceFinder& finder : scan.finders) {
    const IslandFacts facts = facts_of(finder, problem);
    std::vector<SourceGroup> groups =
        source_groups(finder.pixels().runs, finder.pixels().values, facts.runs);
    std::vector<std::unique_ptr<GroupSources>> fitted(groups.size());
    parallel_for(static_cast<int>(groups.size()), threads, [&](int g) {
      const auto at = static_cast<std::size_t>(g);
      fitted[at] = std::make_unique<GroupSources>(problem, groups[at], errors, finder.sign());
    });
    // Errors of one group's sources do not wait for each other.
    std::vector<std::pair<const GroupSources*, std::size_t>> sources;
    for (const auto& group : fitted)
      for (std::size_t k = 0; k < group->count(); ++k) sources.emplace_back(group.get(), k);
    std::vector<Source> measured(sources.size());
    parallel_for(static_cast<int>(sources.size()), threads, [&](int s) {
      const auto at = static_cast<std::size_t>(s);
      measured[at] = sources[at].first->source(sources[at].second);
    });
    for (const Source& source : measured)
      found.push_back({facts.first.at(source.island), finder.sign(), source});
  }
  number(found, list);
  return list;
}

}  // namespace tessera
