// SPDX-License-Identifier: Apache-2.0
/// The figures of a paper from the rows of its study, for --picture.
#pragma once

#include <string>
#include <vector>

#include "jobs/picture.hpp"
#include "study/study_result.hpp"

namespace tessera {

/// Bars of rungs, lines over threads, tiles and filter sizes, with the paper's figures where it
/// prints them for a rung. Throws Error(usage) if no row has a time.
std::vector<StudyPanel> study_panels(const StudyResult& result);

/// The best kernels of convolution's search: GFLOP/s, or tile factors, over the filter's sides.
/// GFLOP/s between two measured sizes of a row or column are interpolated, and say so.
std::vector<FilterFigure> search_speeds(const StudyResult& result, const std::string& rung);
std::vector<FilterFigure> search_tiles(const StudyResult& result, const std::string& rung);

}  // namespace tessera
