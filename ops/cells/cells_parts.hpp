// SPDX-License-Identifier: Apache-2.0
/// The heavy loops of the corrected model. The pipeline is written once over them; the reference
/// has them as plain loops, the fast path as SIMD over all cores.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/cells/cells_model.cuh"
#include "ops/cells/cells_problem.hpp"
#include "ops/cells/detect/cells_circles.hpp"
#include "ops/cells/follow/cells_ring.cuh"
#include "ops/cells/scene/cells_registration.cuh"

namespace tessera {

/// A packed plane of the frame's size.
template <class Real>
using CellPlane = std::vector<Real>;

/// Samples that are not finite become the last finite one before them, the first ones the first
/// finite one after them; 0 in a row without any. One bad pixel must not cost a frame.
template <class Real>
void mend_row(Real* row, int count) {
  if (std::all_of(row, row + count, cell_finite<Real>)) return;
  const Real* first = std::find_if(row, row + count, cell_finite<Real>);
  Real last = first == row + count ? Real(0) : *first;
  for (int x = 0; x < count; ++x) row[x] = last = cell_finite(row[x]) ? row[x] : last;
}

/// The still scene, in pixels of a canvas of the frame's size: the frame's pixel x shows the
/// canvas at x - shift. `known` is 0 where too few frames saw it.
template <class Real>
struct StillScene {
  CellPlane<Real> value;
  std::vector<unsigned char> known;
};

/// Sums of an epoch's frames and their number, in pixels of its own canvas: pixel x of another
/// canvas is x + (dx, dy) here.
template <class Real>
struct EpochCanvas {
  const Real* sum;
  const int* count;
  int dx, dy;
};
/// Most epochs of a scene.
inline constexpr int kMostEpochs = 2 * kCells.epochs_around + 1;

/// Adds a row's sums.
void drift_add(DriftSums& sums, const DriftSums& row);

/// The largest score of a centre over all circles, and the circle that has it.
template <class Real>
struct ScoreMap {
  CellsCrop region;
  std::vector<Real> score;  ///< region.width by region.height
  std::vector<unsigned char> circle;
};

template <class Real>
class CellsParts {
 public:
  virtual ~CellsParts() = default;
  /// The frame, one plane of any type, through the Gaussian; borders replicate.
  virtual void smooth(AnyView frame, CellPlane<Real>& out, Stream& stream) const = 0;
  /// Adds to sum and count of canvas pixels c the smoothed frame at c + shift, where inside.
  virtual void accumulate(const CellPlane<Real>& smooth, Real shift_x, Real shift_y,
                          CellPlane<Real>& sum, std::vector<int>& count, Stream& stream) const = 0;
  /// The median of the epochs' means, of those with kCells.known_least frames and a finite mean.
  virtual void median(const std::vector<EpochCanvas<Real>>& epochs, StillScene<Real>& out,
                      Stream& stream) const = 0;
  /// Pixels that differ by more than the limit do not count. Rows are added in order, whatever the
  /// threads.
  virtual DriftSums drift_sums(const CellPlane<Real>& smooth, const StillScene<Real>& scene,
                               Real shift_x, Real shift_y, Real limit, Stream& stream) const = 0;
  /// out = smooth - scene, 0 where that is not known.
  virtual void subtract(const CellPlane<Real>& smooth, const StillScene<Real>& scene, Real shift_x,
                        Real shift_y, CellPlane<Real>& out, Stream& stream) const = 0;
  /// Central differences, one-sided at the frame's edges; returns their mean absolute value over
  /// both directions and every kCells.noise_step-th row, rows added in order.
  virtual double gradients(const CellPlane<Real>& in, CellPlane<Real>& across,
                           CellPlane<Real>& down, Stream& stream) const = 0;
  virtual void scores(const CellPlane<Real>& across, const CellPlane<Real>& down, Real floor,
                      CellsCrop region, ScoreMap<Real>& out, Stream& stream) const = 0;
  /// From an edge map of 0 to 1 to the field after all iterations. One thread: cells are parallel.
  virtual void mgvf(const Real* edge, int width, int height, Real* field) const = 0;
};

/// Gradients of the frame minus the still scene, the floor of scores that follows from them, and
/// the scene itself.
template <class Real>
struct CellGradients {
  const Real *across, *down;
  int width, height;
  Real floor;
  CellBackdrop<Real> ground;
};
template <class Real>
struct GradientPlanes {
  CellPlane<Real> across, down;
  Real floor = 0;
  CellBackdrop<Real> ground{};

  void take(const CellPlane<Real>& image, const CellsParts<Real>& parts, Stream& stream) {
    floor = static_cast<Real>(score_floor(parts.gradients(image, across, down, stream)));
  }
  CellGradients<Real> view(const CellsProblem& problem) const {
    return {across.data(), down.data(), problem.frame.size.width, problem.frame.size.height,
            floor,         ground};
  }
};

/// Weights of the smoothing, 2 kCells.smooth_radius + 1 of them, their sum 1.
std::vector<double> cells_smoothing();

/// Pixels that may be centres of circles: those wanted that are at least this far inside.
CellsCrop centres_of(const CellsProblem& problem, CellsCrop wanted);

/// Whether the still scene is subtracted. Not if no circle fits: such a frame has no cells,
/// and perhaps no two pixels to interpolate between.
bool takes_still_away(const CellsProblem& problem);

/// The flow's signs; both 0 if it is not known.
MgvfFlow flow_of(const CellsProblem& problem);

}  // namespace tessera
