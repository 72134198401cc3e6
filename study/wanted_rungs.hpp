// SPDX-License-Identifier: Apache-2.0
/// Selects the rungs of a study that has rungs on both backends.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "study/studies.hpp"

namespace tessera {

/// Whether a rung is in this list.
template <class Rung>
bool stands_in(const std::vector<Rung>& list, const Rung* rung) {
  return rung >= list.data() && rung < list.data() + list.size();
}

/// Those that --rungs and --backend ask for, the GPU's first.
template <class Rung>
std::vector<const Rung*> wanted_rungs(const StudyOptions& options, const std::vector<Rung>& cuda,
                                      const std::vector<Rung>& cpu) {
  std::vector<const Rung*> rungs;
  for (const Rung& rung : cuda) rungs.push_back(&rung);
  for (const Rung& rung : cpu) rungs.push_back(&rung);
  std::vector<std::string> names;
  for (const Rung* rung : rungs) names.push_back(rung->id);
  const std::vector<std::string> wanted = rungs_beginning(options.rungs, names);
  std::erase_if(rungs, [&](const Rung* rung) {
    const Backend other = stands_in(cpu, rung) ? Backend::cuda : Backend::cpu;
    return options.backend == other ||
           std::find(wanted.begin(), wanted.end(), rung->id) == wanted.end();
  });
  return rungs;
}

}  // namespace tessera
