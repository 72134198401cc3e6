// SPDX-License-Identifier: Apache-2.0
/// The paper's table 1, of this machine: what is measured, and what driver and system say.
#pragma once

#include <string>
#include <vector>

#include "core/machine.hpp"

namespace tessera {

struct StudyPlaces;

/// A line of the table, as text.
struct MachineFacts {
  std::string name, cores, ghz, gbytes, simd, memory;
};

/// Clock of a core in GHz: a chain of additions, each of which waits for the last for one cycle.
double measured_ghz();

/// The device if rungs ran there, then the CPU.
std::vector<MachineFacts> machine_facts(const StudyPlaces& places, int device);

/// With the paper's three.
std::string machine_text(const std::vector<MachineFacts>& here);

}  // namespace tessera
