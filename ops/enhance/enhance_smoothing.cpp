// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/enhance_smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "core/refuse.hpp"

namespace tessera {
namespace {

void check_values(const std::vector<double>& values, int width) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      refuse("enhance",
             fmt::format("the weight at column {}, row {} is {}; it must be a finite number",
                         k % width, k / width, values[k]));
  if (std::all_of(values.begin(), values.end(), [](double w) { return w == 0; }))
    refuse("enhance", fmt::format("all {} weights are 0; at least one must not be", values.size()));
}

/// Weights whose sums fit 32 bits.
void check_whole(const std::vector<double>& values, Size s) {
  if (s.width > kMostSmoothingSide || s.height > kMostSmoothingSide)
    refuse("enhance",
           fmt::format("the weights are {} by {}; whole numbers can be up to {} by {}, or divide "
                       "them by their sum for a float filter",
                       s.width, s.height, kMostSmoothingSide, kMostSmoothingSide));
  double sum = 0;
  for (const double w : values) sum += std::abs(w);
  if (sum > kMostSmoothingSum)
    refuse("enhance",
           fmt::format("the weights' magnitudes sum to {}; whole numbers can sum to {}, or divide "
                       "them by their sum for a float filter",
                       sum, kMostSmoothingSum));
}

/// across: the first row that is not 0, without its common factor. Then every other row is a whole
/// multiple of it, or the weights have no factors.
void find_factors(Smoothing& s) {
  if (std::any_of(s.weights.begin(), s.weights.end(), [](int w) { return w < 0; })) return;
  const auto some = std::find_if(s.weights.begin(), s.weights.end(), [](int w) { return w != 0; });
  const auto place = some - s.weights.begin();
  const auto row = s.weights.begin() + place / s.width * s.width;
  const int common = std::accumulate(row, row + s.width, 0, std::gcd<int, int>);
  std::vector<int> across(row, row + s.width), down;
  for (int& w : across) w /= common;
  const auto pivot = static_cast<std::size_t>(place % s.width);
  for (auto next = s.weights.begin(); next != s.weights.end(); next += s.width) {
    down.push_back(next[static_cast<std::ptrdiff_t>(pivot)] / across[pivot]);
    for (int i = 0; i < s.width; ++i)
      if (next[i] != across[static_cast<std::size_t>(i)] * down.back()) return;
  }
  s.across = std::move(across);
  s.down = std::move(down);
}

}  // namespace

Smoothing make_smoothing(AnyView weights) {
  check_stencil("enhance", "filter of smooth", "weight", weights);
  const std::vector<double> values = samples_as_double(weights);
  check_values(values, weights.size.width);
  Smoothing s;
  s.width = weights.size.width;
  s.height = weights.size.height;
  s.anchor = {s.width / 2, s.height / 2};
  if (std::any_of(values.begin(), values.end(), [](double w) { return w != std::floor(w); })) {
    s.filter = copy(weights);
    return s;
  }
  check_whole(values, weights.size);
  for (const double w : values) s.weights.push_back(static_cast<int>(w));
  find_factors(s);
  return s;
}

}  // namespace tessera
