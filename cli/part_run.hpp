// SPDX-License-Identifier: Apache-2.0
/// Commands with --part, and the command that a join runs again.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace tessera {

/// The words of a command line without --part and its value.
std::vector<std::string> without_part(const std::vector<std::string>& words);

/// As it could be typed again: "tessera noise field.fits -o field".
std::string command_line(const std::vector<std::string>& words);

/// Runs the command's action as the part that its session names, and says what the part did.
/// `words` are those of the whole run. Throws Error(usage) if the command cannot be split.
void run_part(CommandState& state, const std::vector<std::string>& words);

}  // namespace tessera
