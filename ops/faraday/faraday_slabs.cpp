// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/faraday_slabs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {
namespace {

constexpr int kLeastPoints = 16, kMostPoints = 4096;
constexpr double kLeastOversampling = 1.5;

int bits_reversed(int index, int count) {
  int reversed = 0;
  for (int bit = 1; bit < count; bit *= 2, index /= 2) reversed = 2 * reversed + index % 2;
  return reversed;
}

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

}  // namespace

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
