// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"

namespace {

int run(int argc, char** argv) {
  tessera::Program program;
  tessera::add_info(program);
  tessera::add_sample(program);
  tessera::add_convert(program);
  tessera::add_convolve(program);
  tessera::add_morphology(program);
  tessera::add_correlate(program);
  tessera::add_enhance(program);
  tessera::add_cells(program);
  tessera::add_faraday(program);
  tessera::add_xengine(program);
  tessera::add_noise(program);
  tessera::add_bench(program);
  tessera::add_study_commands(program);
  tessera::add_tune(program);
  tessera::add_completion(program);
  return program.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  tessera::survive_terminate();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {  // not even enough for a sentence of its own
    return tessera::report_no_memory();
  }
}
