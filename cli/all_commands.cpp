// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

namespace tessera {

void add_all(Program& program) {
  add_demo(program);
  add_info(program);
  add_sample(program);
  add_convert(program);
  add_convolve(program);
  add_sources(program);
  add_edges(program);
  add_morphology(program);
  add_rank(program);
  add_match(program);
  add_correlate(program);
  add_enhance(program);
  add_cells(program);
  add_faraday(program);
  add_beam(program);
  add_channelise(program);
  add_xengine(program);
  add_noise(program);
  add_join(program);
  add_bench(program);
  add_study_commands(program);
  add_tune(program);
  add_completion(program);
  add_help(program);
}

}  // namespace tessera
