// SPDX-License-Identifier: Apache-2.0
// Pairs of derivatives by name.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "tessera/edges.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

struct NamedPair {
  FilterUsage usage;
  Image (*derivative)(char axis);
  double sum;  ///< of the weights on either side
};

const std::vector<NamedPair>& named_pairs() {
  static const std::vector<NamedPair> pairs{
      {{"sobel", "sobel", "3x3, smoothed across by 1 2 1; within the range of the image"},
       sobel,
       4},
      {{"scharr", "scharr", "3x3, smoothed across by 3 10 3; within the range of the image"},
       scharr,
       16},
      {{"prewitt", "prewitt", "3x3, summed across by 1 1 1; within the range of the image"},
       prewitt,
       3},
  };
  return pairs;
}

constexpr FilterUsage kGauss{"gauss", "gauss:SIGMA[,RADIUS]",
                             "derivatives of a Gaussian; the radius is 4 sigma, rounded",
                             "gaussian"};

}  // namespace

const std::vector<FilterUsage>& edge_usages() {
  static const std::vector<FilterUsage> usages = [] {
    std::vector<FilterUsage> list;
    for (const NamedPair& pair : named_pairs()) list.push_back(pair.usage);
    list.push_back(kGauss);
    return list;
  }();
  return usages;
}

EdgeFilters edge_filters(std::string_view text) {
  for (const NamedPair& pair : named_pairs())
    if (pair.usage.is_called(text))
      return {pair.derivative('x'), pair.derivative('y'), 1 / (std::numbers::sqrt2 * pair.sum)};
  const std::string whole(text);
  const std::size_t colon = std::min(whole.find(':'), whole.size());
  if (kGauss.is_called(whole.substr(0, colon))) {
    const std::string values = whole.substr(std::min(colon + 1, whole.size()));
    if (values.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("edges: '{}' is not complete; write {}", text, kGauss.form));
    return {filter_from_text("gauss-x:" + values), filter_from_text("gauss-y:" + values), 1};
  }
  std::vector<std::string> known;
  for (const FilterUsage& usage : edge_usages()) known.emplace_back(usage.form);
  throw_unknown("edges", text, known);
}

}  // namespace tessera
