// SPDX-License-Identifier: Apache-2.0
/// The words of the completion scripts for all shells.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace tessera {

using Words = std::vector<std::string>;

/// Every command with its path below the root: "", "info", "sample", "sample scene" …
void for_each_command(const CLI::App& app,
                      const std::function<void(const CLI::App&, const std::string&)>& visit,
                      const std::string& path = "");

/// "sample" and "scene" make "sample scene"; the root's path is empty.
std::string below(const std::string& path, const std::string& command);

Words command_words(const CLI::App& app);   ///< names of the commands below
Words option_words(const CLI::App& app);    ///< "--border" …
Words argument_words(const CLI::App& app);  ///< possible words of the arguments, if there is a list

/// Help text as one single-quoted shell word. Quotes are left out, because shells escape them
/// differently.
std::string quoted(const std::string& text);

std::string bash_completion(const CLI::App& root);
std::string zsh_completion(const CLI::App& root);
std::string fish_completion(const CLI::App& root);

}  // namespace tessera
