// SPDX-License-Identifier: Apache-2.0
// The detection snake: a closed uniform cubic B-spline that climbs to where the difference between
// the image just outside and just inside the curve is largest.
#pragma once

#include "ops/cells/cells_model.cuh"

namespace tessera {

inline constexpr int kSplineControls = 9;
inline constexpr int kSplinePieces = 4;  ///< samples per segment
inline constexpr int kSplineSamples = kSplineControls * kSplinePieces;

/// Weights of the control points i - 1, i, i + 1, i + 2 at the four samples of a segment, for the
/// curve and for its derivative.
template <class Real>
struct SplineBasis {
  Real value[kSplinePieces][4], slope[kSplinePieces][4];
};
template <class Real>
TESSERA_BOTH constexpr SplineBasis<Real> spline_basis() {
  SplineBasis<Real> basis{};
  for (int j = 0; j < kSplinePieces; ++j) {
    const Real s = static_cast<Real>(j) / kSplinePieces, t = 1 - s;
    basis.value[j][0] = t * t * t / 6;
    basis.value[j][1] = (3 * s * s * s - 6 * s * s + 4) / 6;
    basis.value[j][2] = (-3 * s * s * s + 3 * s * s + 3 * s + 1) / 6;
    basis.value[j][3] = s * s * s / 6;
    basis.slope[j][0] = -t * t / 2;
    basis.slope[j][1] = (9 * s * s - 12 * s) / 6;
    basis.slope[j][2] = (-9 * s * s + 6 * s + 3) / 6;
    basis.slope[j][3] = s * s / 2;
  }
  return basis;
}

template <class Real>
struct CellSpline {
  Real x[kSplineControls], y[kSplineControls];
};

TESSERA_BOTH constexpr int spline_control(int segment, int k) {
  return (segment + k + kSplineControls - 1) % kSplineControls;
}

/// A point of the curve and its tangent.
template <class Real>
struct SplinePoint {
  Real x, y, dx, dy;
};
template <class Real>
TESSERA_BOTH SplinePoint<Real> spline_point(const CellSpline<Real>& spline,
                                            const SplineBasis<Real>& basis, int sample) {
  const int segment = sample / kSplinePieces, j = sample % kSplinePieces;
  SplinePoint<Real> p{0, 0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    const int c = spline_control(segment, k);
    p.x += basis.value[j][k] * spline.x[c];
    p.y += basis.value[j][k] * spline.y[c];
    p.dx += basis.slope[j][k] * spline.x[c];
    p.dy += basis.slope[j][k] * spline.y[c];
  }
  return p;
}

/// Control points whose curve is the circle to within 0.1% of the radius. If the control points lie
/// on a circle of radius R, the curve has radius R (2 + cos(2 pi / 9)) / 3 at the joints.
template <class Real>
TESSERA_BOTH CellSpline<Real> spline_circle(Real x, Real y, Real radius) {
  // cos and sin of i times 40 degrees, as constants: kernels compiled at run time and the host must
  // agree.
  const double cosine[]{1,    0.76604444311897803520,  0.17364817766693034885,
                        -0.5, -0.93969262078590838405, -0.93969262078590838405,
                        -0.5, 0.17364817766693034885,  0.76604444311897803520};
  const double sine[]{0,
                      0.64278760968653932632,
                      0.98480775301220805937,
                      0.86602540378443864676,
                      0.34202014332566873304,
                      -0.34202014332566873304,
                      -0.86602540378443864676,
                      -0.98480775301220805937,
                      -0.64278760968653932632};
  const Real controls = radius * static_cast<Real>(3 / (2 + cosine[1]));
  CellSpline<Real> spline;
  for (int i = 0; i < kSplineControls; ++i) {
    spline.x[i] = x + controls * static_cast<Real>(cosine[i]);
    spline.y[i] = y + controls * static_cast<Real>(sine[i]);
  }
  return spline;
}

/// Gradients of the image that the spline climbs.
template <class Real>
struct SplineImage {
  const Real *across, *down;
  int width, height;
};

/// The centre, mean radius, score and mean outward derivative of a contour. Centre and radius are
/// means along the curve, not over its samples: those crowd together where it was pushed most.
template <class Real>
struct SplineShape {
  Real x, y, radius, score, slope;
};

template <class Real>
TESSERA_BOTH Real spline_sample(const Real* gradient, const SplineImage<Real>& image, Real x,
                                Real y) {
  return cell_bilinear(gradient, image.width, image.height,
                       cell_clamp(x, Real(0), static_cast<Real>(image.width - 1)),
                       cell_clamp(y, Real(0), static_cast<Real>(image.height - 1)));
}

/// The share of a sample of the curve in the gradient of the summed difference between the curves
/// `kSplineReach` outside and inside, for the control points of its segment.
inline constexpr double kSplineReach = 3;
template <class Real>
struct SplinePush {
  Real x[4], y[4];
};
template <class Real>
TESSERA_BOTH SplinePush<Real> spline_push(const CellSpline<Real>& spline,
                                          const SplineBasis<Real>& basis,
                                          const SplineImage<Real>& image, int sample) {
  const Real reach = static_cast<Real>(kSplineReach);
  SplinePush<Real> push{};
  const SplinePoint<Real> p = spline_point(spline, basis, sample);
  const Real length = cell_sqrt(p.dx * p.dx + p.dy * p.dy);
  if (!(length > 0)) return push;
  const Real nx = reach * p.dy / length, ny = -reach * p.dx / length;
  const Real x1 = spline_sample(image.across, image, p.x + nx, p.y + ny);
  const Real y1 = spline_sample(image.down, image, p.x + nx, p.y + ny);
  const Real x2 = spline_sample(image.across, image, p.x - nx, p.y - ny);
  const Real y2 = spline_sample(image.down, image, p.x - nx, p.y - ny);
  for (int k = 0; k < 4; ++k) {
    const Real a = basis.value[sample % kSplinePieces][k];
    const Real b = reach * basis.slope[sample % kSplinePieces][k] / length;
    const Real turn = b * p.dx * p.dy / (length * length);
    const Real turn_x = b * (1 - p.dx * p.dx / (length * length));
    const Real turn_y = b * (1 - p.dy * p.dy / (length * length));
    push.x[k] = (a - turn) * x1 - turn_x * y1 - (a + turn) * x2 - turn_x * y2;
    push.y[k] = turn_y * x1 + (a + turn) * y1 + turn_y * x2 - (a - turn) * y2;
  }
  return push;
}

/// One iteration: every control point moves along that gradient; `step` carries the sign of the
/// score.
template <class Real>
TESSERA_BOTH void spline_climb(CellSpline<Real>& spline, const SplineBasis<Real>& basis,
                               const SplineImage<Real>& image, Real step) {
  CellSpline<Real> force{};
  for (int sample = 0; sample < kSplineSamples; ++sample) {
    const SplinePush<Real> push = spline_push(spline, basis, image, sample);
    for (int k = 0; k < 4; ++k) {
      const int c = spline_control(sample / kSplinePieces, k);
      force.x[c] += push.x[k];
      force.y[c] += push.y[k];
    }
  }
  for (int c = 0; c < kSplineControls; ++c) {
    spline.x[c] += step * force.x[c];
    spline.y[c] += step * force.y[c];
  }
}

/// The sums that a shape is made of.
template <class Real>
struct SplineSums {
  Real x = 0, y = 0, around = 0, out = 0, squares = 0;
};
/// The part of a sample: place times length, length, and the outward derivative.
template <class Real>
struct SplinePart {
  Real x, y, length, out;
};
template <class Real>
TESSERA_BOTH SplinePart<Real> spline_part(const CellSpline<Real>& spline,
                                          const SplineBasis<Real>& basis,
                                          const SplineImage<Real>& image, int sample) {
  const SplinePoint<Real> p = spline_point(spline, basis, sample);
  const Real length = cell_sqrt(p.dx * p.dx + p.dy * p.dy);
  if (!(length > 0)) return {0, 0, 0, 0};
  const Real out = (spline_sample(image.across, image, p.x, p.y) * p.dy -
                    spline_sample(image.down, image, p.x, p.y) * p.dx) /
                   length;
  return {length * p.x, length * p.y, length, out};
}
template <class Real>
TESSERA_BOTH void spline_add(SplineSums<Real>& sums, const SplinePart<Real>& part) {
  sums.x += part.x;
  sums.y += part.y;
  sums.around += part.length;
  sums.out += part.out;
  sums.squares += part.out * part.out;
}
/// The shape without its radius.
template <class Real>
TESSERA_BOTH SplineShape<Real> spline_shape_of(const SplineSums<Real>& sums, Real floor) {
  if (!(sums.around > 0)) return {0, 0, 0, 0, 0};
  return {sums.x / sums.around, sums.y / sums.around, 0,
          circle_score(sums.out, sums.squares, kSplineSamples, floor), sums.out / kSplineSamples};
}
/// The share of a sample in the radius of a shape.
template <class Real>
TESSERA_BOTH Real spline_radius_part(const CellSpline<Real>& spline, const SplineBasis<Real>& basis,
                                     const SplineShape<Real>& shape, Real around, int sample) {
  if (!(around > 0)) return 0;
  const SplinePoint<Real> p = spline_point(spline, basis, sample);
  const Real dx = p.x - shape.x, dy = p.y - shape.y;
  return cell_sqrt((p.dx * p.dx + p.dy * p.dy) * (dx * dx + dy * dy)) / around;
}

template <class Real>
TESSERA_BOTH SplineShape<Real> spline_shape(const CellSpline<Real>& spline,
                                            const SplineBasis<Real>& basis,
                                            const SplineImage<Real>& image, Real floor) {
  SplineSums<Real> sums;
  for (int sample = 0; sample < kSplineSamples; ++sample)
    spline_add(sums, spline_part(spline, basis, image, sample));
  SplineShape<Real> shape = spline_shape_of(sums, floor);
  for (int sample = 0; sample < kSplineSamples; ++sample)
    shape.radius += spline_radius_part(spline, basis, shape, sums.around, sample);
  return shape;
}

}  // namespace tessera
