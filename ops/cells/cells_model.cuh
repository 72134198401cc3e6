// SPDX-License-Identifier: Apache-2.0
// The corrected model's small arithmetic, the same lines for the double reference, the float CPU
// path and the kernels. README.md has the model in words and how each constant was measured.
#pragma once

#include "ops/cells/cells_math.cuh"
#include "tessera/view.hpp"

namespace tessera {

/// Lengths in pixels, times in frames.
struct CellsConstants {
  // The image that is searched: the smoothed frame minus the still scene.
  double smooth_sigma = 2.0;
  int smooth_radius = 6;       ///< reach of the weights
  int epoch = 15;              ///< frames that one partial background sums
  int epoch_step = 5;          ///< every epoch_step-th of them counts
  int epochs_around = 10;      ///< before and after, that make a frame's background
  int background_least = 8;    ///< with fewer counted frames nothing is subtracted
  int known_least = 1;         ///< counted frames that must have seen a pixel of the scene
  double drift_cut = 3;        ///< differences above this multiple of their mean do not count
  double drift_most = 8;       ///< pixels from one frame to the next; more is not a drift
  double drift_steep = 2;      ///< times the median of gradients: steeper pixels do not count
  double drift_samples = 400;  ///< pixels of equal weight that registration needs
  int drift_step = 4;          ///< registration uses every drift_step-th column and row
  int drift_iterations = 4;
  int drift_margin = 20;         ///< pixels at the frame's edges that registration leaves out
  int usual_passes = 8;          ///< over a picture, that find its usual values
  double usual_reach = 2;        ///< deviations from their mean, beyond which values are cut off
  int jump_reach = 48;           ///< pixels each way in which a jump of the picture is looked for
  int jump_step = 3;             ///< between the offsets tried
  double jump_least = 3;         ///< pixels: a smaller change of place is a drift
  double jump_sign = 1.5;        ///< times the usual unlikeness of frame and scene: perhaps a jump
  double jump_rest = 0.35;       ///< share of what is unusual that may be left where a jump leads
  double jump_memory = 0.5;      ///< of a frame's unlikeness in the usual one
  int jump_samples = 1000;       ///< pixels that must be known: a few cells are not a picture
  double jump_overlap = 0.4;     ///< share of the pixels that frame and scene must have in common
  double standing_absent = 0.3;  ///< of a circle's slope in the scene: less does not show it
  int standing_epochs = 3;       ///< that show it, and that do not: it came or left
  double standing_score = 2.4;   ///< of a circle in the scene that never left, to be a cell
  double standing_worth = 1.5;   ///< and that times its slope, of the slope of cells that move
  double clear_score = 2;        ///< of finds in the first frame whose slopes are compared with
  double standing_rim = 6;       ///< pixels around a circle that are filled with it
  // Detection.
  int noise_step = 4;        ///< the gradient's mean is taken over every noise_step-th row
  double score_floor = 2;    ///< times the variance of the frame's gradient
  double threshold = 1.3;    ///< of |score|
  int dilation = 8;          ///< radius of the disk in which a candidate is the largest
  int edge = 2;              ///< pixels between the largest circle and the frame's edge
  double near = 0.8;         ///< closer than this share of the larger radius: the same cell
  int whole_rounds = 4;      ///< detections at first that look at the whole crop
  int whole_every = 5;       ///< and every whole_every-th one after them
  double spline_step = 0.2;  ///< over the mean outward derivative
  int spline_iterations = 20;
  double spline_wander = 0.5;  ///< of the radius, that a contour's centre may move
  double contour_share = 0.8;  ///< of the threshold, that the contour's score must have
  // Tracking.
  int window = 24;        ///< pixels on each side of the window's middle
  double edge_reach = 8;  ///< from the expected outline, beyond which edges do not count
  int mgvf_iterations = 20;
  int snake_iterations = 200;
  double snake_stop = 0.005;   ///< the centre's movement in an iteration, in pixels
  int search = 6;              ///< pixels each way in which a new cell is looked for
  double search_sigma = 0.8;   ///< of the expected place, above which it is looked for
  int climbs = 2;              ///< steps of the circle after the star has settled
  double climb_most = 0.7;     ///< pixels per step
  int shape_steps = 6;         ///< of the outline's shape, at most
  double shape_stop = 0.02;    ///< pixels: it stops when no wave moves by more
  double shape_least = 0.5;    ///< of the cell's radius: an outline that comes nearer is doubtful
  double shape_most = 1.7;     ///< the same for one that goes farther
  double ring_width = 2.25;    ///< sigma of an outline's gradient across it
  double place_noise = 0.9;    ///< sigma of a measured place at score 1 and radius 10
  double gate = 3.5;           ///< sigmas from where it is expected: not this cell
  double new_speed = 2.0;      ///< sigma of a new cell's velocity, pixels per frame
  double speed_noise = 0.05;   ///< sigma of velocity's change in a frame
  double speed_change = 0.08;  ///< and its share of the velocity
  double radius_gain = 0.05;   ///< of the snake's mean radius
  double trust_gain = 0.1;     ///< of a frame's score and slope in their running means
  double seen_score = 0.7;     ///< of the sign's score: below, a cell is not seen
  double seen_share = 0.45;    ///< and this share of its mean score
  // Life.
  double astray_score = 1.3;  ///< times a track's mean score, that a find must have to set it right
  double astray = 0.3;        ///< of the radius, that they must differ in place or size
  int sure_frames = 3;        ///< seen, after which a new cell is taken out of others' windows
  double sure_score = 1.5;    ///< and the mean score it must have
  double slope_share = 0.2;   ///< of the film's third steepest outline, that a cell must have
  double twice = 0.8;         ///< of the larger radius: a new track so near another is its double
  double rim_twice = 1.3;     ///< the same for tracks of other sign: two rims of one cell
  double faint = 0.3;         ///< of the mean score of others: faint
  double plain_faint = 0.4;   ///< the same for scores in the frame itself
  double faint_many = 0.25;   ///< share of the tracks that must be so much clearer
  int faint_least = 3;        ///< and their number
  double ghost = 0.5;         ///< of a track's slope, that the scene may have the other way
  double jump = 8;            ///< pixels from where it is expected: not this cell
  int min_frames = 10;        ///< shorter tracks are not kept, unless films are short
  int trial = 10;             ///< frames after which a new track is confirmed or dropped, at most
  double trial_seen = 0.8;    ///< share of them in which it must be seen
  double trial_score = 1.05;  ///< mean score it must have
  double lost_score = 0.9;    ///< mean score below which a track ends
};
inline constexpr CellsConstants kCells{};

/// Radii of a star, and directions of the outline that is measured after it.
inline constexpr int kSnaxels = 20;

/// Eight neighbours, in the order in which their differences are added.
inline constexpr int kMgvfNeighbours = 8;
struct MgvfFlow {
  int dx[kMgvfNeighbours]{-1, 0, 1, -1, 1, -1, 0, 1};
  int dy[kMgvfNeighbours]{-1, -1, -1, 0, 0, 1, 1, 1};
  /// 1: counts only if higher, -1: only if lower, 0: always, with half the weight.
  int side[kMgvfNeighbours]{};
};

/// `x` and `y` are signs of the flow, -1, 0 or 1. Edges spread against it.
TESSERA_BOTH constexpr MgvfFlow mgvf_flow(int x, int y) {
  MgvfFlow flow;
  for (int n = 0; n < kMgvfNeighbours; ++n) {
    const int along = x * flow.dx[n] + y * flow.dy[n];
    flow.side[n] = along > 0 ? 1 : along < 0 ? -1 : 0;
  }
  return flow;
}

/// The step H(d side) times d, with H the exact step: max(d, 0), min(d, 0) or d / 2.
template <class Real>
TESSERA_BOTH constexpr Real mgvf_term(Real d, int side) {
  return (d + static_cast<Real>(side) * cell_abs(d)) * Real(0.5);
}

/// A field value after one iteration: `sum` of the eight terms, `edge` the edge map here.
template <class Real>
TESSERA_BOTH constexpr Real mgvf_step(Real field, Real sum, Real edge) {
  const Real spread = field + Real(0.1) * sum;
  return spread - Real(0.2) * edge * (spread - edge);
}

/// Pixels [x, x + width) by [y, y + height) of the frame.
struct CellWindow {
  int x, y, width, height;
};

/// Around a point, moved to lie inside the frame; a frame smaller than a window is the window.
template <class Real>
TESSERA_BOTH constexpr CellWindow cell_window(Real x, Real y, int frame_width, int frame_height) {
  const int side = 2 * kCells.window + 1;
  const int width = cell_min(side, frame_width), height = cell_min(side, frame_height);
  return {cell_clamp(static_cast<int>(x) - width / 2, 0, frame_width - width),
          cell_clamp(static_cast<int>(y) - height / 2, 0, frame_height - height), width, height};
}

/// The score of a circle, m / sqrt(v + floor), from n outward derivatives' sum and sum of squares;
/// 0 if that has no root. Without a floor, circles on which the noise happens to vary little
/// surpass faint cells.
template <class Real>
TESSERA_BOTH Real circle_score(Real sum, Real squares, int n, Real floor) {
  const Real mean = sum / static_cast<Real>(n);
  const Real variance = (squares - sum * mean) / static_cast<Real>(n - 1) + floor;
  return variance > 0 ? mean / cell_sqrt(variance) : Real(0);
}

/// The floor of a frame whose gradients' components have this mean absolute value: a multiple of
/// the variance that noise of such a mean has.
TESSERA_BOTH constexpr double score_floor(double mean_absolute) {
  return kCells.score_floor * 1.5707963267948966 * mean_absolute * mean_absolute;
}

/// Bilinear, inside: 0 <= x <= width - 1 and the same for y.
template <class Real>
TESSERA_BOTH Real cell_bilinear(const Real* data, int width, int height, Real x, Real y) {
  const int left = cell_clamp(static_cast<int>(x), 0, width - 2);
  const int top = cell_clamp(static_cast<int>(y), 0, height - 2);
  const Real a = x - static_cast<Real>(left), b = y - static_cast<Real>(top);
  const Real* p = data + static_cast<long long>(top) * width + left;
  const Real above = p[0] + a * (p[1] - p[0]);
  const Real below = p[width] + a * (p[width + 1] - p[width]);
  return above + b * (below - above);
}

}  // namespace tessera
