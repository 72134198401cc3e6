// SPDX-License-Identifier: Apache-2.0
/// The parts of correlate that can be tuned: `tessera tune --op correlate`. Its methods on the CPU
/// have no knobs.
#pragma once

#include <vector>

#include "tune/operations.hpp"
#include "tune/sites.hpp"

namespace tessera {

std::vector<TunedSite> correlate_sites();

/// Sizes are the side of the image and max-shift: 500/250 is an image of 500x500 with 250 shifts
/// each way. Throws Error(usage) for the CPU.
std::vector<TuneTask> correlate_tasks(const TuneRequest& request);
std::vector<KernelName> correlate_tuned_kernels(const TuneRequest& request);
/// Knobs by shifts and pixels.
TablePictures correlate_pictures(const std::vector<TuningLine>& lines, Backend backend, Type type);

}  // namespace tessera
