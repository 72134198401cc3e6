// SPDX-License-Identifier: Apache-2.0
/// Work that is ready to be timed.
#pragma once

#include <functional>
#include <string>

#include "core/median_time.hpp"

namespace tessera {

struct Trial {
  std::function<void()> enqueue;       ///< one run; on a device it is only enqueued
  std::function<void()> finish;        ///< waits for everything enqueued
  std::function<std::string()> wrong;  ///< after a run: "" or how it differs from the reference
};

struct TimingRule {
  int batches = 5;              ///< their median counts; 3 if a run takes long
  double batch_seconds = 2e-3;  ///< a batch has enough runs to take at least this long
  double long_seconds = 20e-3;  ///< a run that takes longer is little disturbed
};

/// The time of one run, for work that has run before. Work more than twice as slow as `best` after
/// the first batch is not timed further: it cannot win.
MedianTime time_trial(const Trial& trial, const TimingRule& rule, double best);

}  // namespace tessera
