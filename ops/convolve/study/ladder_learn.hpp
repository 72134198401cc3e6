// SPDX-License-Identifier: Apache-2.0
/// `tessera study convolve --learn JOURNAL`: blocks and tile factors for filters that were never
/// searched, from those that were. The paper leaves that to future work: its tables took a search
/// for every filter.
///
/// What a candidate loses to the best one changes little between filters of similar size. So its
/// loss at another filter is estimated by the mean of its losses at all filters that were searched,
/// each weighted by its distance to the power of -4; the distance is that of the logarithms of
/// widths and heights.
#pragma once

#include <vector>

#include "ops/convolve/study/ladder_search.hpp"

namespace tessera {

/// A filter that was searched whole: logarithms of the time of each candidate over that of the
/// best, NaN for one without a time.
struct SearchedFilter {
  StudySize filter;
  std::vector<double> losses;  ///< in the order of the rung's candidates
};
std::vector<SearchedFilter> searched_filters(const SearchedRung& rung,
                                             const LadderJournal& journal);

/// Indices of a rung's candidates for a filter, the one that should be fastest first. Those whose
/// tile exceeds `shared_bytes`, or that have no time anywhere, are left out.
std::vector<std::size_t> predicted_order(const SearchedRung& rung, StudySize filter,
                                         const std::vector<SearchedFilter>& searched,
                                         int shared_bytes);

/// The loss of the fastest of the first `tries` candidates of an order that run at a filter that
/// was searched: 0.02 is 2% more time than the best of all. Infinite if none has a time.
double regret(const SearchedFilter& filter, const std::vector<std::size_t>& order, int tries);

/// The orders that compete: predicted_order, and what one would do without it.
struct Prediction {
  const char* name;
  std::vector<std::size_t> (*order)(const SearchedRung&, StudySize,
                                    const std::vector<SearchedFilter>&, int shared_bytes);
};
const std::vector<Prediction>& predictions();

/// Every searched filter predicted from all others, and choices for those of `sizes` that were not
/// searched. Throws Error(input) if fewer than two filters of any rung were searched whole.
StudyResult learn_from_search(const LadderJournal& journal, const std::vector<StudySize>& sizes,
                              const std::vector<std::string>& rungs, int shared_bytes, int side);

}  // namespace tessera
