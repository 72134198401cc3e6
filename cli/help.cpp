// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "cli/terminal.hpp"

namespace tessera {
namespace {

constexpr int kWidest = 100;  // longer lines are hard to read

// Words of `text` in lines of at most `width` columns, each after `indent` spaces.
std::string wrapped(const std::string& text, int indent, int width) {
  std::istringstream words(text);
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out, line, word;
  while (words >> word) {
    if (!line.empty() && indent + static_cast<int>(line.size() + 1 + word.size()) > width) {
      out += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + margin + line + "\n";
}

std::string option_head(const CLI::Option& option) {
  std::string head = option.get_name(false, true);
  for (std::size_t comma = 0; (comma = head.find(',', comma)) != std::string::npos; comma += 2)
    head.replace(comma, 1, ", ");
  return is_flag(option) ? head : head + " " + option.get_type_name();
}

std::string option_help(const CLI::Option& option) {
  const std::string fallback = option.get_default_str();
  const std::string& help = option.get_description();
  return is_flag(option) || fallback.empty() ? help
                                             : fmt::format("{} (default: {})", help, fallback);
}

std::string usage(const CLI::App& app, const std::string& name) {
  std::string text = "Usage: " + name;
  if (!app.get_subcommands({}).empty()) return text + " COMMAND ...\n";
  for (const CLI::Option* argument : shown_arguments(app)) {
    const std::string word = argument->get_name();
    text += " " + (argument->get_required() ? word : "[" + word + "]");
  }
  return text + " [OPTION...]\n";
}

// "  name     help", with the help texts aligned.
std::string table(const std::vector<std::pair<std::string, std::string>>& rows, int width) {
  std::size_t widest = 0;
  for (const auto& [name, help] : rows) widest = std::max(widest, name.size());
  const int indent = static_cast<int>(widest) + 4;
  std::string text;
  for (const auto& [name, help] : rows) {
    const std::string lines = wrapped(help, indent, width);
    text += fmt::format("  {:<{}}  {}", name, widest,
                        lines.size() > static_cast<std::size_t>(indent)
                            ? lines.substr(static_cast<std::size_t>(indent))
                            : "\n");
  }
  return text;
}

// Parts of a hint that are not literal words: X,Y and FILE, and the names of value_hint() for
// numbers.
bool stands_for_values(const std::string& word) {
  const bool capital =
      std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return capital || word == "integer" || word == "number" || word == "text";
}

}  // namespace

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) {
    return option->nonpositional() && option->get_group() != kHiddenGroup;
  });
}

std::vector<const CLI::Option*> shown_arguments(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> choices(const CLI::Option& option) {
  std::vector<std::string> words;
  const std::string hint = option.get_type_name();
  if (hint.find('|') == std::string::npos) return words;
  for (const std::string& word : CLI::detail::split(hint, '|'))
    if (!stands_for_values(word)) words.push_back(word);
  return words;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
  const int width = std::min(kWidest, terminal_width(STDOUT_FILENO));
  std::string text = usage(*app, name) + wrapped(app->get_description(), 0, width);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const CLI::App* command : app->get_subcommands({}))
    rows.emplace_back(command->get_name(), command->get_description());
  if (!rows.empty()) text += "\nCommands:\n" + table(rows, width);
  rows.clear();
  for (const CLI::Option* argument : shown_arguments(*app))
    rows.emplace_back(argument->get_name(), argument->get_description());
  if (!rows.empty()) text += "\nArguments:\n" + table(rows, width);
  text += "\nOptions:\n";
  for (const CLI::Option* option : shown_options(*app))
    text += "  " + option_head(*option) + "\n" + wrapped(option_help(*option), 10, width);
  const std::string footer = app->get_footer();
  return footer.empty() ? text : text + "\n" + footer + (footer.back() == '\n' ? "" : "\n");
}

}  // namespace tessera
