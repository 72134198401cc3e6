// SPDX-License-Identifier: Apache-2.0
// The response to one depth, and the width of its main lobe.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/stop.hpp"
#include "ops/faraday/faraday_phase.hpp"
#include "ops/faraday/faraday_views.hpp"
#include "ops/faraday/faraday_width.hpp"
#include "tessera/error.hpp"
#include "tessera/faraday.hpp"

namespace tessera {
namespace {

/// a exp(-4 ln2 (x - b)^2 / w^2)
struct Gaussian {
  double a = 1, b = 0, w = 1;
};

struct Points {
  std::vector<double> x, y;
};

/// The contiguous points around the peak at which the value is at least `least`.
Points main_lobe(const std::vector<double>& phi, const std::vector<double>& value, double least) {
  const auto peak = std::max_element(value.begin(), value.end()) - value.begin();
  auto first = peak, last = peak;
  while (first > 0 && value[static_cast<std::size_t>(first - 1)] >= least) --first;
  while (last + 1 < std::ssize(value) && value[static_cast<std::size_t>(last + 1)] >= least) ++last;
  return {{phi.begin() + first, phi.begin() + last + 1},
          {value.begin() + first, value.begin() + last + 1}};
}

/// Solves three equations by elimination with pivoting; none if they are singular.
std::optional<std::array<double, 3>> solve(std::array<std::array<double, 4>, 3> m) {
  for (std::size_t c = 0; c < 3; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < 3; ++r)
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    if (!(std::abs(m[pivot][c]) > 0)) return std::nullopt;
    std::swap(m[c], m[pivot]);
    for (std::size_t r = 0; r < 3; ++r) {
      if (r == c) continue;
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c; k < 4; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  return std::array{m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]};
}

double misfit(const Points& points, const Gaussian& g) {
  double sum = 0;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double t = (points.x[i] - g.b) / g.w;
    const double r = points.y[i] - g.a * std::exp(-4 * std::log(2) * t * t);
    sum += r * r;
  }
  return sum;
}

/// Least squares with Levenberg's damping: towards the gradient while full steps do not help.
std::optional<double> fitted_width(const Points& points, double width) {
  Gaussian g{1, points.x[points.x.size() / 2], width};
  double damping = 1e-3, error = misfit(points, g);
  for (int iteration = 0; iteration < 200; ++iteration) {
    std::array<std::array<double, 4>, 3> m{};
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      const double d = points.x[i] - g.b, k = 4 * std::log(2) / (g.w * g.w);
      const double e = std::exp(-k * d * d), r = points.y[i] - g.a * e;
      const std::array<double, 3> slope{e, g.a * e * 2 * k * d, g.a * e * 2 * k * d * d / g.w};
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t c = 0; c < 3; ++c) m[row][c] += slope[row] * slope[c];
        m[row][3] += slope[row] * r;
      }
    }
    for (std::size_t row = 0; row < 3; ++row) m[row][row] *= 1 + damping;
    const auto step = solve(m);
    if (!step) return std::nullopt;
    const Gaussian next{g.a + (*step)[0], g.b + (*step)[1], g.w + (*step)[2]};
    const double next_error = misfit(points, next);
    if (!(next_error <= error) || !(next.w > 0)) {
      if ((damping *= 10) > 1e12) return g.w;  // no step helps: it has converged
      continue;
    }
    const bool settled = std::abs(next.w - g.w) <= 1e-12 * g.w;
    g = next;
    error = next_error;
    damping *= 0.1;
    if (settled) return g.w;
  }
  return std::nullopt;
}

/// Over channels that count and are not flagged; the axes' own width if the fit fails.
double width_by_theory(const FaradayAxes& axes, std::span<const unsigned char> flagged) {
  if (flagged.empty()) return axes.fwhm;
  const auto [least, most] = faraday_band(axes, flagged);
  return most > least ? faraday_width(least, most, axes.lambda2_0) : axes.fwhm;
}

}  // namespace

void fit_faraday_width(const FaradayAxes& axes, FaradayRmsf& rmsf) {
  std::vector<double> height;
  for (const std::complex<double>& value : rmsf.value)
    height.push_back(axes.lambda2_0 == 0 ? value.real() : std::abs(value));
  const Points lobe = main_lobe(rmsf.phi, height, 0.4);
  if (lobe.x.size() < 4) return;
  if (const auto width = fitted_width(lobe, lobe.x.back() - lobe.x.front())) {
    rmsf.fwhm = *width;
    rmsf.fitted = true;
  }
}

FaradayRmsf faraday_rmsf(const FaradayAxes& axes, bool fit,
                         std::span<const unsigned char> flagged) {
  if (!axes.regular())
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the {} depths are not a regular grid; an RMSF that can be "
                            "centred on any depth needs a constant step",
                            axes.depths()));
  check_faraday_weights("faraday", axes);
  if (!flagged.empty() && std::ssize(flagged) != axes.channels())
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} flags are given for {} channels; give one per channel",
                            flagged.size(), axes.channels()));
  FaradayRmsf rmsf;
  const int half = axes.depths() / 2 + (axes.depths() + 1) / 2;
  double sum = 0;
  for (std::size_t k = 0; k < axes.weight.size(); ++k)
    if (flagged.empty() || !flagged[k]) sum += axes.weight[k];
  for (int q = -half; q <= half; ++q) {
    poll_stop();
    const double phi = q * axes.dphi;
    std::complex<double> value = 0;
    for (std::size_t k = 0; k < axes.weight.size(); ++k)
      if (flagged.empty() || !flagged[k])
        value += axes.weight[k] * faraday_turn(phi, axes.lambda2[k] - axes.lambda2_0);
    value = sum > 0 ? value / sum : 0;
    rmsf.phi.push_back(phi);
    rmsf.value.push_back(value);
  }
  rmsf.fwhm = width_by_theory(axes, flagged);
  if (fit) fit_faraday_width(axes, rmsf);
  return rmsf;
}

}  // namespace tessera
