// SPDX-License-Identifier: Apache-2.0
/// The element in the form the direct kernel reads: chunks of at most kElementChunk pixels in each
/// direction, and in each the runs, sorted by the window they are made of.
#pragma once

#include <vector>

#include "ops/morphology/cuda/morphology_args.cuh"
#include "ops/morphology/morphology_problem.hpp"

namespace tessera {

struct ChunkedElement {
  std::vector<ChunkRun> runs;
  std::vector<ElementChunk> chunks;
};

ChunkedElement chunked_element(const MorphologyProblem& problem);

}  // namespace tessera
