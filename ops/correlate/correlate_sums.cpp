// SPDX-License-Identifier: Apache-2.0
// The maps that a text names.
#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "core/refuse.hpp"
#include "tessera/correlate.hpp"

namespace tessera {
namespace {

CorrelateSum named(std::vector<PlanePair> pairs) {
  std::string name;
  for (const PlanePair& pair : pairs)
    name += fmt::format("{}{}:{}", name.empty() ? "" : "+", pair.first, pair.second);
  return {name, std::move(pairs)};
}

/// The planes [first, end), each with itself.
CorrelateSum with_themselves(int first, int end) {
  std::vector<PlanePair> pairs;
  for (int plane = first; plane < end; ++plane) pairs.push_back({plane, plane});
  return named(std::move(pairs));
}

/// Planes [0, planes) in groups of `size`.
std::vector<CorrelateSum> in_groups(int planes, int size) {
  std::vector<CorrelateSum> sums;
  for (int first = 0; first < planes; first += size)
    sums.push_back(with_themselves(first, first + size));
  return sums;
}

std::vector<CorrelateSum> joint(int planes) {
  std::vector<CorrelateSum> sums;
  for (int first = 0; first < planes / 2; ++first)
    for (int second = planes / 2; second < planes; ++second)
      sums.push_back(named({{first, second}}));
  return sums;
}

void check_even(const std::string& text, int planes) {
  if (planes % 2 != 0)
    refuse("correlate",
           fmt::format("sums '{}' needs an even number of planes; the image has {}", text, planes));
}

/// Calls `take` with the parts between separators; an empty text has one part, which is empty.
template <class Take>
void split(std::string_view text, char separator, Take take) {
  for (std::size_t at = 0; at != std::string_view::npos; text.remove_prefix(at + 1)) {
    at = text.find(separator);
    take(text.substr(0, at));
    if (at == std::string_view::npos) return;
  }
}

int plane_of(std::string_view text, std::string_view pair, int planes) {
  int plane = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), plane);
  if (error != std::errc() || end != text.data() + text.size())
    refuse(
        "correlate",
        fmt::format("'{}' is not a pair of planes; write two numbers such as 0:1, pairs added by "
                    "'+', maps by ',', or one of all, each, pairs, joint",
                    pair));
  if (plane < 0 || plane >= planes)
    refuse("correlate", fmt::format("the pair '{}' has plane {}; the image has planes 0 to {}",
                                    pair, plane, planes - 1));
  return plane;
}

PlanePair pair_of(std::string_view text, int planes) {
  const std::size_t colon = text.find(':');
  const auto first = text.substr(0, colon);
  const auto second = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  return {plane_of(first, text, planes), plane_of(second, text, planes)};
}

}  // namespace

std::vector<CorrelateSum> parse_sums(const std::string& text, int planes) {
  if (planes < 1)
    refuse("correlate", fmt::format("the image has {} planes; it needs at least one", planes));
  if (text == "all") return in_groups(planes, planes);
  if (text == "each") return in_groups(planes, 1);
  if (text == "pairs" || text == "joint") {
    check_even(text, planes);
    return text == "pairs" ? in_groups(planes, 2) : joint(planes);
  }
  std::vector<CorrelateSum> sums;
  split(text, ',', [&](std::string_view map) {
    std::vector<PlanePair> pairs;
    split(map, '+', [&](std::string_view pair) { pairs.push_back(pair_of(pair, planes)); });
    sums.push_back(named(std::move(pairs)));
  });
  return sums;
}

}  // namespace tessera
