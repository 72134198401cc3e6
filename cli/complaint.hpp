// SPDX-License-Identifier: Apache-2.0
/// The parser's complaints: one sentence each, with what would be right.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tessera {

/// "tessera sample scene": the command the user has named so far.
std::string command_path(const CLI::App& root);

/// The innermost command named.
const CLI::App& deepest_command(const CLI::App& root);

/// Throws Error(usage) for an option, command or argument that does not exist and suggests the
/// nearest that does; returns if all exist.
void complain_about_extras(const CLI::App& root);

/// Throws Error(usage) with what the parser found.
[[noreturn]] void complain(const CLI::App& root, const CLI::ParseError& error);

}  // namespace tessera
