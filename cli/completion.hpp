// SPDX-License-Identifier: Apache-2.0
/// Shell completion, made by walking the tree of commands: it cannot fall behind it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tessera {

/// "bash|zsh|fish"
std::string shell_hint();

/// The script for a shell; throws Error(usage) for one there is none for.
std::string completion_script(const CLI::App& root, const std::string& shell);

}  // namespace tessera
