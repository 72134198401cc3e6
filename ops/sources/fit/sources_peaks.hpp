// SPDX-License-Identifier: Apache-2.0
/// The maxima of an island that are sources of their own, and the pixels of each.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/sources/sources_group.hpp"

namespace tessera {

struct SourceRule {
  double seed = 5, rise = 5;
};

/// A source: its highest pixel, and the pixels that belong to it, in row order.
struct SourcePeak {
  int island = 0;
  std::size_t top = 0;
  std::vector<std::size_t> pixels;
};

/// The sources of all islands of a group: by island, the highest first.
std::vector<SourcePeak> source_peaks(const SourceGroup& group, const SourceRule& rule);

/// The same from the definition, for tests: from every maximum a search for its saddle.
std::vector<SourcePeak> source_peaks_reference(const SourceGroup& group, const SourceRule& rule);

}  // namespace tessera
