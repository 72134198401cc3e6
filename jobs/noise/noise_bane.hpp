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

/// Why the steps of a grid do not follow the beam, and the option that sets them; "": they do, or
/// are `given`. `options` are those of as_bane; `has_table`: the file has beams of its channels.
std::string bane_note(const NoiseOptions& options, const std::vector<std::string>& given,
                      const HeaderCards& header, bool has_table);

}  // namespace tessera
