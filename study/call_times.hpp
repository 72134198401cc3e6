// SPDX-License-Identifier: Apache-2.0
/// Times calls (call_work.hpp) on the CPU, and on a GPU from ordinary memory, from page-locked
/// memory and on images in the memory of the device.
#pragma once

#include <vector>

#include "study/bench_report.hpp"
#include "study/call_work.hpp"

namespace tessera {

/// One row per size (64, 512 and 4096, the last not if `quick`) and place; places
/// of a GPU only if there is one. Error(failure) if a kept plan gives other bytes than a new one.
std::vector<BenchCall> time_calls_of(const CallEntry& entry, bool quick);

}  // namespace tessera
