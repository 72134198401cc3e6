// SPDX-License-Identifier: Apache-2.0
/// The rows of a study that ran before, from what `--csv` printed.
#pragma once

#include <string>
#include <string_view>

#include "study/study_result.hpp"

namespace tessera {

/// Columns may be fewer than today's: older versions measured less. Throws Error(input) naming
/// `what` and the line.
StudyResult parse_study_csv(const std::string& study, const std::string& what,
                            std::string_view text);

/// The same from a file. Throws Error(input) if it cannot be read.
StudyResult read_study_csv(const std::string& study, const std::string& path);

}  // namespace tessera
