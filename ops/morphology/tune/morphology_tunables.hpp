// SPDX-License-Identifier: Apache-2.0
/// The parts of erode and dilate that can be tuned: `tessera tune --op morphology`.
#pragma once

#include <vector>

#include "tune/operations.hpp"
#include "tune/sites.hpp"

namespace tessera {

std::vector<TunedSite> morphology_sites();

/// Sizes are elements as users type them: box:7x7, disk:5. Boxes are of method separable, others of
/// direct.
std::vector<TuneTask> morphology_tasks(const TuneRequest& request);
std::vector<KernelName> morphology_tuned_kernels(const TuneRequest& request);
/// Knobs by width and height of the element.
TablePictures morphology_pictures(const std::vector<TuningLine>& lines, Backend backend, Type type);

}  // namespace tessera
