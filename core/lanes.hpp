// SPDX-License-Identifier: Apache-2.0
/// Lanes: several devices that share a run within one process. Each has a thread that does all that
/// a rank does (core/ranks.hpp), with its own plans, streams and readers, so that whatever ranks
/// can share, devices can. A device may have several lanes.
#pragma once

#include <functional>
#include <vector>

namespace tessera {

/// Calls work(0), work(1) …, one for each device and all at the same time, each on its own thread,
/// whose all_ranks() are the lanes. When one of them throws, the others stop at the next piece of
/// work; the exception of the first lane that has one is rethrown.
void run_lanes(const std::vector<int>& devices, const std::function<void(int lane)>& work);

}  // namespace tessera
