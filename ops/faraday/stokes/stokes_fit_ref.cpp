// SPDX-License-Identifier: Apache-2.0
// The definition of the fit, pixel by pixel, in another way than the fast paths: powers of the
// frequency as they are in the definition, orthogonal columns (Gram-Schmidt, done twice) instead of
// normal equations, Gauss-Newton steps that are halved until they help.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
#include "ops/faraday/stokes/stokes_fit_problem.hpp"

namespace tessera {
namespace {

using Terms = std::array<double, kStokesTerms>;
using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Orthogonal columns and a triangle, Q R = the columns given.
struct Orthogonal {
  std::vector<Column> q;
  std::array<Terms, kStokesTerms> r{};
  bool independent = true;

  explicit Orthogonal(std::vector<Column> columns) : q(std::move(columns)) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double whole = std::sqrt(dot(q[k], q[k]));
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t j = 0; j < k; ++j) {
          const double part = dot(q[j], q[k]);
          r[j][k] += part;
          for (std::size_t n = 0; n < q[k].size(); ++n) q[k][n] -= part * q[j][n];
        }
      r[k][k] = std::sqrt(dot(q[k], q[k]));
      independent &= r[k][k] > 1e-13 * whole;
      for (double& value : q[k]) value /= r[k][k];
    }
  }

  Terms solve(Terms b) const {
    for (std::size_t k = q.size(); k-- > 0;) {
      for (std::size_t j = k + 1; j < q.size(); ++j) b[k] -= r[k][j] * b[j];
      b[k] /= r[k][k];
    }
    return b;
  }
  /// (R^T R)^-1, from the columns of R^-1.
  std::array<Terms, kStokesTerms> covariance() const {
    std::array<Terms, kStokesTerms> inverse{}, product{};
    for (std::size_t k = 0; k < q.size(); ++k) {
      Terms unit{};
      unit[k] = 1;
      inverse[k] = solve(unit);
    }
    for (std::size_t i = 0; i < q.size(); ++i)
      for (std::size_t j = 0; j < q.size(); ++j)
        for (std::size_t k = 0; k < q.size(); ++k) product[i][j] += inverse[k][i] * inverse[k][j];
    return product;
  }
};

/// The channels of a pixel that count.
struct Spectrum {
  Column frequency, value, sigma;
};

struct Curve {
  Terms c{};
  int order = 0;
  double loss = 0;
  bool robust = false;  ///< the loss is cauchy's
  StokesEnd end = kStokesNotConverged;
};

class ReferenceFit {
 public:
  ReferenceFit(const Spectrum& spectrum, const StokesRule& rule, double reference)
      : spectrum_(spectrum), rule_(rule), reference_(reference) {}

  double at(const Curve& curve, double frequency) const {
    const double x = frequency / reference_, step = rule_.log ? std::log10(x) : x;
    double sum = 0;
    for (int k = curve.order; k > 0; --k) sum = (sum + curve.c[static_cast<std::size_t>(k)]) * step;
    return rule_.log ? curve.c[0] * std::pow(10, sum) : curve.c[0] + sum;
  }

  Curve fit(int order) const {
    Curve curve;
    curve.order = order;
    curve.c[0] = std::accumulate(spectrum_.value.begin(), spectrum_.value.end(), 0.0) /
                 static_cast<double>(spectrum_.value.size());
    curve.loss = loss(curve);
    for (int step = 0; step < 500 && curve.end == kStokesNotConverged; ++step) improve(curve);
    if (!rule_.cauchy || curve.end != kStokesIsFitted) return curve;
    curve.robust = true;  // from the minimum of squares
    curve.end = kStokesNotConverged;
    curve.loss = loss(curve);
    for (int step = 0; step < 500 && curve.end == kStokesNotConverged; ++step) improve(curve);
    return curve;
  }

  /// Derivatives by the coefficients over sigma; `second` weighs them as the errors are defined.
  std::vector<Column> slopes(const Curve& curve, bool second) const {
    std::vector<Column> columns(static_cast<std::size_t>(curve.order) + 1);
    for (std::size_t n = 0; n < spectrum_.value.size(); ++n) {
      const double x = spectrum_.frequency[n] / reference_;
      const double scale =
          std::sqrt(second ? std::max(second_weight(curve, n), 2.220446049250313e-16)
                           : weight(curve, n)) /
          spectrum_.sigma[n];
      const double model = at(curve, spectrum_.frequency[n]) * scale;
      double slope = rule_.log ? model / curve.c[0] : scale;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        columns[k].push_back(slope);
        if (rule_.log && k == 0) slope = model * std::numbers::ln10;
        slope *= rule_.log ? std::log10(x) : x;
      }
    }
    return columns;
  }

 private:
  double residual(const Curve& curve, std::size_t n) const {
    return (spectrum_.value[n] - at(curve, spectrum_.frequency[n])) / spectrum_.sigma[n];
  }
  double z(const Curve& curve, std::size_t n) const {
    return residual(curve, n) * residual(curve, n) / rule_.scale_squared;
  }
  double weight(const Curve& curve, std::size_t n) const {
    return curve.robust ? 1 / (1 + z(curve, n)) : 1;
  }
  double second_weight(const Curve& curve, std::size_t n) const {
    const double t = 1 + z(curve, n);
    return curve.robust ? (2 - t) / (t * t) : 1;
  }
  double loss(const Curve& curve) const {
    double sum = 0;
    for (std::size_t n = 0; n < spectrum_.value.size(); ++n)
      sum += curve.robust ? rule_.scale_squared * std::log1p(z(curve, n))
                          : residual(curve, n) * residual(curve, n);
    return sum;
  }

  double size(const Curve& curve) const {
    double sum = 0;
    for (std::size_t n = 0; n < spectrum_.value.size(); ++n)
      sum += std::pow(at(curve, spectrum_.frequency[n]) / spectrum_.sigma[n], 2);
    return sum;
  }

  void improve(Curve& curve) const {
    const Orthogonal basis(slopes(curve, false));
    if (!basis.independent) {
      curve.end = kStokesIsUndetermined;
      return;
    }
    Column residuals;
    for (std::size_t n = 0; n < spectrum_.value.size(); ++n)
      residuals.push_back(residual(curve, n) * std::sqrt(weight(curve, n)));
    Terms along{};
    for (std::size_t k = 0; k < basis.q.size(); ++k) along[k] = dot(basis.q[k], residuals);
    const double gain = std::inner_product(along.begin(), along.end(), along.begin(), 0.0);
    if (gain <= 1e-18 || gain <= 1e-28 * size(curve)) {  // a step of 1e-9 of the errors
      curve.end = kStokesIsFitted;
      return;
    }
    const Terms step = basis.solve(along);
    for (double share = 1; share > 1e-12; share /= 2) {
      Curve next = curve;
      for (std::size_t k = 0; k < step.size(); ++k) next.c[k] += share * step[k];
      next.loss = loss(next);
      if (!(next.loss <= curve.loss * (1 + 1e-13))) continue;  // to rounding
      curve = next;
      return;
    }
    curve.end = kStokesIsFitted;  // no step helps
  }

  const Spectrum& spectrum_;
  const StokesRule& rule_;
  double reference_;
};

double median_of_column(Column values) {
  const std::size_t half = values.size() / 2;
  std::ranges::sort(values);
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Curve best_curve(const ReferenceFit& fit, const StokesRule& rule, int channels) {
  Curve best = fit.fit(rule.first_order);
  const int last = std::min(rule.last_order, channels - 1);
  for (int order = rule.first_order + 1; order <= last; ++order) {
    const bool is_first = best.end != kStokesIsFitted;
    const Curve next = fit.fit(order);
    const bool better = next.end == kStokesIsFitted && (is_first || 2 + next.loss < best.loss);
    if (!better && !is_first) break;
    best = next;
  }
  return best;
}

template <class T>
class StokesReference : public StokesFitRunner {
 public:
  explicit StokesReference(const StokesFitProblem& problem) : problem_(problem) {}

  void run(const StokesCall& call, Stream& stream) const override {
    const View<T> maps = call.maps.as<T>();
    parallel_for(maps.size.height, stream.threads(), [&](int y) {
      for (int x = 0; x < maps.size.width; ++x) fit_pixel(call, x, y, maps);
    });
  }
  std::string describe() const override { return "double"; }

 private:
  Spectrum spectrum_at(const StokesCall& call, int x, int y) const {
    const StokesCubes cubes = stokes_cubes(call.voxels.i, call.voxels.sigma);
    const StokesColumn<T> column{cubes, problem_.channels.data(), problem_.rule, x, y};
    Spectrum s;
    for (int k = 0; k < problem_.rule.channels; ++k) {
      const double value = column.value(k), sigma = column.sigma(k);
      if (!std::isfinite(value) || !std::isfinite(sigma) || !(sigma > 0)) continue;
      s.frequency.push_back(problem_.frequencies[static_cast<std::size_t>(k)]);
      s.value.push_back(value);
      s.sigma.push_back(sigma);
    }
    return s;
  }

  void fit_pixel(const StokesCall& call, int x, int y, View<T> maps) const {
    const StokesRule& rule = problem_.rule;
    const Spectrum s = spectrum_at(call, x, y);
    const int channels = static_cast<int>(s.value.size());
    StokesPixel pixel;
    pixel.channels = channels;
    if (channels > 0) {
      pixel.median = median_of_column(s.value);
      pixel.median_sigma = median_of_column(s.sigma);
    }
    const int refusal = stokes_refusal(pixel, rule);
    StokesValues v = stokes_no_values(pixel, refusal);
    std::vector<double> model(problem_.frequencies.size(), std::nan(""));
    if (refusal == kStokesIsFitted) fit_spectrum(s, pixel, v, model);
    for (int place = 0; place < kStokesPlaces; ++place)
      maps.at(x, y, 0, place) = static_cast<T>(v.at[place]);
    for (int k = 0; call.model.data && k < rule.channels; ++k)
      call.model.as<T>().at(x, y, 0, k) = static_cast<T>(model[static_cast<std::size_t>(k)]);
  }

  void fit_spectrum(const Spectrum& s, const StokesPixel& pixel, StokesValues& v,
                    std::vector<double>& model) const {
    const StokesRule& rule = problem_.rule;
    double squares = 0;
    for (const double f : s.frequency) squares += 1 / (f * f);
    const double reference =
        rule.reference > 0 ? rule.reference : 1 / std::sqrt(squares / pixel.channels);
    const ReferenceFit fit(s, rule, reference);
    const Curve best = best_curve(fit, rule, pixel.channels);
    v.at[kStokesStatus] = best.end;
    if (best.end != kStokesIsFitted) return;
    std::vector<double> values;
    for (const double f : problem_.frequencies) values.push_back(fit.at(best, f));
    const auto [least, most] = std::ranges::minmax(values);
    const bool finite = std::ranges::all_of(values, [](double m) { return std::isfinite(m); });
    if (!finite || !is_stokes_divisor(least, most, pixel.floor(rule.floor))) {
      v.at[kStokesStatus] = kStokesBelowFloor;
      return;
    }
    model = values;
    const auto covariance = Orthogonal(fit.slopes(best, true)).covariance();
    for (std::size_t i = 0; i < kStokesTerms; ++i) {
      v.at[static_cast<std::size_t>(kStokesCoefficient) + i] = best.c[i];
      v.at[static_cast<std::size_t>(kStokesError) + i] = std::sqrt(covariance[i][i]);
      for (std::size_t j = 0; j <= i; ++j)
        v.at[static_cast<std::size_t>(kStokesCovariance) + i * (i + 1) / 2 + j] = covariance[i][j];
    }
    stokes_alpha(rule.log, best.order, v);
    v.at[kStokesOrder] = best.order;
    v.at[kStokesReference] = reference;
    v.at[kStokesChiSquared] = best.loss;
    if (const int spare = pixel.channels - best.order - 1; spare > 0)
      v.at[kStokesReduced] = best.loss / spare;
  }

  StokesFitProblem problem_;
};

}  // namespace

StokesFitRunnerPointer make_stokes_fit_reference(const StokesFitProblem& problem) {
  if (problem.image.type == Type::f64) return std::make_unique<StokesReference<double>>(problem);
  return std::make_unique<StokesReference<float>>(problem);
}

}  // namespace tessera
