// SPDX-License-Identifier: Apache-2.0
/// The direct method on the CPU, and one block of it: the work of one thread between two
/// synchronisations.
#pragma once

#include "ops/correlate/correlate_problem.hpp"

namespace tessera {

/// Also runs single images of a batch for fft, which does not handle those that are not finite.
class CorrelateDirectCpu : public CorrelateRunner {
 public:
  virtual void run_image(AnyView images, AnyView others, AnyMutableView map, int image,
                         Stream& stream) const = 0;
};
std::unique_ptr<const CorrelateDirectCpu> make_correlate_direct_images(const CorrelateProblem&);

/// Shifts dy per block, and the most shifts dx: whole tiles of every SIMD target.
inline constexpr int kBlockRows = 4, kBlockColumns = 288;

/// Two planes: the first pixel of each. Rows have zeros before and after (padded_planes.hpp).
struct DirectPair {
  const float *first, *second;
};

/// The sums of shifts dx … dx + columns - 1 by dy … dy + kBlockRows - 1 over all pairs.
struct CorrelateBlock {
  const DirectPair* pairs;
  int pair_count;
  long long row;  ///< step of all planes
  int width, height;
  int dx, dy, columns;
  const float* zeros;  ///< one row
  double* totals;      ///< kBlockRows rows of kBlockColumns
};

using CorrelateBlockFunction = void (*)(const CorrelateBlock&);

/// For this CPU's best (or the forced) SIMD target.
CorrelateBlockFunction correlate_block_function();

}  // namespace tessera
