// SPDX-License-Identifier: Apache-2.0
/// `tessera faraday fit-i`, which is independent of the other commands of its group.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_faraday_fit(Program& program, CLI::App& group);

}  // namespace tessera
