// SPDX-License-Identifier: Apache-2.0
/// Checks of a noise job before its work: all throw Error(usage).
#pragma once

#include <vector>

#include "jobs/noise/noise_job.hpp"
#include "jobs/noise/noise_outputs.hpp"

namespace tessera {

/// Refuses choices that contradict each other, and pictures that cannot be drawn.
void check_noise_choices(const NoiseJob& job);

/// Refuses files that would replace the image or the mask.
void check_noise_files(const NoiseJob& job, const std::vector<NoiseProduct>& products);

/// Refuses parts of a run that cannot be split.
void check_noise_apart(const NoiseJob& job, NoiseMode mode);

/// Refuses a picture of several planes.
void check_noise_planes(const NoiseJob& job, const NoiseInput& input);

}  // namespace tessera
