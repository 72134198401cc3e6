// SPDX-License-Identifier: Apache-2.0
/// All subcommands. A new operation is one file, one line here and one in all_commands.cpp.
#pragma once

#include "cli/command.hpp"

namespace tessera {

void add_info(Program& program);
void add_sample(Program& program);
void add_convert(Program& program);
void add_convolve(Program& program);
void add_sources(Program& program);
void add_edges(Program& program);
void add_morphology(Program& program);
void add_rank(Program& program);
void add_match(Program& program);
void add_correlate(Program& program);
void add_enhance(Program& program);
void add_cells(Program& program);
void add_faraday(Program& program);
void add_beam(Program& program);
void add_channelise(Program& program);
void add_xengine(Program& program);
void add_noise(Program& program);
void add_bench(Program& program);
void add_study_commands(Program& program);
void add_tune(Program& program);
void add_completion(Program& program);
void add_help(Program& program);
void add_demo(Program& program);
void add_join(Program& program);

/// All of them, in the order of --help.
void add_all(Program& program);

}  // namespace tessera
