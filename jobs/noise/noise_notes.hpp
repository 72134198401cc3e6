// SPDX-License-Identifier: Apache-2.0
/// Notes about a finished map.
#pragma once

#include <string>
#include <vector>

#include "jobs/noise/noise_outputs.hpp"
#include "jobs/noise/noise_summary.hpp"

namespace tessera {

/// Why a map has no value, or infinite ones; nothing if all is well. Products are those of a job,
/// in the order of their planes.
std::vector<std::string> noise_notes(const std::vector<NoiseProduct>& products,
                                     const NoiseSeen& seen, long long pixels);

}  // namespace tessera
