// SPDX-License-Identifier: Apache-2.0
/// The filter sizes that tables are made for.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Width and height of a filter.
struct FilterSize {
  int width = 0, height = 0;
  bool operator==(const FilterSize&) const = default;
};

/// The paper's widths and heights are the odd numbers from the first to the last.
inline constexpr int kFirstPaperSide = 3, kLastPaperSide = 43;

/// The paper's 441 sizes, most informative first: the squares, 43 others spread over the plane,
/// then the rest.
std::vector<FilterSize> all_sizes();
constexpr int kNodeSizes = 64;  ///< number of sizes that come first, where knobs are searched

inline constexpr const char* kAllSizes = "all";

/// "square", "all", or a list "7x7,9x5,31": a single number is a square. Throws Error(usage).
std::vector<FilterSize> sizes_from_text(const std::string& text);

}  // namespace tessera
