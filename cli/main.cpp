// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <new>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "io/sandbox/sandbox.hpp"

namespace {

int run(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], tessera::kSandboxArgument) == 0)
    return tessera::serve_sandbox();
  tessera::this_program_is_the_tool();
  tessera::Program program;
  tessera::add_all(program);
  return program.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  tessera::survive_terminate();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {  // not even enough memory for the error's own sentence
    return tessera::report_no_memory();
  }
}
