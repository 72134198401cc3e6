// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "cli/command_methods.hpp"
#include "cli/help.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "--gray" for "grey"; "" if the word has only one spelling. Help lists only the British one.
std::string american_name(const char* name) {
  const std::string other = american_spelling(name);
  return other == name ? "" : "--" + other;
}

}  // namespace

void Command::positional(const char* name, std::string& value, const std::string& hint,
                         const std::string& help, bool required) {
  CLI::Option* option = state_->app->add_option(name)->description(help)->type_name(hint);
  option->required(required);
  state_->values.emplace_back(option, [&value](const std::string& text) { value = text; });
}

void Command::input(const char* name, std::string& value, const std::string& help) {
  positional(name, value, "FILE", help, true);
}

void Command::optional_input(const char* name, std::string& value, const std::string& help) {
  positional(name, value, "FILE", help, false);
}

void Command::output(const char* name, std::string& value, const std::string& help) {
  positional(name, value, "FILE", help, true);
  state_->output = state_->target = &value;
  CLI::Option* argument = state_->values.back().first;
  // Its callback runs before the parser looks for arguments that are missing.
  CLI::Option* option = state_->app->add_option(
      "-o,--output", [argument, word = std::string(name)](const CLI::results_t&) {
        if (argument->count() > 0)
          throw Error(ErrorKind::usage,
                      fmt::format("{} and -o both name the output; give one of them", word));
        argument->required(false);
        return true;
      });
  option->description(fmt::format("the same as {}", name))->type_name("FILE");
  state_->values.emplace_back(option, [&value](const std::string& text) { value = text; });
}

void Command::inputs(const char* name, std::vector<std::string>& values, const std::string& help) {
  CLI::Option* option = state_->app->add_option(name)->description(help)->type_name("FILE");
  option->required()->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  state_->lists.emplace_back(option, &values);
}

void Command::output_option(std::string& value, const std::string& help, bool required) {
  CLI::Option* option = state_->app->add_option("-o,--output")->description(help);
  option->type_name("FILE")->required(required);
  state_->target = &value;
  state_->values.emplace_back(option, [&value](const std::string& text) { value = text; });
}

void Command::outputs_option(std::vector<std::string>& values, const std::string& help) {
  CLI::Option* option = state_->app->add_option("-o,--output")->description(help);
  option->type_name("FILE")->required()->expected(1, CLI::detail::expected_max_vector_size);
  option->allow_extra_args(false);
  state_->lists.emplace_back(option, &values);
}

void Command::word(const char* name, std::string& value, const std::string& hint,
                   const std::string& help) {
  positional(name, value, hint, help, true);
}

// "-f,--force", or without the letter.
std::string Command::names(const char* name) const {
  const auto letter = state_->letters.find(name);
  const std::string word = std::string("--") + name;
  return letter == state_->letters.end() ? word : std::string("-") + letter->second + "," + word;
}

void Command::option(const char* name, const std::string& hint, const std::string& default_text,
                     const std::string& help, std::function<void(const std::string&)> set) {
  CLI::Option* option = state_->app->add_option(names(name));
  const std::string methods =
      std::string_view(name) == "method" ? method_hint(state_->session.label) : "";
  option->description(help)->type_name(methods.empty() ? hint : methods);
  option->default_str(default_text);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (const std::string other = american_name(name); !other.empty()) {
    CLI::Option* same = state_->app->add_option(other)->group(kHiddenGroup);
    same->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    state_->values.emplace_back(same, set);
  }
  state_->values.emplace_back(option, std::move(set));
}

void Command::devices(int& first) {
  DeviceChoice& choice = state_->devices;
  choice.device = &first;
  option("device", DeviceList::kHint, to_text(choice.list), DeviceList::kHelp,
         [&choice](const std::string& text) {
           from_text("--device", text, choice.list);
           choice.given = true;
         });
}

void Command::number_or_nan(const char* name, double& value, const std::string& help) {
  option(name, value_hint<double>(), to_text(value), help, [name, &value](const std::string& text) {
    if (text == "nan")
      value = std::numeric_limits<double>::quiet_NaN();
    else
      from_text(std::string("--") + name, text, value);
  });
}

void Command::flag(const char* name, bool& value, const std::string& help) {
  CLI::Option* option = state_->app->add_flag(names(name))->description(help);
  const std::string flag_name = std::string("--") + name;
  const auto set = [flag_name, &value](const std::string& text) {
    from_text(flag_name, text == "true" ? "yes" : text, value);
  };
  state_->values.emplace_back(option, set);
  if (const std::string other = american_name(name); !other.empty())
    state_->values.emplace_back(state_->app->add_flag(other)->group(kHiddenGroup), set);
}

void Command::ignored_flag(const char* name, const std::string& help) {
  state_->app->add_flag(names(name))->description(help);
}

void Command::former_option(const char* name, const char* now, const char* which) {
  CLI::Option* option = state_->app->add_option(std::string("--") + name)->group(kHiddenGroup);
  state_->values.emplace_back(option, [=](const std::string& text) {
    throw Error(ErrorKind::usage,
                fmt::format("--{} is no longer read here; write --{} {}, which {}", name, now, text,
                            which));
  });
}

void Command::former_flag(const char* name, const char* now, const char* which) {
  CLI::Option* option = state_->app->add_flag(std::string("--") + name)->group(kHiddenGroup);
  state_->values.emplace_back(option, [=](const std::string&) {
    throw Error(ErrorKind::usage,
                fmt::format("--{} is no longer read here; write --{}, which {}", name, now, which));
  });
}

void Command::optional_value(const char* name, const std::string& hint, bool& given,
                             std::string& value, const std::string& help) {
  CLI::Option* option = state_->app->add_option(std::string("--") + name);
  option->description(help)->type_name(hint)->default_str(value)->expected(0, 1);
  state_->values.emplace_back(option, [&given, &value](const std::string& text) {
    given = true;
    if (!text.empty()) value = text;
  });
}

void Command::talk() {
  flag("json", state_->session.json, "print the result as JSON on standard output");
  flag("quiet", state_->session.quiet, "print only errors");
  if (state_->once) return;
  MpiChoice& mpi = state_->session.mpi;
  option("mpi", MpiChoice::kHint, mpi.word,
         "share the work with the other processes of mpirun or srun (docs/scale.md)",
         [&mpi](const std::string& text) { mpi.word = text; });
  PartChoice& part = state_->session.part;
  option("part", PartChoice::kHint, "all",
         "do one part of the work, in a job array; tessera join makes the outputs (docs/scale.md)",
         [&part](const std::string& text) {
           part.word = text;
           if (text.empty()) parse_part(part);  // refuses it
         });
  state_->app->get_option("--part")->group(kHiddenGroup);  // unless the command can be split
}

void Command::share(std::function<bool()> when) {
  state_->shared = std::move(when);
  state_->app->get_option("--part")->group(state_->app->get_option("--mpi")->get_group());
  flag("allow-mixed", state_->session.allow_mixed,
       "under mpirun: take results whose last bits may differ between the ranks' processors");
}

void Command::notes(const std::string& text) { state_->app->footer(text); }

}  // namespace tessera
