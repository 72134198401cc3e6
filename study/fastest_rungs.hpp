// SPDX-License-Identifier: Apache-2.0
/// The fastest of a study's rungs, ratios of their times, and how the CPU's compares with the
/// GPU's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/study_result.hpp"

namespace tessera {

/// The fastest of the rungs for which wanted(name) is true; null if none ran.
template <class Wanted>
const StudyRow* fastest_where(const StudyResult& result, Wanted wanted) {
  const StudyRow* best = nullptr;
  for (const StudyRow& row : result.rows)
    if (row.ms && wanted(row.rung) && (!best || *row.ms < *best->ms)) best = &row;
  return best;
}

/// The fastest of the rungs with these names, or whose names begin with one that ends with a dot;
/// of them only those with this ending. Null if none ran.
const StudyRow* fastest_row(const StudyResult& result, const std::vector<std::string>& names,
                            const std::string& ending = "");

/// The shortest time of some rungs over that of others; none if none of either ran.
std::optional<double> time_ratio(const StudyResult& result, const std::vector<std::string>& over,
                                 const std::vector<std::string>& under,
                                 const std::string& ending = "");

/// "on the CPU cpu.ours is fastest: 4 ms; on the GPU …; the GPU is 3 times as fast", with a word if
/// that rung does not copy from and to the host; empty if no rung ran.
std::string fastest_of_both(const StudyResult& result);

}  // namespace tessera
