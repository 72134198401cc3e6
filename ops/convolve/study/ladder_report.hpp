// SPDX-License-Identifier: Apache-2.0
/// The outcome of a search: the best candidate of every filter, and the shares that the paper
/// prints next to those found here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/convolve/study/ladder_search.hpp"
#include "study/study_result.hpp"

namespace tessera {

/// The fastest verified candidate of a task whose tile fits; null if there is none. `whole`:
/// whether the journal knows what became of every one.
struct BestCandidate {
  SearchTask task;
  const LadderRecord* record = nullptr;
  bool whole = false;
};
std::vector<BestCandidate> best_candidates(const std::vector<SearchTask>& tasks,
                                           const LadderJournal& journal, int shared_bytes);

/// One row per task with a best candidate, rung 1 included.
std::vector<StudyRow> search_rows(const std::vector<BestCandidate>& best, int side);

/// Tables of the best candidates, with the paper's choices, and of the shares of rung 8 if enough
/// filters were searched whole.
std::string search_tables(const StudyResult& result, const std::vector<BestCandidate>& best,
                          const SearchCounts& counts);

/// Shares of the best kernels need at least this many filters, the number of the squares.
inline constexpr int kEnoughForShares = 21, kPaperFilters = 441;

/// Shares of the best kernels of rung 8, of filters of the paper's grid that were searched whole.
struct SearchShares {
  int filters = 0;
  double tiles_2 = 0, tiles_4 = 0, tiles_over_4 = 0;  ///< percent
  double mean_tiles = 0;
  int least_tiles = 0, most_tiles = 0;
  std::string common_block;  ///< "16x32": the one that is best most often
  double common = 0;         ///< percent
  double width_16 = 0, block_16x32 = 0, block_16x64 = 0;  ///< percent
};
SearchShares search_shares(const std::vector<BestCandidate>& best);

}  // namespace tessera
