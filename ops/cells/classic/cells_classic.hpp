// SPDX-License-Identifier: Apache-2.0
/// The published program, step by step, with its quirks: results are compared with that program's.
///
/// Kept as they are: the literal 3.14159 for pi, truncation toward zero, the rows that are 40 too
/// small, the spline in which only one control point moves (by mistake), windows that lie one row
/// too low, row positions that are 1 too small, the snake that stops too early, directions 0/0
/// where the field is flat. Not kept: reads outside an array; here they take the nearest sample
/// inside.
///
/// Every result is in double, in a fixed order: the same bits for any number of threads.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "ops/cells/cells_problem.hpp"

namespace tessera {

inline constexpr double kClassicPi = 3.14159;
inline constexpr int kClassicCircles = 7, kClassicSamples = 150;
/// Centres closer to the edge of the crop have no score.
inline constexpr int kClassicMargin = 22;
inline constexpr double kClassicThreshold = 1.8;
/// Left over from an image that was padded: rows are 40 too small while a contour is made.
inline constexpr int kClassicPadding = 40;
/// Points of the contours that both snakes start from.
inline constexpr double kClassicRadius = 10;
inline constexpr int kClassicControls = 9, kClassicContour = 36, kClassicSnaxels = 20;

/// Unit vectors at equal angles.
template <std::size_t count>
struct ClassicDirections {
  std::array<double, count> x, y;
};
template <std::size_t count>
const ClassicDirections<count>& classic_directions() {
  static const auto made = [] {
    ClassicDirections<count> d{};
    for (std::size_t n = 0; n < count; ++n) {
      const double angle = static_cast<double>(n) * 2 * kClassicPi / count;
      d.x[n] = std::cos(angle);
      d.y[n] = std::sin(angle);
    }
    return d;
  }();
  return made;
}

struct ClassicPlane {
  int width = 0, height = 0;
  std::vector<double> samples;

  ClassicPlane() = default;
  ClassicPlane(int w, int h)
      : width(w), height(h), samples(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  double* row(int y) { return samples.data() + 1LL * y * width; }
  const double* row(int y) const { return samples.data() + 1LL * y * width; }
  double& at(int x, int y) { return row(y)[x]; }
  double at(int x, int y) const { return row(y)[x]; }
};

struct ClassicGradient {
  ClassicPlane x, y;
};

// cells_classic_plane.cpp

/// Part of a frame with values from 0 to 255: u8 as it is, u16 divided by 257; floating-point
/// frames are assumed to have this scale. Only the spline's step depends on the scale.
ClassicPlane classic_plane(const AnyView& frame, int film, const CellsCrop& part);
/// Central differences; one-sided, and not halved, at the ends.
ClassicGradient classic_gradient(const ClassicPlane& image);
double classic_bilinear(const ClassicPlane& image, double x, double y);

// cells_classic_gicov.cpp

/// Sample positions on a circle, relative to its centre.
struct ClassicCircle {
  std::array<int, kClassicSamples> x, y;
};
const std::array<ClassicCircle, kClassicCircles>& classic_circles();
/// The signed score m / sqrt(v) of the best circle around every pixel.
ClassicPlane classic_gicov(const ClassicGradient& gradient, int threads);

// cells_classic_candidates.cpp

struct ClassicContour {
  std::array<double, kClassicContour> x, y;
};
struct ClassicCandidate {
  int column = 0, row = 0;  ///< of the crop
  double score = 0;
  ClassicContour contour;  ///< its rows are 40 too small
};
/// Offsets of the disk within which a candidate must be the maximum.
const std::vector<std::array<int, 2>>& classic_disk();
ClassicContour classic_circle_contour(double x, double y);
/// The point of a closed contour nearest to i/36 of its length, for every i.
std::array<int, kClassicContour> classic_uniform_points(const ClassicContour& contour);
/// In row order. Contours must keep clear of the edges of `frame`.
std::vector<ClassicCandidate> classic_candidates(const ClassicPlane& gicov, const Size& frame);

// cells_classic_spline.cpp

struct ClassicBasis {
  using Row = std::array<double, kClassicControls>;
  std::array<Row, kClassicContour> value, slope;
};
const ClassicBasis& classic_basis();
struct ClassicSpline {
  std::array<double, kClassicControls> x, y;

  ClassicContour contour() const;
};
/// Least squares.
ClassicSpline classic_fit(const ClassicContour& contour);
/// 20 iterations of the published snake, in rows of the crop.
void classic_refine(ClassicSpline& spline, const ClassicGradient& gradient, bool rises_outward);

// cells_classic_detect.cpp

struct ClassicDetections {
  ClassicPlane gicov;
  std::vector<ClassicCandidate> candidates;
  std::vector<CellDetection> cells;  ///< one per candidate, in pixels of the frame
};
ClassicDetections classic_detect(const CellsProblem& problem, const AnyView& frame, int film,
                                 int threads);

// cells_classic_mgvf.cpp

struct ClassicField {
  ClassicPlane potential;
  int iterations = 0;
};
/// The weight of a neighbour: a step from 0 to 1, smoothed over 1e-10.
double classic_step(double difference);
/// Edge strengths from 0 to 1.
ClassicPlane classic_normalised(ClassicPlane edges);
/// One iteration; returns the mean change.
double classic_mgvf_iteration(const ClassicPlane& edges, ClassicPlane& potential);
ClassicField classic_mgvf(const ClassicPlane& normalised_edges);

// cells_classic_star.cpp

struct ClassicStar {
  double x = 0, y = 0;
  std::array<double, kClassicSnaxels> radii{};
};
/// Settles the star in a window's potential, in window coordinates; returns the number of
/// iterations.
int classic_settle(const ClassicPlane& potential, double expected_y, ClassicStar& star);

// cells_classic_track.cpp

/// A cell after a frame.
struct ClassicSpot {
  double x = 0, y = 0, radius = 0;
  int field_iterations = 0, snake_iterations = 0;
  std::array<float, kClassicSnaxels> radii{};  ///< of the star; 0 where none has settled
};
struct ClassicCell {
  CellDetection found;
  ClassicStar star;
  std::vector<ClassicSpot> path;  ///< one per frame, from the first
};
ClassicCell classic_cell(const CellDetection& found);
/// The window around a position, inside the frame.
CellsCrop classic_window(const Size& frame, double x, double y);
/// Follows the cell into the next frame. A cell whose position is no longer finite (for example
/// after a frame without any edge) is lost and keeps its state.
void classic_follow(ClassicCell& cell, const AnyView& frame, int film);

}  // namespace tessera
