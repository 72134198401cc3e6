// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tessera {

/// Smooth noise in [-1, 1]: three octaves of values at whole coordinates, the coarsest one unit
/// apart, with linear interpolation of smoothed fractions. `detail` in [0, 1] fades the finer
/// ones.
float smooth_noise(float x, float y, std::uint64_t seed, float detail);

}  // namespace tessera
