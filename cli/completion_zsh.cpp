// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion_words.hpp"
#include "cli/help.hpp"

namespace tessera {
namespace {

std::string zsh_option(const CLI::Option& option) {
  std::string help = option.get_description();
  for (const char special : {'[', ']', ':'})
    for (std::size_t at = 0; (at = help.find(special, at)) != std::string::npos;) help.erase(at, 1);
  std::string action;
  const Words values = choices(option);
  if (!values.empty())
    action = fmt::format(":value:({})", fmt::join(values, " "));
  else if (!is_flag(option))
    action = ":value: ";
  return fmt::format("    {}", quoted(long_name(option) + "[" + help + "]" + action));
}

std::string zsh_arguments(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* argument : shown_arguments(app)) {
    const Words values = choices(*argument);
    const std::string action =
        values.empty() ? "_files" : fmt::format("({})", fmt::join(values, " "));
    text += " \\\n    " + quoted(":" + argument->get_name() + ":" + action);
  }
  return text;
}

std::string zsh_name(const std::string& path) {
  std::string name = "_tessera";
  for (const char letter : path.empty() ? "" : " " + path) name += letter == ' ' ? '_' : letter;
  return name;
}

// One function per command; a group calls the functions of its commands.
std::string zsh_function(const CLI::App& app, const std::string& path) {
  std::string text = zsh_name(path) + "() {\n  local context state line\n  _arguments -C";
  for (const CLI::Option* option : shown_options(app)) text += " \\\n" + zsh_option(*option);
  text += zsh_arguments(app);
  if (command_words(app).empty()) return text + "\n}\n";
  std::string cases;
  for (const std::string& command : command_words(app))
    cases += fmt::format("    {}) {} ;;\n", command, zsh_name(below(path, command)));
  return text + fmt::format(
                    " \\\n    '1:command:({})' '*::arguments:->arguments'\n"
                    "  [[ $state == arguments ]] && case $line[1] in\n{}  esac\n}}\n",
                    fmt::join(command_words(app), " "), cases);
}

}  // namespace

std::string zsh_completion(const CLI::App& root) {
  std::string text = "#compdef tessera\n";
  for_each_command(
      root, [&](const CLI::App& app, const std::string& path) { text += zsh_function(app, path); });
  return text +
         "if [[ $funcstack[1] == _tessera ]]; then _tessera; else compdef _tessera tessera; fi\n";
}

}  // namespace tessera
