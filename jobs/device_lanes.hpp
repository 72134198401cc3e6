// SPDX-License-Identifier: Apache-2.0
/// A job on several devices of this process.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/lanes.hpp"
#include "core/ranks.hpp"
#include "jobs/settings.hpp"

namespace tessera {

/// Calls run(0, job), run(1, job) … at the same time, one for each device, in a shared run (see
/// run_lanes): each with a copy of the job for its device and its share of the machine.
template <class Job, class Run>
void run_on_lanes(const std::vector<int>& devices, const Job& job, const Run& run) {
  run_lanes(devices, [&](int lane) {
    const int device = devices[static_cast<std::size_t>(lane)];
    Job own = job;
    if constexpr (requires { own.options.device; }) own.options.device = device;
    own.settings.lanes = {static_cast<int>(devices.size()),
                          static_cast<int>(std::ranges::count(devices, device))};
    const SharedRun shared;
    run(lane, own);
  });
}

}  // namespace tessera
