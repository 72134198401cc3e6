// SPDX-License-Identifier: Apache-2.0
#include "tune/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace tessera {
namespace {

double batch_seconds(const Trial& trial, int runs) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) trial.enqueue();
  trial.finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
}

}  // namespace

MedianTime time_trial(const Trial& trial, const TimingRule& rule, double best) {
  const double once = std::max(batch_seconds(trial, 1), 1e-9);
  const int runs = static_cast<int>(std::clamp(std::ceil(rule.batch_seconds / once), 1.0, 1000.0));
  const int batches = once > rule.long_seconds ? std::min(rule.batches, 3) : rule.batches;
  std::vector<double> seconds;
  if (runs == 1) seconds.push_back(once);
  while (static_cast<int>(seconds.size()) < batches) {
    if (!seconds.empty() && seconds.front() > 2 * best) break;
    seconds.push_back(batch_seconds(trial, runs));
  }
  return median_time(std::move(seconds));
}

}  // namespace tessera
