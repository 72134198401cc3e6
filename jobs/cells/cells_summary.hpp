// SPDX-License-Identifier: Apache-2.0
/// Speeds, summaries, counts and the histogram of tracks.
#pragma once

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// Throws Error(usage) with what would be right.
void check_measure(const CellsMeasure& measure);

/// Fills all that follows from tracks, film, calibration, options and measure: speeds, summaries,
/// counts, histogram.
void summarise(CellsFilmResult& result);

}  // namespace tessera
