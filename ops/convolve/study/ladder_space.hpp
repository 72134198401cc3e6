// SPDX-License-Identifier: Apache-2.0
/// The space that the paper searched for every filter: blocks of threads times tile factors.
/// Arithmetic and names only: nothing here needs a GPU.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "ops/convolve/study/ladder_shape.hpp"
#include "study/studies.hpp"

namespace tessera {

struct LadderCandidate {
  int block_x = 0, block_y = 0, tiles = 0;
  auto operator<=>(const LadderCandidate&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// A rung whose block and tile factor are searched, or rung 1, which has one candidate: the search
/// compares with it.
struct SearchedRung {
  std::string id;
  std::vector<LadderCandidate> candidates;
  StudySize (*filter)(StudySize);  ///< the part of a filter that it applies
  LadderShape (*shape)(StudySize, const LadderCandidate&);
  KernelName (*kernel)(StudySize, const LadderShape&);
};

/// Rungs 1, 8, s1 and s2. Widths of blocks are 16 to 64 and heights 4 to 64, powers of two, with at
/// most 1024 threads; the paper names these ranges and 11 blocks. There are 12: 16x4, the smallest,
/// is left out. Tile factors are 1 to 10, 1 to 20 in s1 and s2.
const std::vector<SearchedRung>& searched_rungs();
const SearchedRung& searched_rung(const std::string& id);

/// A search of fewer candidates than all takes at most this many, in a fixed order.
inline constexpr int kMostFirst = 8, kWholeSearch = 110;

/// Filters that the paper measured: 3 to 43 each way, odd.
inline constexpr int kLeastSide = 3, kMostSide = 43;

/// Filter sizes of a search: "squares", "all" (441, squares first), or a list in which both may
/// stand; none twice. Throws Error(usage).
std::vector<StudySize> search_sizes(const std::string& text);

/// The kernel of a rung with everything known to the compiler: `body` of `unit` for a filter.
KernelName unrolled_kernel(const std::string& unit, const std::string& body, StudySize filter,
                           const LadderShape& shape);
KernelName pass_kernel(bool along_x, int taps, const LadderShape& shape);

/// Bytes of shared memory that a block of an architecture such as "sm_90" can have; 0 if it is not
/// known.
int shared_bytes_of(const std::string& architecture);

}  // namespace tessera
