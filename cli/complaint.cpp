// SPDX-License-Identifier: Apache-2.0
#include "cli/complaint.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "cli/help.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr std::size_t kShortestBeginning = 3;  // "--" and a letter begin too many options

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : shown_options(app))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

/// The first name that begins with the word: "--output" for "--out".
std::string completed(const std::string& word, const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (word.size() > kShortestBeginning && name.starts_with(word)) return name;
  return {};
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const std::string begun = completed(word, known);
  const std::string nearest = begun.empty() ? nearest_word(word, known) : begun;
  return nearest.empty() ? otherwise : fmt::format("did you mean {}?", nearest);
}

/// "--box 64 64" instead of "--box 64x64".
bool is_second_number(const CLI::App& app, const std::string& word) {
  const auto takes_size = [](const CLI::Option* option) {
    return option->count() > 0 && option->get_type_name().find("WxH") != std::string::npos;
  };
  return word.find_first_not_of("0123456789") == std::string::npos &&
         std::ranges::any_of(app.get_options(), takes_size);
}

void complain_about(const CLI::App& root, const std::string& word) {
  const CLI::App& app = deepest_command(root);
  const std::string see = fmt::format("see {} --help", command_path(root));
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    refuse(
        fmt::format("there is no option {}; {}", name, suggestion(name, option_names(app), see)));
  }
  if (!app.get_subcommands({}).empty())
    refuse(fmt::format("there is no command '{}'; {}", word,
                       suggestion(word, command_names(app), see)));
  refuse(
      fmt::format("'{}' is one argument too many; {}", word,
                  is_second_number(app, word) ? "write width and height as one word: 96x64" : see));
}

std::vector<std::string> missing_arguments(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (option->get_required() && option->count() == 0) names.push_back(option->get_name());
  return names;
}

}  // namespace

const CLI::App& deepest_command(const CLI::App& root) {
  const auto parsed = root.get_subcommands();
  return parsed.empty() ? root : deepest_command(*parsed.back());
}

std::string command_path(const CLI::App& root) {
  const auto parsed = root.get_subcommands();
  return root.get_name() + (parsed.empty() ? "" : " " + command_path(*parsed.back()));
}

void complain_about_extras(const CLI::App& root) {
  std::vector<std::string> extras = root.remaining(true);
  std::erase(extras, "--");               // the end of the options
  for (const std::string& word : extras)  // the value of a misspelt option is taken for an argument
    if (word.starts_with("-") && word != "-") complain_about(root, word);
  if (!extras.empty()) complain_about(root, extras.front());
}

void complain(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = deepest_command(root);
  const std::vector<std::string> missing = missing_arguments(app);
  if (!missing.empty())
    refuse(fmt::format("{} {} missing; see {} --help", joined(missing),
                       missing.size() == 1 ? "is" : "are", command_path(root)));
  std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && name.starts_with("-"))
    refuse(fmt::format("{} needs a value; see {} --help", name, command_path(root)));
  refuse(text.substr(0, text.find('\n')));
}

}  // namespace tessera
