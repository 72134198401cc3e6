// SPDX-License-Identifier: Apache-2.0
// Filters as sums of products of a row and a column.
#include "ops/convolve/filters/filter_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/filters/singular_values.hpp"

namespace tessera {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Normalised weights carry a few rounding errors each: exp, the product, the division by the sum.
constexpr double kExact = 16 * kEps;

double sum_of_magnitudes(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

/// Moves a power of two from the row to the column, so that sum|row| lies in (1/4, 1/2]: exact.
void balance(FilterSplit::Term& term) {
  const double sum = sum_of_magnitudes(term.row);
  if (!(sum > 0)) return;
  int exponent = 0;
  std::frexp(sum, &exponent);  // sum is in [2^(exponent-1), 2^exponent)
  for (double& value : term.row) value = std::ldexp(value, -exponent - 1);
  for (double& value : term.column) value = std::ldexp(value, exponent + 1);
}

/// Subtracts the term from `rest` and updates the sums.
void take_term(FilterSplit& split, FilterSplit::Term term, std::vector<double>& rest) {
  balance(term);
  for (int j = 0; j < split.height; ++j)
    for (int i = 0; i < split.width; ++i) {
      double& weight = rest[static_cast<std::size_t>(j) * split.width + i];
      weight = std::fma(-term.row[i], term.column[j], weight);
    }
  split.term_magnitude += sum_of_magnitudes(term.row) * sum_of_magnitudes(term.column);
  split.residual = sum_of_magnitudes(rest);
  split.terms.push_back(std::move(term));
}

FilterSplit empty_split(const std::vector<double>& weights, int width, int height) {
  FilterSplit split;
  split.width = width;
  split.height = height;
  split.magnitude = split.residual = sum_of_magnitudes(weights);
  return split;
}

std::vector<double> finite_weights(AnyView filter) {
  if (filter.device != kHost || filter.size.width < 1 || filter.size.height < 1 ||
      filter.size.channels != 1 || filter.size.planes != 1)
    refuse("filter", "only one plane of weights in host memory can be split");
  std::vector<double> weights = samples_as_double(filter);
  for (const double weight : weights)
    if (!std::isfinite(weight))
      refuse("filter", fmt::format("a weight is {}; it must be finite", weight));
  return weights;
}

}  // namespace

bool FilterSplit::exact() const { return terms.size() == 1 && residual <= kExact * magnitude; }

double FilterSplit::bound(double eps) const {
  // A pixel meets width roundings along its row and up to terms * height along columns; the weights
  // in either direction, and the scale, are rounded once.
  const double roundings = width + static_cast<double>(terms.size()) * height + 3;
  return residual + eps * roundings * term_magnitude;
}

FilterSplit split_in_one(const std::vector<double>& weights, int width, int height) {
  FilterSplit split = empty_split(weights, width, height);
  const auto largest = std::ranges::max_element(
      weights, [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto pivot = static_cast<std::size_t>(largest - weights.begin());
  FilterSplit::Term term{std::vector<double>(width), std::vector<double>(height)};
  // A filter of zeros is the product of a row and a column of zeros.
  for (int i = 0; i < width && *largest != 0; ++i)
    term.row[i] = weights[pivot / width * width + i] / *largest;
  for (int j = 0; j < height; ++j)
    term.column[j] = weights[static_cast<std::size_t>(j) * width + pivot % width];
  std::vector<double> rest = weights;
  take_term(split, std::move(term), rest);
  return split;
}

FilterSplit split_in_few(const std::vector<double>& weights, int width, int height, double eps) {
  if (FilterSplit one = split_in_one(weights, width, height); one.exact()) return one;
  FilterSplit split = empty_split(weights, width, height);
  const auto n = static_cast<double>(weights.size());
  const double allowed = 2 * n * eps * split.magnitude;
  std::vector<double> rest = weights;
  for (auto& [row, column] : singular_terms(weights, width, height)) {
    if ((static_cast<double>(split.terms.size()) + 1) * (width + height) > n) break;
    take_term(split, {std::move(row), std::move(column)}, rest);
    if (split.bound(eps) <= allowed) return split;
  }
  split.terms.clear();
  return split;
}

const FilterSplit& ConvolveProblem::split_in_few() const {
  return splits->few.get([this] {
    if (std::max(filter_width, filter_height) > split_side)
      return split_in_one().exact() ? split_in_one()
                                    : empty_split(weights, filter_width, filter_height);
    const double eps = sums == Type::f32 || output.type == Type::f32 ? 0x1p-23 : kEps;
    return tessera::split_in_few(weights, filter_width, filter_height, eps);
  });
}

FilterSplit separable(AnyView filter) {
  return split_in_one(finite_weights(filter), filter.size.width, filter.size.height);
}

FilterSplit low_rank(AnyView filter, double eps) {
  if (std::max(filter.size.width, filter.size.height) > kMostSplitSide)
    refuse("filter",
           fmt::format("a filter of {}x{} is too large to be split; sides can be up to {}",
                       filter.size.width, filter.size.height, kMostSplitSide));
  return split_in_few(finite_weights(filter), filter.size.width, filter.size.height, eps);
}

Image outer(const std::vector<double>& row, const std::vector<double>& column) {
  if (row.empty() || column.empty())
    refuse("filter", fmt::format("a row of {} and a column of {} weights do not make a filter; "
                                 "each needs at least one weight",
                                 row.size(), column.size()));
  if (row.size() > kMostFilterWeights / column.size())
    refuse("filter", fmt::format("a row of {} and a column of {} weights make a filter that is too "
                                 "large; it can have up to {} weights",
                                 row.size(), column.size(), kMostFilterWeights));
  Image filter({static_cast<int>(row.size()), static_cast<int>(column.size())}, Type::f64);
  const auto weights = filter.as<double>();
  for (std::size_t j = 0; j < column.size(); ++j)
    for (std::size_t i = 0; i < row.size(); ++i)
      weights.at(static_cast<int>(i), static_cast<int>(j)) = row[i] * column[j];
  return filter;
}

}  // namespace tessera
