// SPDX-License-Identifier: Apache-2.0
/// `tessera cells watch`: cells of a film that is being recorded.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_cells_watch(Program& program, CLI::App& group);

}  // namespace tessera
