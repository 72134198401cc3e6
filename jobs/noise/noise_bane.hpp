// SPDX-License-Identifier: Apache-2.0
/// The settings of BANE, for its users.
#pragma once

#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "tessera/noise_options.hpp"

namespace tessera {

/// Four beams in pixels, rounded up: sqrt(BMAJ BMIN) over the size of a pixel; 16 if the header
/// does not have them.
int bane_step(const HeaderCards& header);

/// A grid derived from the beam, a box of six of its steps, clipped means, two passes. Options that
/// are `given` by name keep their values.
NoiseOptions as_bane(NoiseOptions options, const std::vector<std::string>& given,
                     const HeaderCards& header);

}  // namespace tessera
