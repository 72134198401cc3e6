// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <new>
#include <string_view>

#include "cli/commands.hpp"
#include "tessera/error.hpp"

namespace {

// Without memory: what fails here failed while there was none even for a sentence.
int report_no_memory() {
  constexpr std::string_view kSentence = "tessera: memory ran out; free some and try again\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kSentence.data(), kSentence.size());
  return static_cast<int>(tessera::ErrorKind::resources);
}

int run(int argc, char** argv) {
  tessera::Program program;
  tessera::add_info(program);
  tessera::add_sample(program);
  tessera::add_convert(program);
  tessera::add_convolve(program);
  tessera::add_bench(program);
  tessera::add_completion(program);
  return program.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  }
}
