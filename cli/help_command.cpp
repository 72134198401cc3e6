// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

namespace tessera {
namespace {

constexpr const char* kHelpExamples = R"(Examples:
  tessera help
  tessera help convolve
  tessera help faraday synth
)";

}  // namespace

// Program::run turns "help convolve" into "convolve --help" before anything is parsed: this is
// what lists the command and completes its name.
void add_help(Program& program) {
  auto command_name = std::make_shared<std::string>();
  Command command = program.command("help", "Print the help of a command.");
  command.optional_input("COMMAND", *command_name,
                         "the command, such as convolve or faraday synth");
  command.notes(kHelpExamples);
  command.action([command_name](Session&) {});
}

}  // namespace tessera
