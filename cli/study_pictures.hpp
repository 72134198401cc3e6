// SPDX-License-Identifier: Apache-2.0
/// --picture of studies.
#pragma once

#include <string>
#include <vector>

#include "study/studies.hpp"

namespace tessera {

/// Draws a run at `path` (.svg or .png); its surfaces, if it is convolution's search, there and at
/// names that end in -tiles. Returns a sentence for each file.
std::vector<std::string> draw_study(const StudyResult& result, const StudyOptions& options,
                                    const std::string& path, bool force);

/// Checks the names before the study runs. Throws Error(usage) for endings that are not those of
/// pictures, and for files that exist unless `force` is given.
void check_study_pictures(const StudyOptions& options, const std::string& path, bool force);

}  // namespace tessera
