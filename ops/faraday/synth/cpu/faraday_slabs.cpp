// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/cpu/faraday_slabs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {
namespace {

constexpr int kLeastPoints = 16, kMostPoints = 4096;
/// Less makes transforms shorter, kernels wider and rounding worse: at 1.28 the error was ten times
/// that at 1.4, and the time the same (300 channels, 401 depths).
constexpr double kLeastOversampling = 1.4;

/// Parts of all cells: every channel's weights, ordered by cell.
void list_parts(const FaradayNufft& n, const FaradayUsed& used, FaradaySlabPlan& plan) {
  std::vector<std::vector<FaradaySlabPlan::Part>> cells(static_cast<std::size_t>(n.cells));
  for (int k = 0; k < used.count(); ++k) {
    const auto plane = static_cast<std::size_t>(used.plane[static_cast<std::size_t>(k)]);
    for (int i = 0; i < n.width; ++i)
      cells[static_cast<std::size_t>((n.first[plane] + i) % n.grid)].push_back(
          {k, n.weight[plane * n.width + i]});
    plan.turns.push_back(static_cast<float>(n.turn[plane].real()));
    plan.turns.push_back(static_cast<float>(n.turn[plane].imag()));
  }
  for (const auto& parts : cells) {
    plan.parts.insert(plan.parts.end(), parts.begin(), parts.end());
    plan.parts_end.push_back(static_cast<int>(plan.parts.size()));
  }
}

void list_factors(const FaradayNufft& n, FaradaySlabPlan& plan) {
  for (int q = 0; q < plan.shape.classes; ++q)
    for (int i = 0; i < n.cells; ++i) {
      const double turns = static_cast<double>(1LL * q * n.cell(i) % n.grid) / n.grid;
      plan.factors.push_back(static_cast<float>(std::cos(2 * std::numbers::pi * turns)));
      plan.factors.push_back(static_cast<float>(-std::sin(2 * std::numbers::pi * turns)));
    }
}

void list_results(const FaradayNufft& n, FaradaySlabPlan& plan) {
  plan.results.assign(static_cast<std::size_t>(n.grid), {plan.depths, 0});
  for (int p = 0; p < plan.depths; ++p) {
    const int frequency = (p - n.centre + n.grid) % n.grid;
    const int q = frequency % plan.shape.classes;
    const int row = bits_reversed(frequency / plan.shape.classes, plan.shape.points);
    plan.results[static_cast<std::size_t>(q * plan.shape.points + row)] = {
        p, static_cast<float>(n.correction[static_cast<std::size_t>(p)])};
  }
}

/// The approximate number of cells that will not be zero, for channels that count.
double cells_of(const FaradayAxes& axes, int grid, int width) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < axes.lambda2.size(); ++k)
    if (axes.weight[k] > 0) {
      least = std::min(least, axes.lambda2[k]);
      most = std::max(most, axes.lambda2[k]);
    }
  return std::min(1.0 * grid, axes.dphi * (most - least) / std::numbers::pi * grid + width);
}

}  // namespace

double faraday_slab_nanoseconds(const FaradayAxes& axes, FaradaySlabShape shape) {
  // Fitted to 36 shapes for 300 channels, 401 and 2001 depths; rows have 128 bytes.
  constexpr double kChannel = 8.5, kPart = 3.1, kCell = 5, kFarCell = 8, kPoint = 2, kPass = 3.8;
  constexpr double kRowsInCache = 400;
  const int width =
      faraday_kernel(1.0 * shape.grid() / axes.depths(), kFaradayNufftTolerance).width;
  const double cells = cells_of(axes, shape.grid(), width);
  const double fold = cells * (cells > kRowsInCache ? kFarCell : kCell) + kPoint * shape.points;
  const double passes =
      kPass * shape.points * std::log2(shape.points) * (shape.points > 512 ? 1.3 : 1);
  return axes.channels() * (kChannel + kPart * width) + shape.classes * (fold + passes);
}

FaradaySlabShape faraday_slab_shape(const FaradayAxes& axes) {
  FaradaySlabShape best;
  double least = std::numeric_limits<double>::infinity();
  for (int points = kLeastPoints; points <= kMostPoints; points *= 2) {
    const double classes = std::ceil(kLeastOversampling * axes.depths() / points);
    const FaradaySlabShape shape{static_cast<int>(classes), points};
    if (const double time = faraday_slab_nanoseconds(axes, shape); time < least) {
      best = shape;
      least = time;
    }
  }
  return best;
}

FaradaySlabPlan::FaradaySlabPlan(const FaradayAxes& axes, const FaradayUsed& used,
                                 FaradaySlabShape shape_, int most_radix)
    : channels(used.count()),
      depths(axes.depths()),
      shape(shape_),
      axis(shape_.points, most_radix) {
  const FaradayNufft n = faraday_nufft(axes, shape.grid());
  cells = n.cells;
  first_row = n.first_cell % shape.points;
  error = n.error;
  width = n.width;
  list_parts(n, used, *this);
  list_factors(n, *this);
  list_results(n, *this);
}

}  // namespace tessera
