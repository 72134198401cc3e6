// SPDX-License-Identifier: Apache-2.0
// Gauss-Newton steps, halved until they help; the linear part of every step uses orthogonal
// columns, which handle polynomials far from zero better than normal equations do.
#include "jobs/faraday/stokes_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "tessera/error.hpp"

namespace tessera {
namespace {

using Coefficients = std::array<double, kMostStokesOrder + 1>;
using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Orthogonal columns and a triangle, Q R = the columns given, by Gram-Schmidt, done twice.
struct Orthogonal {
  std::vector<Column> q;
  std::array<Coefficients, kMostStokesOrder + 1> r{};

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
  bool independent = true;

  /// Solves R x = b by back substitution.
  Coefficients solve(Coefficients b) const {
    for (std::size_t k = q.size(); k-- > 0;) {
      for (std::size_t j = k + 1; j < q.size(); ++j) b[k] -= r[k][j] * b[j];
      b[k] /= r[k][k];
    }
    return b;
  }
  /// Roots of the diagonal of (R^T R)^-1: the errors of coefficients.
  Coefficients errors() const {
    Coefficients variance{};
    for (std::size_t k = 0; k < q.size(); ++k) {
      Coefficients unit{};
      unit[k] = 1;
      const Coefficients column = solve(unit);  // of R^-1
      for (std::size_t j = 0; j < q.size(); ++j) variance[j] += column[j] * column[j];
    }
    for (double& value : variance) value = std::sqrt(value);
    return variance;
  }
};

/// One fit of a given order.
class Fit {
 public:
  Fit(const StokesPoints& points, StokesModel model) : points_(points), model_(model) {
    const double sum = std::accumulate(points.value.begin(), points.value.end(), 0.0);
    model_.coefficient[0] = sum / static_cast<double>(points.value.size());
    model_.channels = static_cast<int>(points.value.size());
  }

  StokesModel run() {
    model_.chi_squared = chi_squared(model_);
    model_.status = 5;
    for (int step = 0; step < 200 && model_.status == 5; ++step) improve();
    model_.error = Orthogonal(slopes()).errors();
    return model_;
  }

 private:
  double residual(const StokesModel& model, std::size_t n) const {
    return (points_.value[n] - model.at(points_.frequency[n])) / points_.error[n];
  }
  double chi_squared(const StokesModel& model) const {
    double sum = 0;
    for (std::size_t n = 0; n < points_.value.size(); ++n)
      sum += residual(model, n) * residual(model, n);
    return sum;
  }

  /// Derivatives of the model over the error, one column per coefficient.
  std::vector<Column> slopes() const {
    std::vector<Column> columns(static_cast<std::size_t>(model_.order) + 1);
    for (std::size_t n = 0; n < points_.value.size(); ++n) {
      const double x = points_.frequency[n] / model_.reference;
      const double value = model_.at(points_.frequency[n]) / points_.error[n];
      const bool log = model_.curve == StokesCurve::log;
      double slope = log ? value / model_.coefficient[0] : 1 / points_.error[n];
      for (std::size_t k = 0; k < columns.size(); ++k) {
        columns[k].push_back(slope);
        if (log && k == 0) slope = value * std::numbers::ln10;
        slope *= log ? std::log10(x) : x;
      }
    }
    return columns;
  }

  /// One step; sets the status when it was the last.
  void improve() {
    const Orthogonal basis(slopes());
    if (!basis.independent)
      throw Error(ErrorKind::usage,
                  fmt::format("faraday: the frequencies of Stokes I do not determine the {} "
                              "coefficients of order {}; give a lower order or --ignore-i",
                              model_.order + 1, model_.order));
    Column residuals;
    for (std::size_t n = 0; n < points_.value.size(); ++n) residuals.push_back(residual(model_, n));
    Coefficients along{};
    for (std::size_t k = 0; k < basis.q.size(); ++k) along[k] = dot(basis.q[k], residuals);
    const double gain = std::inner_product(along.begin(), along.end(), along.begin(), 0.0);
    if (gain <= 1e-20 * model_.chi_squared || model_.chi_squared == 0) {
      model_.status = 4;
      return;
    }
    take(basis.solve(along));
  }

  void take(const Coefficients& step) {
    for (double share = 1; share > 1e-12; share /= 2) {
      StokesModel next = model_;
      for (std::size_t k = 0; k < step.size(); ++k) next.coefficient[k] += share * step[k];
      next.chi_squared = chi_squared(next);
      if (!(next.chi_squared <= model_.chi_squared)) continue;
      if (model_.chi_squared - next.chi_squared <= 1e-12 * model_.chi_squared) next.status = 1;
      model_ = next;
      return;
    }
    model_.status = 2;  // no step helps: this is the minimum, to rounding
  }

  const StokesPoints& points_;
  StokesModel model_;
};

StokesPoints points_that_count(const StokesPoints& all) {
  const bool some = std::any_of(all.error.begin(), all.error.end(), [](double e) { return e > 0; });
  StokesPoints good;
  for (std::size_t n = 0; n < all.value.size(); ++n) {
    if (!std::isfinite(all.value[n]) || !std::isfinite(all.error[n])) continue;
    if (some && !(all.error[n] > 0)) continue;
    good.frequency.push_back(all.frequency[n]);
    good.value.push_back(all.value[n]);
    good.error.push_back(some ? all.error[n] : 1);
  }
  return good;
}

void check_enough(const StokesPoints& good, int order) {
  if (std::abs(order) > kMostStokesOrder)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the order of Stokes I is {}; it must be {} to {}", order,
                            -kMostStokesOrder, kMostStokesOrder));
  const int needed = std::max(order, 0) + 1;
  if (std::ssize(good.value) < needed)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} channels have Stokes I and its error, but order {} needs "
                            "{}; give a lower order or --ignore-i",
                            good.value.size(), order, needed));
}

// A curve of 0 has no slopes, which would otherwise be blamed on the frequencies.
void check_not_zero(const StokesPoints& good, StokesCurve curve) {
  const bool none = std::ranges::all_of(good.value, [](double v) { return v == 0; });
  const double sum = std::accumulate(good.value.begin(), good.value.end(), 0.0);
  if (none)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: Stokes I is 0 in all {} channels that count, so Q and U "
                            "cannot be divided by it; give --ignore-i",
                            good.value.size()));
  if (sum == 0 && curve == StokesCurve::log)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the mean of Stokes I is 0 over {} channels, which no power "
                            "law can give; give --curve linear or --ignore-i",
                            good.value.size()));
}

}  // namespace

double StokesModel::at(double frequency) const {
  const double x = frequency / reference, step = curve == StokesCurve::log ? std::log10(x) : x;
  double sum = 0;
  for (int k = order; k > 0; --k) sum = (sum + coefficient[static_cast<std::size_t>(k)]) * step;
  return curve == StokesCurve::log ? coefficient[0] * std::pow(10, sum) : coefficient[0] + sum;
}

StokesModel fit_stokes_model(const StokesPoints& points, StokesCurve curve, int order,
                             double reference) {
  const StokesPoints good = points_that_count(points);
  check_enough(good, order);
  check_not_zero(good, curve);
  const auto fit = [&](int of) {
    StokesModel model;
    model.curve = curve;
    model.reference = reference;
    model.order = of;
    return Fit(good, model).run();
  };
  if (order >= 0) return fit(order);
  StokesModel best = fit(0);
  const int most = std::min(-order, static_cast<int>(good.value.size()) - 1);
  for (int next_order = 1; next_order <= most; ++next_order) {
    const StokesModel next = fit(next_order);
    if (!(2 + next.chi_squared < best.chi_squared)) break;
    best = next;
  }
  return best;
}

}  // namespace tessera
