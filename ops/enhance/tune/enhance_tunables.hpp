// SPDX-License-Identifier: Apache-2.0
/// The parts of enhance that can be tuned: `tessera tune --op enhance`.
#pragma once

#include <vector>

#include "tune/operations.hpp"
#include "tune/sites.hpp"

namespace tessera {

std::vector<TunedSite> enhance_sites();

/// Sizes are sides of square images: 1024,4096. Each goes through a few usual chains of steps. On a
/// GPU only u8 has knobs: throws Error(usage) for other types.
std::vector<TuneTask> enhance_tasks(const TuneRequest& request);
std::vector<KernelName> enhance_tuned_kernels(const TuneRequest& request);
/// Knobs by pixels and channels, one column per chain.
TablePictures enhance_pictures(const std::vector<TuningLine>& lines, Backend backend, Type type);

}  // namespace tessera
