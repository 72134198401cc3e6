// SPDX-License-Identifier: Apache-2.0
/// `tessera faraday catalogue`: rotation measures of listed positions.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_faraday_catalogue(Program& program, CLI::App& group);

}  // namespace tessera
