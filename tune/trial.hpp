// SPDX-License-Identifier: Apache-2.0
/// Work that is ready to be timed.
#pragma once

#include <functional>
#include <string>

#include "core/median_time.hpp"

namespace tessera {

struct Trial {
  std::function<void()> enqueue;       ///< one run; on a device it is only put in line
  std::function<void()> finish;        ///< waits for all that was put in line
  std::function<std::string()> wrong;  ///< after a run: "" or how it differs from the reference
};

struct TimingRule {
  int batches = 5;              ///< their median counts; 3 where a run takes long
  double batch_seconds = 2e-3;  ///< a batch is so many runs that it takes at least this long
  double long_seconds = 20e-3;  ///< a run that takes longer is little disturbed
};

/// The time of one run, of what has run before. What is more than twice as slow as `best` after the
/// first batch is not timed further: it cannot win.
MedianTime time_trial(const Trial& trial, const TimingRule& rule, double best);

}  // namespace tessera
