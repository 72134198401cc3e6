// SPDX-License-Identifier: Apache-2.0
/// One frame by itself: what it shows without a scene that is subtracted and without motion.
#pragma once

#include <cmath>
#include <vector>

#include "ops/cells/cpu/cells_simd_parts.hpp"
#include "ops/cells/detect/cells_detect.hpp"

namespace tessera {

/// The score of a circle that leaves little doubt that something round is there.
constexpr double kClearScore = 2.5;

class PlainFrame {
 public:
  PlainFrame(const CellsProblem& problem, AnyView frame, Stream& stream)
      : problem_(problem), parts_(problem), tables_(outline_tables<float>()) {
    CellPlane<float> smooth;
    parts_.smooth(frame, smooth, stream);
    gradients_.take(smooth, parts_, stream);
  }
  /// Circles that pass the problem's threshold.
  std::vector<CellFind<float>> circles(Stream& stream) const {
    return find_cells(gradients_, problem_.crop, problem_, parts_, tables_, stream);
  }
  std::vector<CellFind<float>> clear_circles(Stream& stream) const {
    auto finds = circles(stream);
    std::erase_if(finds,
                  [](const CellFind<float>& find) { return std::abs(find.score) < kClearScore; });
    return finds;
  }
  /// The score of a spot's circle; positive if it has the spot's sign.
  double score_of(const CellSpot& spot) const {
    const CellGradients<float> frame = gradients_.view(problem_);
    const double steepest = spot.radius - kCells.ring_width * kCells.ring_width / (2 * spot.radius);
    return static_cast<double>(circle_measure(frame.across, frame.down, frame.width, frame.height,
                                              tables_.circle, static_cast<float>(spot.x),
                                              static_cast<float>(spot.y),
                                              static_cast<float>(steepest), frame.floor)
                                   .score) *
           (spot.score < 0 ? -1 : 1);
  }

 private:
  const CellsProblem& problem_;
  SimdCellsParts parts_;
  OutlineTables<float> tables_;
  GradientPlanes<float> gradients_;
};

}  // namespace tessera
