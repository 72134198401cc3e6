// SPDX-License-Identifier: Apache-2.0
/// Shell completion, generated from the tree of commands and so never out of date.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tessera {

/// "bash|zsh|fish"
std::string shell_hint();

/// The script for a shell; throws Error(usage) for an unknown shell.
std::string completion_script(const CLI::App& root, const std::string& shell);

}  // namespace tessera
