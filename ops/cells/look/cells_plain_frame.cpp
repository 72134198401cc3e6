// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_plain_frame.hpp"

#include <cmath>

namespace tessera {

std::vector<CellsCircles> circles_in(const CellsProblem& problem,
                                     const std::vector<AnyView>& frames, Stream& stream) {
  const CellsCrop centres = centres_of(problem, problem.crop);
  if (centres.width <= 0 || centres.height <= 0) return std::vector<CellsCircles>(frames.size());
  if (frames.empty()) return {};
  CellsProblem own = problem;
  own.frame.type = frames.front().type;  // frames with relief were integrated
  const CellsRunnerPointer searcher =
      stream.device() == kHost ? make_cells_simd(own) : make_cells_cuda(own);
  return searcher->detect_each(frames, stream);
}

std::vector<CellsCircles> clear_circles_in(const CellsProblem& problem,
                                           const std::vector<AnyView>& frames, Stream& stream) {
  std::vector<CellsCircles> found = circles_in(problem, frames, stream);
  for (CellsCircles& circles : found)
    std::erase_if(circles,
                  [](const CellDetection& circle) { return std::abs(circle.score) < kClearScore; });
  return found;
}

PlainFrame::PlainFrame(const CellsProblem& problem, AnyView frame, Stream& stream)
    : problem_(problem), parts_(problem), tables_(outline_tables<float>()) {
  CellPlane<float> smooth;
  parts_.smooth(frame, smooth, stream);
  gradients_.take(smooth, parts_, stream);
}

double PlainFrame::score_of(const CellSpot& spot) const {
  const CellGradients<float> frame = gradients_.view(problem_);
  const double steepest = spot.radius - kCells.ring_width * kCells.ring_width / (2 * spot.radius);
  return static_cast<double>(circle_measure(frame.across, frame.down, frame.width, frame.height,
                                            tables_.circle, static_cast<float>(spot.x),
                                            static_cast<float>(spot.y),
                                            static_cast<float>(steepest), frame.floor)
                                 .score) *
         (spot.score < 0 ? -1 : 1);
}

}  // namespace tessera
