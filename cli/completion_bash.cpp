// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion_words.hpp"
#include "cli/help.hpp"

namespace tessera {
namespace {

// The words before the cursor choose the command; the word just before it may be an option that
// lists its values. Everything else completes options, commands and files.
constexpr const char* kBashHead = R"(# bash completion for tessera
_tessera() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local path= word commands= words= options=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
)";
constexpr const char* kBashTail = R"(  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ -n $commands$words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands $words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _tessera tessera
)";

std::string bash_values(const CLI::App& root) {
  std::string text = "    esac\n  done\n  case \"$path $previous\" in\n";
  for_each_command(root, [&](const CLI::App& app, const std::string& path) {
    for (const CLI::Option* option : shown_options(app)) {
      const Words values = choices(*option);
      if (!values.empty())
        text += fmt::format(
            "    '{} {}') mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\"); return ;;\n",
            path, long_name(*option), fmt::join(values, " "));
    }
  });
  return text + "  esac\n";
}

}  // namespace

std::string bash_completion(const CLI::App& root) {
  std::string paths, words;
  for_each_command(root, [&](const CLI::App& app, const std::string& path) {
    for (const std::string& command : command_words(app))
      paths += fmt::format("      '{} {}') path='{}' ;;\n", path, command, below(path, command));
    words += fmt::format("    '{}') commands='{}'; words='{}'; options='{}' ;;\n", path,
                         fmt::join(command_words(app), " "), fmt::join(argument_words(app), " "),
                         fmt::join(option_words(app), " "));
  });
  return kBashHead + paths + bash_values(root) + "  case \"$path\" in\n" + words + kBashTail;
}

}  // namespace tessera
