// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

constexpr int kPlaces = 1000;
constexpr double kNoScatter = std::numeric_limits<double>::quiet_NaN();

/// Where the cumulative sum of `probability`, divided by its total, passes `share`: interpolated
/// between two places.
double percentile(const std::vector<double>& place, const std::vector<double>& running,
                  double share) {
  const auto above = std::upper_bound(running.begin(), running.end(), share);
  if (above == running.end()) return kNoScatter;
  const auto k = static_cast<std::size_t>(above - running.begin());
  if (k == 0) return place[0];
  const double part = (share - running[k - 1]) / (running[k] - running[k - 1]);
  return place[k - 1] + part * (place[k] - place[k - 1]);
}

}  // namespace

AddedScatter added_scatter(const std::vector<double>& residuals) {
  std::vector<double> good;
  for (const double value : residuals)
    if (std::isfinite(value)) good.push_back(value);
  if (good.empty()) return {kNoScatter, kNoScatter, kNoScatter};
  const auto [least, most] = std::minmax_element(good.begin(), good.end());
  const double range = (*most + 1) - (*least - 1);  // errors are 1 in these units
  const double count = static_cast<double>(good.size());
  double squares = 0;
  for (const double value : good) squares += value * value;
  std::vector<double> place, probability;
  for (int k = 1; k <= kPlaces; ++k) {
    const double sigma = range * k / kPlaces, variance = 1 + sigma * sigma;
    place.push_back(sigma);
    probability.push_back(-std::log(sigma) - count * 0.5 * std::log(variance) -
                          0.5 * squares / variance);
  }
  const double highest = *std::max_element(probability.begin(), probability.end());
  std::vector<double> running;
  double sum = 0;
  for (const double value : probability) running.push_back(sum += std::exp(value - highest));
  for (double& value : running) value /= sum;
  const double middle = percentile(place, running, 0.5);
  return {middle, middle - percentile(place, running, 0.1572),
          percentile(place, running, 0.8427) - middle};
}

}  // namespace tessera
