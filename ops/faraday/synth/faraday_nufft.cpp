// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/faraday_nufft.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/faraday/faraday_phase.hpp"

namespace tessera {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kWidest = 16;
/// Positions between two cells at which a kernel is sampled. Their mean is its Fourier transform by
/// the midpoint rule; the error is the kernel's content beyond this many times the grid's
/// frequencies, which is negligible.
constexpr int kPlaces = 16;

/// The response to a point at this fraction of a cell at frequency `turns` (per cell), with its own
/// phase removed.
std::complex<double> response(const FaradayKernel& kernel, double place, double turns) {
  std::complex<double> sum = 0;
  const double first = std::ceil(place - 0.5 * kernel.width);
  for (int i = 0; i < kernel.width; ++i) {
    const double t = first + i - place;
    sum += kernel.at(t) * std::polar(1.0, -2 * kPi * turns * t);
  }
  return sum;
}

/// The kernel's Fourier transform: its mean response over all positions. The kernel is even, so
/// this is a sum of cosines over one half.
class Transform {
 public:
  explicit Transform(const FaradayKernel& kernel) {
    for (int i = 0; i < kernel.width * kPlaces / 2; ++i) {
      t_.push_back((i + 0.5) / kPlaces);
      value_.push_back(2 * kernel.at(t_.back()) / kPlaces);
    }
  }
  double at(double turns) const {
    double sum = 0;
    for (std::size_t i = 0; i < t_.size(); ++i)
      sum += value_[i] * std::cos(2 * kPi * turns * t_[i]);
    return sum;
  }

 private:
  std::vector<double> t_, value_;
};

double greatest_error(const FaradayKernel& kernel, double oversampling) {
  const Transform transform(kernel);
  double greatest = 0;
  for (int f = 0; f <= 4; ++f) {
    const double turns = 0.125 * f / oversampling, mean = transform.at(turns);
    for (int i = 0; i < kPlaces; ++i) {
      const std::complex<double> one = response(kernel, (i + 0.5) / kPlaces, turns) / mean;
      greatest = std::max(greatest, std::abs(one - 1.0));
    }
  }
  return greatest;
}

/// The part of a circle of `grid` cells that is covered by pieces of `width` from these cells on,
/// given only where they begin: everything except the widest gap.
void find_cells(std::vector<int> begins, FaradayNufft& n) {
  std::sort(begins.begin(), begins.end());
  int before = begins.back() - n.grid, widest = 0;
  n.first_cell = begins.front();
  for (const int begin : begins) {
    if (const int gap = begin - before - n.width; gap > widest) {
      widest = gap;
      n.first_cell = begin;
    }
    before = begin;
  }
  n.cells = n.grid - widest;
}

}  // namespace

double FaradayKernel::at(double t) const {
  const double z = 2 * t / width;
  return std::exp(beta * (std::sqrt(std::max(0.0, 1 - z * z)) - 1));
}

FaradayKernel faraday_kernel(double oversampling, double tolerance) {
  FaradayKernel kernel;
  for (int width = 2; width <= kWidest; ++width) {
    // 0.97 of where the first alias begins is best for widths of 6 to 12 (tried in steps of 0.01).
    kernel = {width, 0.97 * kPi * width * (1 - 0.5 / oversampling)};
    kernel.error = greatest_error(kernel, oversampling);
    if (kernel.error <= tolerance) break;
  }
  return kernel;
}

FaradayNufft faraday_nufft(const FaradayAxes& axes, int grid, double tolerance) {
  const FaradayKernel kernel = faraday_kernel(1.0 * grid / axes.depths(), tolerance);
  FaradayNufft n;
  n.grid = grid;
  n.width = kernel.width;
  n.error = kernel.error;
  n.centre = axes.depths() / 2;
  const Transform transform(kernel);
  for (int p = 0; p < axes.depths(); ++p)
    n.correction.push_back(1 / transform.at(1.0 * (p - n.centre) / grid));
  std::vector<int> begins;
  for (std::size_t k = 0; k < axes.lambda2.size(); ++k) {
    const double d = axes.lambda2[k] - axes.lambda2_0, share = axes.weight[k] / axes.weight_sum;
    const double turns = axes.dphi * d / kPi;
    const double cell = (turns - std::floor(turns)) * grid, begin = std::ceil(cell - 0.5 * n.width);
    for (int i = 0; i < n.width; ++i)
      n.weight.push_back(static_cast<float>(kernel.at(begin + i - cell)));
    n.turn.push_back(share * faraday_turn(axes.phi[static_cast<std::size_t>(n.centre)], d));
    n.first.push_back((static_cast<int>(begin) + grid) % grid);
    if (share > 0) begins.push_back(n.first.back());
  }
  find_cells(begins, n);
  for (std::size_t k = 0; k < n.first.size(); ++k)
    n.first[k] = n.turn[k] == 0.0 ? 0 : (n.first[k] - n.first_cell + grid) % grid;
  return n;
}

}  // namespace tessera
