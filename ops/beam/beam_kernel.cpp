// SPDX-License-Identifier: Apache-2.0
// The filter between two beams. Its Fourier transform is exp(-2 pi^2 k'Vk), V the covariance in
// pixels. A wide Gaussian is sampled. Samples of a thin one would alias: its filter is the inverse
// transform over the frequencies that pixels have, which decays slowly, so that it is faded out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "core/refuse.hpp"
#include "ops/beam/beam_matrix.hpp"

namespace tessera {
namespace {

constexpr double kPi = std::numbers::pi;
/// A Gaussian is cut at this many standard deviations: exp(-18) = 1.5e-8.
constexpr double kSigmas = 6;
/// From this standard deviation on, in pixels, samples of a Gaussian alias by less than 2e-6 at the
/// frequencies of an image with three pixels per beam.
constexpr double kWideEnough = 1.3;
/// Pixels over which the slow decay of a thin filter is faded out.
constexpr int kFade = 48;
/// Weights outside that are left out, as a share of the sum of all.
constexpr double kTail = 1e-6;
constexpr int kMostRadius = 2048;

/// Standard deviations squared, x first, in pixels.
BeamMatrix covariance(const BeamChange& change) {
  check_beam(change.from, "the beam of the image");
  check_beam(change.to, "the beam to reach");
  const BeamMatrix to = matrix_of(change.to), from = matrix_of(change.from);
  if (!holds_beam(to, from))
    refuse("beam", fmt::format("a beam of {} cannot be reached from {}; it must be at least as "
                               "wide in every direction",
                               beam_text(change.to), beam_text(change.from)));
  const SkySteps& s = change.pixel;
  const double determinant = s.east_x * s.north_y - s.east_y * s.north_x;
  if (!(std::isfinite(determinant) && determinant != 0))
    refuse("beam",
           fmt::format("the steps of pixels are {}, {} to the east and {}, {} to the north; "
                       "they must be finite and not parallel",
                       s.east_x, s.east_y, s.north_x, s.north_y));
  BeamMatrix sky = to - from;
  if (sky.high() <= kBeamRounding * to.trace()) return {};
  sky = 1 / (8 * std::numbers::ln2) * sky;
  // Pixels from steps to the east and to the north.
  const double xe = s.north_y / determinant, xn = -s.east_y / determinant,
               ye = -s.north_x / determinant, yn = s.east_x / determinant;
  const auto product = [&](double n1, double e1, double n2, double e2) {
    return n1 * n2 * sky.a + (n1 * e2 + n2 * e1) * sky.b + e1 * e2 * sky.c;
  };
  return {product(xn, xe, xn, xe), product(xn, xe, yn, ye), product(yn, ye, yn, ye)};
}

int radius_of(double variance) {
  const double radius = std::ceil(kSigmas * std::sqrt(std::max(variance, 0.0)));
  if (!(radius <= kMostRadius))
    refuse("beam", fmt::format("the filter between the beams would reach {:.0f} pixels; {} is the "
                               "most: check the unit of beams and pixels",
                               radius, kMostRadius));
  return static_cast<int>(radius);
}

Image sampled(const BeamMatrix& v) {
  const int rx = radius_of(v.a), ry = radius_of(v.c);
  const BeamMatrix inverse = v.inverse();
  Image weights({2 * rx + 1, 2 * ry + 1}, Type::f64);
  for (int y = -ry; y <= ry; ++y)
    for (int x = -rx; x <= rx; ++x)
      weights.as<double>().at(x + rx, y + ry) =
          std::exp(-0.5 * (inverse.a * x * x + 2 * inverse.b * x * y + inverse.c * y * y));
  return weights;
}

using Wave = std::complex<double>;

/// An inverse transform of a power of two of values, in place, not divided by their number.
void transform(std::vector<Wave>& values, const std::vector<Wave>& turns) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < length / 2; ++k) {
        const Wave odd = values[first + k + length / 2] * turns[k * (n / length)];
        values[first + k + length / 2] = values[first + k] - odd;
        values[first + k] += odd;
      }
}

/// exp(-2 pi^2 k'Vk), the mean of both signs at the last frequency, which has both.
double transfer(const BeamMatrix& v, double kx, double ky) {
  const auto at = [&](double x, double y) {
    return std::exp(-2 * kPi * kPi * (v.a * x * x + 2 * v.b * x * y + v.c * y * y));
  };
  if (kx == -0.5 || ky == -0.5) return (at(kx, ky) + at(kx, -ky)) / 2;
  return at(kx, ky);
}

/// 1 up to `whole`, then down to 0 like a step seen through a Gaussian: its transform has no side
/// lobes, so that frequencies below 0.4 per pixel are not affected.
double fade(int distance, int whole) {
  const double part = static_cast<double>(distance - whole) / (kFade + 1);
  return part <= 0 ? 1 : 0.5 * std::erfc(6 * part - 3);
}

Image from_spectrum(const BeamMatrix& v) {
  const int whole_x = radius_of(v.a), whole_y = radius_of(v.c);
  const int rx = whole_x + kFade, ry = whole_y + kFade;
  std::size_t n = 256;
  while (n < 4 * static_cast<std::size_t>(std::max(rx, ry))) n *= 2;
  const auto frequency = [n](std::size_t i) {
    return (static_cast<double>(i) - (i < n / 2 ? 0.0 : static_cast<double>(n))) /
           static_cast<double>(n);
  };
  std::vector<Wave> turns;
  for (std::size_t k = 0; k < n / 2; ++k)
    turns.push_back(std::polar(1.0, 2 * kPi * static_cast<double>(k) / static_cast<double>(n)));
  const auto place = [n](int i) {
    return static_cast<std::size_t>(i < 0 ? i + static_cast<int>(n) : i);
  };
  // Rows first: only the columns of the filter are kept.
  const auto width = static_cast<std::size_t>(2 * rx + 1);
  std::vector<Wave> columns(width * n), line(n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t i = 0; i < n; ++i) line[i] = transfer(v, frequency(i), frequency(row));
    transform(line, turns);
    for (int x = -rx; x <= rx; ++x)
      columns[static_cast<std::size_t>(x + rx) * n + row] = line[place(x)];
  }
  Image weights({2 * rx + 1, 2 * ry + 1}, Type::f64);
  for (int x = -rx; x <= rx; ++x) {
    const auto first =
        columns.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(x + rx) * n);
    line.assign(first, first + static_cast<std::ptrdiff_t>(n));
    transform(line, turns);
    for (int y = -ry; y <= ry; ++y)
      weights.as<double>().at(x + rx, y + ry) =
          line[place(y)].real() * fade(std::abs(x), whole_x) * fade(std::abs(y), whole_y);
  }
  return weights;
}

/// Without the outer rows and columns whose weights are negligible.
Image trimmed(const Image& weights) {
  const Size size = weights.info().size;
  const View<const double> w = weights.view().as<const double>();
  std::vector<double> columns(static_cast<std::size_t>(size.width)),
      rows(static_cast<std::size_t>(size.height));
  double all = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double weight = std::abs(w.at(x, y));
      columns[static_cast<std::size_t>(x)] += weight;
      rows[static_cast<std::size_t>(y)] += weight;
      all += weight;
    }
  const auto cut = [&](const std::vector<double>& sums) {
    double outside = 0;
    for (std::size_t i = 0; 2 * i + 1 < sums.size(); ++i) {
      outside += sums[i] + sums[sums.size() - 1 - i];
      if (outside > kTail * all) return static_cast<int>(i);
    }
    return static_cast<int>(sums.size() / 2);
  };
  const int dx = cut(columns), dy = cut(rows);
  Image kept({size.width - 2 * dx, size.height - 2 * dy}, Type::f64);
  for (int y = 0; y < kept.info().size.height; ++y)
    for (int x = 0; x < kept.info().size.width; ++x)
      kept.as<double>().at(x, y) = w.at(x + dx, y + dy);
  return kept;
}

}  // namespace

Image beam_kernel(const BeamChange& change) {
  const BeamMatrix v = covariance(change);
  Image one({1, 1}, Type::f64);
  one.as<double>().at(0, 0) = 1;
  if (v.trace() == 0) return one;
  Image weights = trimmed(v.low() >= kWideEnough * kWideEnough ? sampled(v) : from_spectrum(v));
  double sum = 0;
  const Size size = weights.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) sum += weights.as<double>().at(x, y);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) weights.as<double>().at(x, y) /= sum;
  return weights;
}

}  // namespace tessera
