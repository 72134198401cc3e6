// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/completion.hpp"

namespace tessera {
namespace {

constexpr const char* kCompletionExamples = R"(Examples:
  source <(tessera completion bash)
  tessera completion zsh > "${fpath[1]}/_tessera"
  tessera completion fish > ~/.config/fish/completions/tessera.fish
)";

}  // namespace

void add_completion(Program& program) {
  auto shell = std::make_shared<std::string>();
  Command command =
      program.command("completion", "Print a script that completes words in a shell.");
  command.word("SHELL", *shell, shell_hint(), "the shell");
  command.notes(kCompletionExamples);
  command.action([shell, &program](Session&) {
    std::fputs(completion_script(program.app(), *shell).c_str(), stdout);
  });
}

}  // namespace tessera
