// SPDX-License-Identifier: Apache-2.0
#include "ops/channelise/channelise_filter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tessera/error.hpp"
#include "tessera/options.hpp"
#include "tessera/range.hpp"

namespace tessera {
namespace {

constexpr double kPi = std::numbers::pi;

/// The modified Bessel function of order 0: a series of positive terms.
double bessel_i0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-18 * sum; ++k) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/// A symmetric window at a place from 0 to 1.
using Window = std::function<double(double)>;

Window cosine_window(double a0, double a1, double a2) {
  return [=](double u) { return a0 - a1 * std::cos(2 * kPi * u) + a2 * std::cos(4 * kPi * u); };
}

Window kaiser_window(const std::string& text) {
  double beta = 0;
  from_text("channelise: beta of window kaiser", text, beta);
  const Range range{0, 100};
  if (!range.holds(beta)) throw_outside("channelise", "beta of window kaiser", text, range);
  return [=](double u) {
    const double t = 2 * u - 1;
    return bessel_i0(beta * std::sqrt(std::max(0.0, 1 - t * t))) / bessel_i0(beta);
  };
}

Window window_of(const std::string& name) {
  if (name == "hamming") return cosine_window(0.54, 0.46, 0);
  if (name == "hann") return cosine_window(0.5, 0.5, 0);
  if (name == "blackman") return cosine_window(0.42, 0.5, 0.08);
  if (name == "rectangular") return cosine_window(1, 0, 0);
  if (name.starts_with("kaiser:")) return kaiser_window(name.substr(7));
  throw_unknown("channelise: window", name,
                {"hamming", "hann", "blackman", "rectangular", "kaiser:BETA"});
}

}  // namespace

std::vector<double> channelise_filter(const std::string& window, long long length, int transform) {
  const Window shape = window_of(window);
  std::vector<double> filter;
  double sum = 0, all = 0;
  for (long long n = 0; n < length; ++n) {
    // Half sums are exact: the middle of an odd length is 0.
    const double from_middle = (2.0 * static_cast<double>(n) - static_cast<double>(length - 1)) / 2;
    const double angle = kPi * from_middle / transform;
    const double sinc = angle == 0 ? 1 : std::sin(angle) / angle;
    const double place =
        length > 1 ? static_cast<double>(n) / static_cast<double>(length - 1) : 0.5;
    filter.push_back(sinc * shape(place));
    sum += filter.back();
    all += 1;
  }
  // Windows whose ends are 0 leave nothing of two coefficients.
  if (!(sum > 1e-6 * all))
    throw Error(
        ErrorKind::usage,
        fmt::format("channelise: window {} leaves nothing of {} coefficients; give more taps "
                    "or channels, or window hamming",
                    window, length));
  for (double& h : filter) h /= sum;
  return filter;
}

}  // namespace tessera
