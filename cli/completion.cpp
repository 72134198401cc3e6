// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include <array>

#include "cli/completion_words.hpp"
#include "cli/help.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

struct Shell {
  const char* name;
  std::string (*script)(const CLI::App&);
};
constexpr std::array<Shell, 3> kShells{
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

}  // namespace

std::string below(const std::string& path, const std::string& command) {
  return path.empty() ? command : path + " " + command;
}

void for_each_command(const CLI::App& app,
                      const std::function<void(const CLI::App&, const std::string&)>& visit,
                      const std::string& path) {
  visit(app, path);
  for (const CLI::App* command : app.get_subcommands({}))
    for_each_command(*command, visit, below(path, command->get_name()));
}

Words command_words(const CLI::App& app) {
  Words words;
  for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  return words;
}

Words option_words(const CLI::App& app) {
  Words words;
  for (const CLI::Option* option : shown_options(app)) words.push_back(long_name(*option));
  return words;
}

Words argument_words(const CLI::App& app) {
  Words words;
  for (const CLI::Option* argument : shown_arguments(app))
    for (const std::string& choice : choices(*argument)) words.push_back(choice);
  return words;
}

std::string quoted(const std::string& text) {
  std::string plain;
  for (const char letter : text)
    if (letter != '\'' && letter != '\\') plain += letter;
  return "'" + plain + "'";
}

std::string shell_hint() {
  std::string hint;
  for (const Shell& shell : kShells) hint += (hint.empty() ? "" : "|") + std::string(shell.name);
  return hint;
}

std::string completion_script(const CLI::App& root, const std::string& shell) {
  Words known;
  for (const Shell& candidate : kShells) {
    if (shell == candidate.name) return candidate.script(root);
    known.push_back(candidate.name);
  }
  throw_unknown("completion", shell, known);
}

}  // namespace tessera
