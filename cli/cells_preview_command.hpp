// SPDX-License-Identifier: Apache-2.0
/// `tessera cells preview`: what `cells track` would do with a film, from its first frames.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_cells_preview(Program& program, CLI::App& group);

}  // namespace tessera
