// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/completion_words.hpp"
#include "cli/help.hpp"

namespace tessera {
namespace {

// True when exactly this command has been typed, and none below it.
std::string fish_condition(const CLI::App& app, const std::string& path) {
  std::string condition;
  for (std::string rest = path; !rest.empty();) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    condition += (condition.empty() ? "" : "; and ") +
                 ("__fish_seen_subcommand_from " + rest.substr(0, space));
    rest.erase(0, space + 1);
  }
  const Words below = command_words(app);
  if (!below.empty())
    condition += fmt::format("{}not __fish_seen_subcommand_from {}",
                             condition.empty() ? "" : "; and ", fmt::join(below, " "));
  return condition;
}

}  // namespace

std::string fish_completion(const CLI::App& root) {
  std::string text = "# fish completion for tessera\n";
  for_each_command(root, [&](const CLI::App& app, const std::string& path) {
    const std::string head = "complete -c tessera -n " + quoted(fish_condition(app, path));
    for (const CLI::App* command : app.get_subcommands({}))
      text += fmt::format("{} -f -a {} -d {}\n", head, command->get_name(),
                          quoted(command->get_description()));
    for (const std::string& word : argument_words(app))
      text += fmt::format("{} -f -a {}\n", head, word);
    for (const CLI::Option* option : shown_options(app)) {
      const Words values = choices(*option);
      const std::string takes = is_flag(*option) ? "" : values.empty() ? " -r" : " -x";
      text += fmt::format("{} -l {}{}{} -d {}\n", head, long_name(*option).substr(2), takes,
                          values.empty() ? "" : fmt::format(" -a '{}'", fmt::join(values, " ")),
                          quoted(option->get_description()));
    }
  });
  return text;
}

}  // namespace tessera
