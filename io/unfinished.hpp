// SPDX-License-Identifier: Apache-2.0
/// Outputs get their names between two moments at which abandon_outputs may remove them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// Calls `place` and forgets what was noted (note_unfinished); abandon_outputs waits for both. What
/// `place` throws leaves the notes.
void place_unfinished(const std::vector<std::pair<int, std::string>>& noted,
                      const std::function<void()>& place);

}  // namespace tessera
