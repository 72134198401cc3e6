// SPDX-License-Identifier: Apache-2.0
/// Speeds, summaries, counts and the histogram of tracks.
#pragma once

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// Throws Error(usage) with the allowed values.
void check_measure(const CellsMeasure& measure);

/// Computes speeds, summaries, counts and histogram from tracks, film, calibration, options and
/// measure.
void summarise(CellsFilmResult& result);

}  // namespace tessera
