// SPDX-License-Identifier: Apache-2.0
/// `tessera cells score`, which is independent of the other commands of its group.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_cells_score(Program& program, CLI::App& group);

}  // namespace tessera
