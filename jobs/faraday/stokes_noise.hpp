// SPDX-License-Identifier: Apache-2.0
/// The noise of the channels of a cube of Stokes I, and the pixels with emission, as
/// rmtools_fitIcube measures them: medians of absolute deviations in two passes.
#pragma once

#include <optional>
#include <vector>

#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct StokesNoise {
  std::vector<double> sigma;  ///< NaN: a channel without pixels
  Image emission;             ///< u8: 1 where any channel is above the threshold; empty: not asked
};

/// The first pass takes all pixels that are not 0 (below `threshold`, if that is above 0), the
/// second those below the median plus three deviations. Emission is above `threshold` or, if that
/// is below 0, above the median by its magnitude times the noise. Reads the cube plane by plane if
/// it has planes, otherwise whole.
StokesNoise measure_stokes_noise(FaradayCubeSource& cube, std::optional<double> threshold,
                                 FaradayMemory& memory);

}  // namespace tessera
