// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/cuda/morphology_chunks.hpp"

#include <algorithm>
#include <bit>

namespace tessera {
namespace {

/// The parts of the runs that lie in the chunk, in its own coordinates.
std::vector<ElementRun> runs_inside(const std::vector<ElementRun>& runs, int x, int y) {
  std::vector<ElementRun> inside;
  for (const ElementRun& run : runs) {
    const int first = std::max(run.first, x);
    const int end = std::min(run.first + run.length, x + kElementChunk);
    if (run.row >= y && run.row < y + kElementChunk && first < end)
      inside.push_back({run.row - y, first - x, end - first});
  }
  return inside;
}

/// The largest power of two that is no longer than the run.
int level_of(const ElementRun& run) {
  return std::bit_width(static_cast<unsigned>(run.length)) - 1;
}

void add_chunk(ChunkedElement& element, std::vector<ElementRun> runs, int x, int y) {
  if (runs.empty()) return;
  std::stable_sort(runs.begin(), runs.end(), [](const ElementRun& a, const ElementRun& b) {
    return level_of(a) < level_of(b);
  });
  ElementChunk chunk{x, y, 0, 0, level_of(runs.back()) + 1, {}};
  for (int level = 0, k = 0; level <= kWindowLevels; ++level) {
    while (k < std::ssize(runs) && level_of(runs[static_cast<std::size_t>(k)]) < level) ++k;
    chunk.first_run[level] = static_cast<int>(std::ssize(element.runs)) + k;
  }
  for (const ElementRun& run : runs) {
    chunk.width = std::max(chunk.width, run.first + run.length);
    chunk.height = std::max(chunk.height, run.row + 1);
    element.runs.push_back({static_cast<unsigned char>(run.first),
                            static_cast<unsigned char>(run.row),
                            static_cast<unsigned char>(run.length - (1 << level_of(run)))});
  }
  element.chunks.push_back(chunk);
}

}  // namespace

ChunkedElement chunked_element(const MorphologyProblem& problem) {
  ChunkedElement element;
  for (int y = 0; y < problem.height; y += kElementChunk)
    for (int x = 0; x < problem.width; x += kElementChunk)
      add_chunk(element, runs_inside(problem.runs, x, y), x, y);
  return element;
}

}  // namespace tessera
