// SPDX-License-Identifier: Apache-2.0
/// The layout of --help, which help2man reads too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tessera {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// The group of options that are accepted but not shown.
inline constexpr const char* kHiddenGroup = "";

/// Options a user may type, in the order they were declared.
std::vector<const CLI::Option*> shown_options(const CLI::App& app);
/// Positional arguments.
std::vector<const CLI::Option*> shown_arguments(const CLI::App& app);
/// "--border", or the only name there is.
std::string long_name(const CLI::Option& option);
/// The possible words of a value, if there is a list: the parts of "a|b|c".
std::vector<std::string> choices(const CLI::Option& option);
/// Whether the option takes no value.
bool is_flag(const CLI::Option& option);

}  // namespace tessera
