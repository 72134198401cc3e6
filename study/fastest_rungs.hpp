// SPDX-License-Identifier: Apache-2.0
/// The fastest of a study's rungs, and how the CPU's compares with the GPU's.
#pragma once

#include <string>
#include <vector>

#include "study/study_result.hpp"

namespace tessera {

/// The fastest of the rungs with these names, or whose names begin with one that ends with a dot;
/// null if none ran.
const StudyRow* fastest_row(const StudyResult& result, const std::vector<std::string>& names);

/// "on the CPU cpu.ours is fastest: 4 ms; on the GPU …; the GPU is 3 times as fast"; empty if no
/// rung ran.
std::string fastest_of_both(const StudyResult& result);

}  // namespace tessera
