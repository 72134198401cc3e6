// SPDX-License-Identifier: Apache-2.0
// Weights of smooth as users type them: whole numbers by name, else a filter of convolve.
#include <fmt/format.h>

#include <cstdlib>

#include "core/refuse.hpp"
#include "ops/enhance/enhance_smoothing.hpp"
#include "tessera/enhance.hpp"
#include "tessera/filters.hpp"

namespace tessera {
namespace {

constexpr int kMostTriangle = 29, kMostBinomial = 8;  // their sums are the largest below 65536

int whole_number(std::string_view text) {
  int value = 0;
  from_text("smooth", text, value);
  return value;
}

/// 1, 2 … 2, 1
std::vector<double> triangle_row(int n) {
  if (n < 1 || n > kMostTriangle || n % 2 == 0)
    refuse("smooth", fmt::format("a triangle of {} is not offered; N can be an odd number up to {}",
                                 n, kMostTriangle));
  std::vector<double> row;
  const int middle = n / 2;
  for (int k = 0; k < n; ++k) row.push_back(middle + 1 - std::abs(k - middle));
  return row;
}

/// Row n - 1 of Pascal's triangle: n weights.
std::vector<double> binomial_row(int n) {
  if (n < 1 || n > kMostBinomial)
    refuse("smooth",
           fmt::format("a binomial of {} is not offered; N can be 1 to {}", n, kMostBinomial));
  std::vector<double> row{1};
  for (int k = 1; k < n; ++k) row.push_back(row.back() * (n - k) / k);
  return row;
}

std::vector<double> ones_row(int n) {
  if (n < 1 || n > kMostSmoothingSide)
    refuse("smooth", fmt::format("{} ones are not offered; each way there can be 1 to {}", n,
                                 kMostSmoothingSide));
  return std::vector<double>(static_cast<std::size_t>(n), 1);
}

/// A filter of convolve; the message for an unknown name lists all names.
Image other_filter(std::string_view name, std::string_view text) {
  std::vector<std::string> known{"triangle:N", "binomial:N", "ones:WxH"};
  for (const FilterUsage& usage : filter_usages()) {
    if (usage.is_called(name)) return filter_from_text(text);
    if (std::string_view(usage.name) != "triangle") known.emplace_back(usage.form);
  }
  throw_unknown("smooth", text, known);
}

}  // namespace

Image smoothing_from_text(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (name == "triangle" || name == "binomial") {
    if (rest.empty()) refuse("smooth", fmt::format("'{}' is not complete; write {}:N", text, name));
    const int n = whole_number(rest);
    const std::vector<double> row = name == "triangle" ? triangle_row(n) : binomial_row(n);
    return outer(row, row);
  }
  if (name == "ones") {
    const std::size_t by = rest.find('x');
    if (by == std::string_view::npos || by == 0 || by + 1 == rest.size())
      refuse("smooth", fmt::format("'{}' is not complete; write ones:WxH", text));
    return outer(ones_row(whole_number(rest.substr(0, by))),
                 ones_row(whole_number(rest.substr(by + 1))));
  }
  return other_filter(name, text);
}

}  // namespace tessera
