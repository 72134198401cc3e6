// SPDX-License-Identifier: Apache-2.0
/// The heavy loops of the float path, each the serial work of one thread. The functions are those
/// of this CPU's best (or the forced) SIMD target; lanes are outputs.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/cells/cells_parts.hpp"
#include "ops/cells/cpu/cells_planes.hpp"
#include "ops/cells/detect/cells_circles.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Filters rows of a frame with a symmetric filter, across and down; borders replicate.
struct CellsSmoothBlock {
  AnyView frame;         ///< one plane
  const float* weights;  ///< kCellsSmoothReach + 1 of them, from the middle outwards
  Rows rows;
  float* out;      ///< the whole plane, packed
  float* scratch;  ///< smooth_scratch floats
};
inline constexpr int kCellsSmoothReach = kCells.smooth_radius;
long long smooth_scratch(int width, int rows);

/// A packed plane and the position of its samples: column x + whole_x + part_x, with parts from 0
/// to 1.
struct ShiftedPlane {
  const float* data;
  int width, height;
  int whole_x, whole_y;
  float part_x, part_y;

  ShiftedPlane(const float* plane, int plane_width, int plane_height, double shift_x,
               double shift_y);
  /// Columns, or rows, whose shifted position lies inside.
  Rows columns() const;
  Rows rows() const;
};

/// Adds the shifted plane to `sum`, and 1 to `count`, where it is inside.
struct AccumulateRow {
  ShiftedPlane from;
  int y;
  float* sum;  ///< of this row
  int* count;
};

/// out = sum / count where count is large enough and the result is finite, else infinity.
struct MeanRow {
  const float* sum;
  const int* count;
  int width;
  float* out;
};
/// The medians of the rows' finite values; without any finite value both `known` and the value are
/// 0.
struct MedianRow {
  const float* rows[kMostEpochs];  ///< rows of infinity if there are fewer epochs
  int width;
  float* value;
  unsigned char* known;
};

/// out = plane - shifted scene, 0 where the scene is outside or unknown.
struct SubtractRow {
  ShiftedPlane scene;
  const unsigned char* known;  ///< the whole plane
  int y;
  const float* in;  ///< of this row
  float* out;
};

/// Sums over every fourth column of a row: of the scene's gradients g and of the difference r
/// between the shifted frame and the scene, where r does not exceed the limit.
struct DriftRow {
  ShiftedPlane frame;
  const float* scene;  ///< the whole plane
  int y;
  int first, points;  ///< columns first, first + 4, …
  float limit;
};
inline constexpr int kDriftStep = 4;
static_assert(kDriftStep == kCells.drift_step);
/// As DriftSums. In g4, gradients are divided by the limit so that their fourth power stays in a
/// float's range.
struct DriftRowSums {
  float n, gx, gy, gxx, gxy, gyy, r, gxr, gyr, absolute, g4;
};

/// Central differences of a row; `rows_apart` is the distance between the row above and the row
/// below.
struct GradientRow {
  const float *above, *here, *below;
  int width, rows_apart;
  float *across, *down;
};

/// Circles are symmetric about their centre row: the pixels dy above and dy below a row of centres
/// are added first, once for every dy. A strip holds these sums for kGicovStrip centres, five lines
/// per dy: gx, gy (the one dy below minus the one above), gx^2, gx gy, gy^2.
inline constexpr int kGicovStrip = 64, kGicovLines = 5;
struct GicovShape {
  int reach = 0;  ///< of the largest circle

  /// The last vector of a line reads past it.
  long long line() const { return kGicovStrip + 2LL * reach + 16; }
  long long floats() const { return (reach + 1) * kGicovLines * line() + kGicovStrip; }
};
/// A pixel of a circle and its mirror image, dy >= 0: the weights of the five lines.
struct GicovTap {
  long long offset;  ///< in a strip, relative to the centre
  float x, y, xx, xy, yy;
};
struct GicovCircle {
  std::vector<GicovTap> taps;
  float per_point, per_freedom;  ///< 1 / n, 1 / (n - 1)
};
GicovCircle gicov_circle(const CellCircle& circle, const GicovShape& shape);

/// Scores of `count` centres of a row, and which circle each belongs to.
struct GicovRow {
  const float *across, *down;  ///< the whole planes, packed
  int width;
  GicovShape shape;
  const std::vector<GicovCircle>* circles;
  int x, y, count;
  float floor;        ///< added to variances
  float least, most;  ///< means outside this range do not count: -inf to 0, 0 to inf, or both
  float* strip;       ///< shape.floats() of them, none of them NaN
  float* score;
  std::uint8_t* circle;
};

/// A field that spreads: two copies, and the term that pulls it to the edge map I. One step is F' =
/// keep (spreading F) + pull, with keep = s (1 - f I) and pull = f I^2.
struct MgvfField {
  PaddedPlane field, next, keep, pull;
};
/// How strongly a step spreads (s, mu / lambda) and pulls (f, 1 / lambda), and the signs of the
/// flow.
struct MgvfRule {
  float spread = 0.1F, fidelity = 0.2F;
  int vx = 0, vy = 0, steps = 0;
};

struct CellsBlocks {
  int lanes = 1;  ///< floats per vector
  void (*smooth)(const CellsSmoothBlock&) = nullptr;
  void (*accumulate)(const AccumulateRow&) = nullptr;
  void (*mean)(const MeanRow&) = nullptr;
  void (*median)(const MedianRow&) = nullptr;
  void (*subtract)(const SubtractRow&) = nullptr;
  void (*drift)(const DriftRow&, DriftRowSums&) = nullptr;
  void (*gradient)(const GradientRow&) = nullptr;
  float (*absolute_sum)(const float* row, int count) = nullptr;
  void (*gicov)(const GicovRow&) = nullptr;
  /// On entry `field` holds the edge map I, 0 to 1; on return, the field. Borders are replicated.
  void (*mgvf)(const MgvfRule&, MgvfField&) = nullptr;
};
CellsBlocks cells_blocks();

void add_smooth_blocks(CellsBlocks&);
void add_scene_blocks(CellsBlocks&);
void add_median_blocks(CellsBlocks&);
void add_gicov_blocks(CellsBlocks&);
void add_mgvf_blocks(CellsBlocks&);

}  // namespace tessera
