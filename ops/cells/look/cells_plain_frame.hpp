// SPDX-License-Identifier: Apache-2.0
/// Frames by themselves: what each shows without a scene that is subtracted and without motion.
#pragma once

#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/cpu/cells_simd_parts.hpp"
#include "ops/cells/detect/cells_detect.hpp"

namespace tessera {

/// The score of a circle that leaves little doubt that something round is there.
constexpr double kClearScore = 2.5;

/// The circles of one frame.
using CellsCircles = std::vector<CellDetection>;

/// Circles that pass the problem's threshold in frames of its size on the host, searched where the
/// stream is.
std::vector<CellsCircles> circles_in(const CellsProblem& problem,
                                     const std::vector<AnyView>& frames, Stream& stream);
std::vector<CellsCircles> clear_circles_in(const CellsProblem& problem,
                                           const std::vector<AnyView>& frames, Stream& stream);

/// The gradients of a frame, at which spots are looked up.
class PlainFrame {
 public:
  PlainFrame(const CellsProblem& problem, AnyView frame, Stream& stream);
  /// The score of a spot's circle; positive if it has the spot's sign.
  double score_of(const CellSpot& spot) const;

 private:
  const CellsProblem& problem_;
  SimdCellsParts parts_;
  OutlineTables<float> tables_;
  GradientPlanes<float> gradients_;
};

}  // namespace tessera
