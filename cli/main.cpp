// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

int main(int argc, char** argv) {
  tessera::Program program;
  tessera::add_info(program);
  tessera::add_sample(program);
  tessera::add_convert(program);
  tessera::add_convolve(program);
  tessera::add_bench(program);
  tessera::add_completion(program);
  return program.run(argc, argv);
}
