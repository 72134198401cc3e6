// SPDX-License-Identifier: Apache-2.0
/// What a job of noise does not do, said before its work: all throw Error(usage).
#pragma once

#include <vector>

#include "jobs/noise/noise_job.hpp"
#include "jobs/noise/noise_outputs.hpp"

namespace tessera {

/// Choices that do not go together, and pictures that cannot be drawn.
void check_noise_choices(const NoiseJob& job);

/// Files that would take the place of the image or the mask.
void check_noise_files(const NoiseJob& job, const std::vector<NoiseProduct>& products);

}  // namespace tessera
