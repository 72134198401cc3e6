// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_latency.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

double milliseconds_since(LatencyClock::Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(LatencyClock::Clock::now() - then).count();
}

}  // namespace

LatencyShares latency_shares(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double share) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
  };
  return {at(0.5), at(0.9), at(0.99), values.back()};
}

void LatencyClock::processed(Clock::time_point arrived, int done) {
  waiting_.push_back(arrived);
  processing_.push_back(milliseconds_since(arrived));
  known_up_to(done);
}

void LatencyClock::known_up_to(int done) {
  while (static_cast<int>(result_.size()) < done && !waiting_.empty()) {
    result_.push_back(milliseconds_since(waiting_.front()));
    waiting_.pop_front();
    waited_.push_back(static_cast<double>(processing_.size() - result_.size()));
  }
}

void LatencyClock::end() {
  known_at_end_ = static_cast<int>(waiting_.size());
  known_up_to(static_cast<int>(processing_.size()));
}

CellsLatency LatencyClock::latency() const {
  return {static_cast<int>(processing_.size()),
          static_cast<int>(result_.size()),
          known_at_end_,
          latency_shares(processing_),
          latency_shares(result_),
          latency_shares(waited_)};
}

}  // namespace tessera
