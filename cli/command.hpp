// SPDX-License-Identifier: Apache-2.0
/// The steps of a subcommand: declare, parse, call the job, report what ran.
///
///     void add_blur(Program& program) {
///       auto job = std::make_shared<BlurJob>();
///       Command command = program.command("blur", "Blur an image.");
///       command.input("INPUT", job->input, "the image to blur");
///       command.options(job->options);                       // from BlurOptions::fields()
///       command.action([job](Session& session) { session.say(job->run(session.progress())); });
///     }
///
/// CLI11 stays behind this header: it takes seconds to compile.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/session.hpp"
#include "jobs/device_list.hpp"
#include "tessera/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tessera {

/// --device, and the fields of the operation's options that it concerns.
struct DeviceChoice {
  DeviceList list;
  bool given = false;
  int* device = nullptr;  ///< null: the command has no such option
  const Backend* backend = nullptr;
};

/// Data of a command that CLI11's own tree has no place for.
struct CommandState {
  CLI::App* app = nullptr;
  Session session;
  std::function<void(Session&)> action;
  std::function<bool()> shared;  ///< whether all ranks run the action; null: rank 0 does
  bool once = false;             ///< never opens MPI: only the first process runs it
  DeviceChoice devices;
  std::vector<std::pair<CLI::Option*, std::function<void(const std::string&)>>> values;
  std::vector<std::pair<CLI::Option*, std::vector<std::string>*>> lists;
  std::function<void(const std::string&)> keep_command;  ///< receive the command line
  std::map<std::string, char> letters;                   ///< short forms: "force", 'f'
  const std::string* output =
      nullptr;  ///< "-" means that the file goes to stdout, results elsewhere
  const std::string* target = nullptr;  ///< what the command makes, next to which its parts lie
};

class Command {
 public:
  explicit Command(std::shared_ptr<CommandState> state) : state_(std::move(state)) {}

  /// Positional arguments, in order.
  void input(const char* name, std::string& value, const std::string& help);
  void optional_input(const char* name, std::string& value, const std::string& help);
  /// Also -o and --output.
  void output(const char* name, std::string& value, const std::string& help);
  /// One file or more.
  void inputs(const char* name, std::vector<std::string>& values, const std::string& help);
  /// -o and --output, for commands with many inputs or outputs.
  void output_option(std::string& value, const std::string& help, bool required = true);
  /// The same for several files, each with its own -o.
  void outputs_option(std::vector<std::string>& values, const std::string& help);
  /// One word; `hint` "a|b" lists the possible words, for help and completion.
  void word(const char* name, std::string& value, const std::string& hint, const std::string& help);

  /// Short forms of options and flags; they take effect when an option of that name is declared.
  void letters(std::map<std::string, char> letters) { state_->letters = std::move(letters); }

  /// Every field of an options struct becomes --name, except those a command has no use for.
  template <class Options>
  void options(Options& options, std::initializer_list<std::string_view> without = {}) {
    for_each_option(options, [&](const char* name, auto& value, const Help& help) {
      if (std::ranges::count(without, name) != 0) return;
      // The value outside an image may be NaN; plans refuse it where it means nothing.
      if constexpr (std::is_same_v<decltype(value), double&>)
        if (name == std::string_view("constant")) return number_or_nan(name, value, help);
      if (!device_option(name, value)) option(name, value, help);
    });
  }
  /// How images are read: what the file holds, and the limits that its header must respect.
  template <class Reading>
  void reading(Reading& how) {
    options(how);
    options(how.limits);
  }
  /// How images are written, and the command line for their history.
  template <class Writing>
  void writing(Writing& how) {
    options(how);
    state_->keep_command = [&how](const std::string& line) { how.command = line; };
  }
  /// The command line, for the history in files.
  void keep_line(std::string& line) {
    state_->keep_command = [&line](const std::string& text) { line = text; };
  }
  /// One option; a bool is a flag. `value` holds the default and must outlive the parse.
  template <class T>
  void option(const char* name, T& value, const std::string& help) {
    if constexpr (std::is_same_v<T, bool>)
      flag(name, value, help);
    else
      option(name, value_hint<T>(), to_text(value), help, [name, &value](const std::string& text) {
        from_text(std::string("--") + name, text, value);
      });
  }
  /// Declares --device if `name` is that, and returns whether it is; notes the backend, which
  /// decides whether devices can share the work. Commands ask it of every option of an operation.
  template <class T>
  bool device_option(const char* name, T& value) {
    if constexpr (std::is_same_v<T, Backend>) state_->devices.backend = &value;
    if constexpr (std::is_same_v<T, int>) {
      if (name != std::string_view("device")) return false;
      devices(value);
      return true;
    }
    return false;
  }
  /// An option that takes "nan" for a number.
  void number_or_nan(const char* name, double& value, const std::string& help);
  /// The hint of --method is the list of the command's methods.
  void option(const char* name, const std::string& hint, const std::string& default_text,
              const std::string& help, std::function<void(const std::string&)> set);
  void flag(const char* name, bool& value, const std::string& help);
  /// An option that is refused with the name of its replacement: "write --keep FILE, which …". Help
  /// does not list it.
  void former_option(const char* name, const char* now, const char* which);
  /// The same for a flag: `now` is what to write instead, "rmsf pixels".
  void former_flag(const char* name, const char* now, const char* which);
  /// An option of other programs, accepted for command lines written for them; it does nothing.
  void ignored_flag(const char* name, const std::string& help);

  /// An option with an optional value that replaces the default.
  void optional_value(const char* name, const std::string& hint, bool& given, std::string& value,
                      const std::string& help);

  /// --json, --quiet, --mpi and --part, for commands that print a result.
  void talk();
  /// Under mpirun all ranks run the action if `when` says so; otherwise rank 0 does, and the others
  /// wait. Such a run can also be done in parts. Comes after talk().
  void share(std::function<bool()> when);
  /// Under mpirun the first process runs it, and the others end at once.
  void run_once() { state_->once = true; }
  /// Examples and lists at the end of --help.
  void notes(const std::string& text);
  /// The function to call once everything is parsed.
  void action(std::function<void(Session&)> run) { state_->action = std::move(run); }

 private:
  void positional(const char* name, std::string& value, const std::string& hint,
                  const std::string& help, bool required);
  std::string names(const char* name) const;
  void devices(int& first);

  std::shared_ptr<CommandState> state_;
};

/// The whole tool: the tree of commands, parsed and run by main.
class Program {
 public:
  Program();
  ~Program();

  Command command(const char* name, const char* description);
  /// A command that only contains others, as `sample` does: `tessera sample scene`.
  CLI::App& group(const char* name, const char* description);
  Command command(CLI::App& group, const char* name, const char* description);
  /// A group with its own action if none of its commands is named: it lists them.
  Command listing_group(const char* name, const char* description, CLI::App*& group);

  CLI::App& app() { return *app_; }
  /// Parses, runs and returns the exit code; every failure is one sentence on standard error.
  int run(int argc, char** argv);
  /// Runs a line of words separated by spaces, "tessera noise sky.fits -o out", as part of another
  /// command and returns its JSON; files that exist are replaced. Prints nothing: failures and
  /// partial results are thrown as Error. Can be called once only: options keep the values they
  /// were given.
  Json call(const std::string& line, const Progress& progress);
  /// Runs the command of parts once more, to join them, and speaks as `session` is asked to; files
  /// that exist are replaced if `forced`. The same holds: once only.
  void run_again(const std::vector<std::string>& words, Session& session, bool forced);

 private:
  void parse(int argc, const char* const* argv);
  int perform(const std::vector<std::string>& words);

  std::unique_ptr<CLI::App> app_;
  std::vector<std::shared_ptr<CommandState>> commands_;
};

}  // namespace tessera
