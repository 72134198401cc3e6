// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "cli/command.hpp"
#include "cli/complaint.hpp"
#include "cli/devices.hpp"
#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "jobs/failure.hpp"
#include "jobs/launch.hpp"
#include "jobs/shell_word.hpp"
#include "tessera/error.hpp"
#include "tessera/printable.hpp"
#include "tune/found_tables.hpp"

namespace tessera {
namespace {

constexpr int kUsage = static_cast<int>(ErrorKind::usage);

// "convolve: …" from the library and "--border: …" from the parser both become
// "tessera convolve: …"; "cells: …" in "tessera cells track" becomes "tessera cells track: …".
int report_failure(const CLI::App& root, const Error& error) {
  const std::string path = command_path(root);
  const CLI::App& command = deepest_command(root);
  std::string rest = error.what();
  for (const CLI::App* app = &command; app && app != &root; app = app->get_parent())
    if (const std::string repeated = app->get_name() + ": "; rest.starts_with(repeated))
      rest.erase(0, repeated.size());
  std::fprintf(stderr, "%s: %s\n", path.c_str(), printable(rest).c_str());
  return static_cast<int>(error.kind());
}

// The processes of a launcher have the same words: the first of them says what all would. With
// "--mpi off" each is on its own.
bool one_of_many(int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  const auto mpi = std::ranges::find(words, "--mpi");
  const bool off =
      std::ranges::count(words, "--mpi=off") > 0 || (words.end() - mpi > 1 && mpi[1] == "off");
  if (launch().rank == 0 || off) return false;
  // The launcher ends all processes when one has failed: not before the first has spoken.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  return true;
}

// A command that needs arguments and got none: its user wants to see the help.
bool is_bare(const CLI::App& root) {
  const CLI::App& app = deepest_command(root);
  if (app.remaining_size() > 0) return false;
  bool needs_something = !app.get_subcommands({}).empty();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 0) return false;
    needs_something |= option->get_required();
  }
  return needs_something;
}

// As it could be typed again.
std::string command_line(int argc, char** argv) {
  std::string line = "tessera";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

// "--" ends the options. The parser forgets that after an option whose value may be left out, so
// file names that begin with '-' are given to it as they cannot be mistaken: "./-a.npy".
std::vector<std::string> without_false_options(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  const auto end = std::ranges::find(words, "--");
  for (auto word = end; word != words.end(); ++word)
    if (word != end && word->size() > 1 && word->starts_with('-')) word->insert(0, "./");
  return words;
}

// "help convolve" is "convolve --help".
void put_help_last(const CLI::App& root, std::vector<std::string>& words) {
  if (words.size() < 2 || words[1] != "help") return;
  if (words.size() > 2 && words[2].starts_with('-')) return;  // help of this command itself
  words.erase(words.begin() + 1);
  const CLI::App* app = &root;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    std::vector<std::string> known;
    for (const CLI::App* command : app->get_subcommands({})) {
      known.push_back(command->get_name());
      if (!same_word(*word, known.back())) continue;
      *word = known.back();
      app = command;
    }
    if (app->get_name() != *word) throw_unknown("help", *word, known);
  }
  words.emplace_back("--help");
}

// Printed once, if plans were made: choices then come from other tables or the cost models, and
// kernels are compiled again.
void warn_of_ignored_files() {
  for (const std::string& warning : ignored_cache_warnings())
    std::fprintf(stderr, "tessera: warning: %s\n", printable(warning).c_str());
}

bool is_named(const CommandState& state) {
  return state.app->parsed() && state.app->get_subcommands().empty();
}

void set_options(CommandState& state, const std::string& command_line) {
  for (auto& [option, set] : state.values)
    if (option->count() > 0) set(option->results().back());
  for (auto& [option, values] : state.lists) *values = option->results();
  Session& session = state.session;
  session.stdout_is_data = state.output && *state.output == "-";
  if (session.json && session.stdout_is_data)
    throw Error(ErrorKind::usage, "--json and the image cannot both go to standard output");
  if (state.keep_command) state.keep_command(command_line);
}

// As if --force had been typed, if the command has that option.
void force(CommandState& state) {
  for (auto& [option, set] : state.values)
    if (option->check_lname("force")) set("true");
}

/// The action on all ranks.
void share_action(const CLI::App& root, CommandState& state) {
  Ranks& all = all_ranks();
  Session& session = state.session;
  Reply unseen;
  session.on_all_ranks = true;
  all.allow_mixed = session.allow_mixed;
  if (!all.first()) session.reply = &unseen;
  try {
    state.action(session);
    session.code = std::stoi(all.told(std::to_string(session.code)));
  } catch (...) {
    const Error error = current_failure();
    session.code = static_cast<int>(error.kind());
    settle_failure(session.label, error, [&] { report_failure(root, error); });
  }
}

/// The action on the first rank, for which the others wait.
void act_alone(const CLI::App& root, CommandState& state) {
  Ranks& all = all_ranks();
  Session& session = state.session;
  if (!all.first()) {
    session.code = std::stoi(all.told(""));
    return;
  }
  if (!session.quiet)
    std::fprintf(
        stderr,
        "tessera %s: note: one process does this alone; the other %d wait (docs/scale.md)\n",
        session.label.c_str(), all.count() - 1);
  try {
    state.action(session);
  } catch (...) {
    session.code = report_failure(root, current_failure());
  }
  all.told(std::to_string(session.code));
}

void perform_on_ranks(const CLI::App& root, CommandState& state) {
  const bool shared = state.shared && state.shared();
  shared ? share_action(root, state) : act_alone(root, state);
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error(ErrorKind::resources, "standard output cannot be written");
}

}  // namespace

Program::Program()
    : app_(std::make_unique<CLI::App>("Heavy image science, as fast as the machine allows.")) {
  app_->name("tessera")->require_subcommand(1)->allow_extras();
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->get_help_ptr()->description("print this help and exit");
  app_->set_version_flag("--version", "tessera " TESSERA_VERSION, "print the version and exit");
}

Program::~Program() = default;

CLI::App& Program::group(const char* name, const char* description) {
  CLI::App* app = app_->add_subcommand(name, description);
  app->require_subcommand(1)->allow_extras();
  return *app;
}

Command Program::listing_group(const char* name, const char* description, CLI::App*& group) {
  Command listing = command(*app_, name, description);
  group = commands_.back()->app;
  return listing;
}

Command Program::command(const char* name, const char* description) {
  return command(*app_, name, description);
}

Command Program::command(CLI::App& group, const char* name, const char* description) {
  auto state = std::make_shared<CommandState>();
  state->app = group.add_subcommand(name, description);
  if (const std::string other = american_spelling(name); other != name) state->app->alias(other);
  // The parser accepts extra words so that the complaint can suggest what was meant.
  state->app->allow_extras();
  // The command's name in messages: "cells track".
  state->session.label = (group.get_parent() ? group.get_name() + " " : "") + name;
  commands_.push_back(state);
  return Command(state);
}

void Program::parse(int argc, const char* const* argv) {
  std::vector<std::string> words = without_false_options(argc, argv);
  put_help_last(*app_, words);
  std::vector<const char*> given;
  for (const std::string& word : words) given.push_back(word.c_str());
  try {
    app_->parse(static_cast<int>(given.size()), given.data());
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    complain_about_extras(*app_);
    if (is_bare(*app_)) throw;
    complain(*app_, error);
  }
  complain_about_extras(*app_);
}

int Program::perform(const std::string& command_line) {
  int code = 0;
  for (const auto& state : commands_) {
    if (!is_named(*state)) continue;
    set_options(*state, command_line);
    Session& session = state->session;
    if (state->once && launch().rank > 0) return 0;
    const CleanEnd clean_end;
    if (state->once) session.mpi.word = "off";
    const DeviceChoice& devices = state->devices;
    const RanksOfRun ranks_of_run(session.mpi, devices.given ? devices.list : DeviceList{{}});
    choose_devices(*state, ranks_of_run.device());
    if (all_ranks().count() == 1)
      state->action(session);
    else
      perform_on_ranks(*app_, *state);
    code = session.code;
    if (!session.quiet && all_ranks().first()) warn_of_ignored_files();
  }
  flush_output();
  return code;
}

// Needs no CleanEnd: the command that asked for it has one.
Json Program::call(const std::string& line, const Progress& progress) {
  std::istringstream words_of_line(line);
  const std::vector<std::string> words{std::istream_iterator<std::string>(words_of_line), {}};
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::Error&) {
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a complete command", line));
  }
  Reply reply{.progress = progress};
  for (const auto& state : commands_) {
    if (!is_named(*state)) continue;
    state->session.json = true;
    state->session.reply = &reply;
    force(*state);
    set_options(*state, line);
    state->action(state->session);
    if (const int code = state->session.code; code != 0)
      throw Error(ErrorKind{code}, fmt::format("{}", fmt::join(reply.complaints, "; ")));
  }
  return reply.text.empty() ? Json() : Json::parse(reply.text);
}

int Program::run(int argc, char** argv) {
  try {
    parse(argc, argv);
    return perform(command_line(argc, argv));
  } catch (const CLI::CallForHelp&) {
    if (one_of_many(argc, argv)) return 0;
    std::fputs(app_->help().c_str(), stdout);
    return 0;
  } catch (const CLI::CallForVersion&) {
    if (one_of_many(argc, argv)) return 0;
    std::puts(app_->version().c_str());
    return 0;
  } catch (const CLI::ParseError&) {
    if (one_of_many(argc, argv)) return kUsage;
    std::fputs(app_->help().c_str(), stderr);
    return kUsage;
  } catch (...) {
    const Error error = current_failure();
    return one_of_many(argc, argv) ? static_cast<int>(error.kind()) : report_failure(*app_, error);
  }
}

}  // namespace tessera
