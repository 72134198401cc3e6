// SPDX-License-Identifier: Apache-2.0
/// The maps that a noise job makes, and the names of their files.
#pragma once

#include <string>
#include <vector>

#include "jobs/noise/noise_job.hpp"
#include "jobs/noise/noise_outputs.hpp"

namespace tessera {

/// The prefix of all names: in a folder, the input's name without its ending.
std::string noise_prefix(const NoiseJob& job);

/// All maps that are made, and the files of those that are written.
std::vector<NoiseProduct> noise_products(const NoiseJob& job, const std::string& ending);

}  // namespace tessera
