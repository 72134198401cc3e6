// SPDX-License-Identifier: Apache-2.0
/// One block of the CPU methods: the work of one thread between two synchronisations.
#pragma once

#include "ops/morphology/cpu/morphology_windows.hpp"

namespace tessera {

/// Output rows `rows` and columns [first_column, + columns) of one plane. Serial; input and output
/// are plain memory, and vertical borders are already resolved into row addresses.
struct MorphologyBlock {
  const MorphologyProblem* problem;
  const WindowPlan* plan;
  const unsigned char* const* in_rows;  ///< rows + height - 1 addresses; null: outside
  long long in_pixel;
  unsigned char* out;  ///< the plane's first pixel of the first row
  long long out_pixel, out_row;
  int rows, first_column, columns;
  void* row;      ///< one row of row_step keys
  void* kept;     ///< kept_rows rows of plan->kept windows of row_step keys each
  void* running;  ///< one row of row_step keys: the best so far of a group of rows, and the result
  long long row_step;
  int kept_rows;
};

/// Key of the tuning tables.
inline constexpr const char* kMorphologyCpuSite = "morphology.cpu@1";

/// They change no bit of the result.
struct MorphologyCpuKnobs {
  int piece_rows = 0;         ///< rows a thread takes at once
  int block_kilobytes = 320;  ///< rows kept per block: a fraction of the second-level cache
};
/// A box higher than a few rows is put together from groups of rows; `groups` says so.
bool morphology_groups_rows(const MorphologyProblem& problem);
MorphologyCpuKnobs usual_morphology_cpu_knobs(const MorphologyProblem& problem, bool groups);

/// Keys that a vector access may touch past the last one wanted; rows have this much slack.
inline constexpr long long kKeySlack = 64;

using MorphologyBlockFunction = void (*)(const MorphologyBlock&);

/// Functions for this CPU's best (or the forced) SIMD target. The first takes any element and reads
/// every run; the second is for boxes, and its cost does not grow with their height.
MorphologyBlockFunction morphology_direct_function(const MorphologyProblem& problem);
MorphologyBlockFunction morphology_separable_function(const MorphologyProblem& problem);

}  // namespace tessera
