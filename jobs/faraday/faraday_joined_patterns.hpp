// SPDX-License-Identifier: Apache-2.0
/// Patterns that several ranks have met (core/ranks.hpp), in the order in which one process meets
/// them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// A pattern as one rank has met it.
struct FaradayMetPattern {
  int number = 0;             ///< there
  long long first_pixel = 0;  ///< that has it, counted row by row in the image
};

struct FaradayJoinedPatterns {
  std::vector<std::string> flags;              ///< of patterns 1, 2 …
  std::map<std::pair<int, int>, int> numbers;  ///< here, by rank and number there
};

/// On each rank. `own` are this rank's by their flags. If there are more than `most` of all ranks,
/// one more is enough.
FaradayJoinedPatterns join_patterns(const std::map<std::string, FaradayMetPattern>& own,
                                    std::size_t most);

}  // namespace tessera
