// SPDX-License-Identifier: Apache-2.0
// The tables of the NUFFT kernel, from the plan in double.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/faraday/synth/cuda/faraday_nufft_shape.hpp"

namespace tessera {
namespace {

LineValue rounded(std::complex<double> value) {
  return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}

/// exp(-2 pi i k / n)
std::complex<double> turned(long long k, int n) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k % n) / n);
}

}  // namespace

FaradayNufftTables::FaradayNufftTables(const FaradayAxes& axes,
                                       const FaradayNufftDivision& division)
    : shape(division.shape) {
  const FaradayNufft plan = faraday_nufft(axes, division.grid());
  kernel_error = plan.error;
  shape.cells = whole_faraday_groups(plan.cells);
  std::vector<int> order;
  for (int k = 0; k < axes.channels(); ++k)
    if (axes.weight[static_cast<std::size_t>(k)] > 0) order.push_back(k);
  const auto first_of = [&](int k) { return plan.first[static_cast<std::size_t>(k)]; };
  std::ranges::stable_sort(order, {}, first_of);
  for (const int k : order) {
    const auto at = static_cast<std::size_t>(k);
    channels.push_back(
        {k, static_cast<float>(axes.weight[at] / axes.weight_sum), rounded(plan.turn[at])});
  }
  for (int cell = 0; cell < shape.cells; cell += kFaradayGroup) {
    const auto first = std::ranges::upper_bound(order, cell - plan.width, {}, first_of);
    const auto end = std::ranges::lower_bound(order, cell + kFaradayGroup, {}, first_of);
    groups.push_back({static_cast<int>(first - order.begin()),
                      static_cast<int>(end - order.begin()),
                      static_cast<int>(weights.size()) / kFaradayGroup});
    for (auto k = first; k < end; ++k)
      for (int i = cell - first_of(*k); i < cell - first_of(*k) + kFaradayGroup; ++i)
        weights.push_back(i >= 0 && i < plan.width
                              ? plan.weight[static_cast<std::size_t>(*k) * plan.width +
                                            static_cast<std::size_t>(i)]
                              : 0);
  }
  for (int part = 0; part < shape.parts; ++part)
    for (int i = 0; i < shape.line.length; ++i)
      shifts.push_back(rounded(turned(1LL * i * (part - plan.centre), plan.grid)));
  for (int k = 0; k < shape.line.length; ++k)
    turns.push_back(rounded(turned(k, shape.line.length)));
  for (int p = 0; p < axes.depths(); ++p)
    correction.push_back(rounded(plan.correction[static_cast<std::size_t>(p)] *
                                 turned(1LL * (p - plan.centre) * plan.first_cell, plan.grid)));
}

}  // namespace tessera
