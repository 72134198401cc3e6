// SPDX-License-Identifier: Apache-2.0
// Local maxima become cells: a closed cubic spline of nine control points settles on the outline.
// Slips of the published program are kept: rows that are 40 less for a while, one control point
// that moves instead of nine, an inner curve that is mirrored in y.
#include <cmath>

#include "ops/cells/study/plain_cells.hpp"

namespace tessera {
namespace {

constexpr int kControls = 9, kSamplesEach = 4, kSamples = kControls * kSamplesEach;
constexpr int kSteps = 20, kStrayRows = 40, kEdge = 5;
constexpr double kRadius = 10, kStep = 0.02, kOffset = 3, kThreshold = 1.8;

using Controls = std::array<double, kControls>;
using Points = std::array<double, kSamples>;

/// Weights of a sample's four control points and their derivatives.
struct Basis {
  double value[4], derivative[4];
};

Basis basis_at(int sample) {
  const double s = static_cast<double>(sample % kSamplesEach) / kSamplesEach;
  const double s2 = s * s, s3 = s2 * s;
  return {
      {(1 - s) * (1 - s) * (1 - s) / 6, (3 * s3 - 6 * s2 + 4) / 6,
       (-3 * s3 + 3 * s2 + 3 * s + 1) / 6, s3 / 6},
      {(-3 * s2 + 6 * s - 3) / 6, (9 * s2 - 12 * s) / 6, (-9 * s2 + 6 * s + 3) / 6, 3 * s2 / 6}};
}

int control_of(int sample, int k) {
  return (sample / kSamplesEach + k - 1 + kControls) % kControls;
}

/// Least squares by the normal equations, which are positive definite.
Controls fit(const Points& points) {
  double m[kControls][kControls + 1] = {};
  for (int i = 0; i < kSamples; ++i) {
    const Basis basis = basis_at(i);
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < 4; ++l)
        m[control_of(i, k)][control_of(i, l)] += basis.value[k] * basis.value[l];
      m[control_of(i, k)][kControls] += basis.value[k] * points[i];
    }
  }
  for (int pivot = 0; pivot < kControls; ++pivot)
    for (int row = 0; row < kControls; ++row) {
      if (row == pivot) continue;
      const double factor = m[row][pivot] / m[pivot][pivot];
      for (int column = pivot; column <= kControls; ++column)
        m[row][column] -= factor * m[pivot][column];
    }
  Controls controls;
  for (int c = 0; c < kControls; ++c) controls[c] = m[c][kControls] / m[c][c];
  return controls;
}

/// Samples of a curve, or of its derivative.
Points curve(const Controls& controls, bool derivative) {
  Points points = {};
  for (int i = 0; i < kSamples; ++i) {
    const Basis basis = basis_at(i);
    for (int k = 0; k < 4; ++k)
      points[i] += (derivative ? basis.derivative[k] : basis.value[k]) * controls[control_of(i, k)];
  }
  return points;
}

struct Map {
  const double* data;
  int width, height;
  double at(int x, int y) const {
    return data[std::min(std::max(y, 0), height - 1) * width + std::min(std::max(x, 0), width - 1)];
  }
  double between(double x, double y) const {
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const double a = x - left, b = y - top;
    return (1 - a) * (1 - b) * at(left, top) + a * (1 - b) * at(left + 1, top) +
           (1 - a) * b * at(left, top + 1) + a * b * at(left + 1, top + 1);
  }
};

/// The force on control point 0 along x and y.
std::array<double, 2> force_on_first(const Map& along_x, const Map& along_y, const Controls& cx,
                                     const Controls& cy) {
  const Points x = curve(cx, false), y = curve(cy, false), xs = curve(cx, true),
               ys = curve(cy, true);
  std::array<double, 2> force = {};
  for (int i = 0; i < kSamples; ++i) {
    const double length = std::hypot(xs[i], ys[i]), cube = length * length * length;
    const double normal_x = ys[i] / length, normal_y = -xs[i] / length;
    const double x1 = x[i] + kOffset * normal_x, y1 = y[i] + kOffset * normal_y;
    const double x2 = x[i] - kOffset * normal_x, y2 = y[i] + kOffset * normal_y;
    const double ix1 = along_x.between(x1, y1), iy1 = along_y.between(x1, y1);
    const double ix2 = along_x.between(x2, y2), iy2 = along_y.between(x2, y2);
    const Basis basis = basis_at(i);
    for (int k = 0; k < 4; ++k) {
      if (control_of(i, k) != 0) continue;
      const double a = basis.value[k], b = basis.derivative[k];
      const double p = kOffset * xs[i] * ys[i] * b / cube;
      const double qx = kOffset * (b / length - xs[i] * xs[i] * b / cube);
      const double qy = kOffset * (b / length - ys[i] * ys[i] * b / cube);
      force[0] += (a - p) * ix1 - qx * iy1 - (a + p) * ix2 - qx * iy2;
      force[1] += qy * ix1 + (a + p) * iy1 + qy * ix2 - (a - p) * iy2;
    }
  }
  return force;
}

double mean_of(const Points& points) {
  double sum = 0;
  for (const double point : points) sum += point;
  return sum / kSamples;
}

/// Samples of the circle at equal distances along it: on a circle the published rule
/// only takes point 0 twice and the last one never.
Points around(double centre, double (*wave)(double)) {
  Points points;
  for (int i = 0; i < kSamples; ++i)
    points[i] = centre + kRadius * wave(std::max(i - 1, 0) * 2 * kPublishedPi / kSamples);
  return points;
}

bool is_inside(const Points& points, int size) {
  for (const double point : points)
    if (point <= kEdge || point >= size - kEdge) return false;
  return true;
}

}  // namespace

std::vector<FoundCell> plain_outlines(const double* gicov, const double* dilated,
                                      const double* along_x, const double* along_y, int width,
                                      int height, const StudyCrop& crop) {
  std::vector<FoundCell> found;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const double score = gicov[row * width + column];
      if (score == 0 || dilated[row * width + column] != score * score) continue;
      if (row <= 29 || row >= height + 38 || std::abs(score) <= kThreshold) continue;
      const Points x = around(column, std::cos), y = around(row - kStrayRows, std::sin);
      if (!is_inside(x, width) || !is_inside(y, crop.frame_height)) continue;
      Controls cx = fit(x), cy = fit(y);
      for (double& control : cy) control += kStrayRows;
      for (int step = 0; step < kSteps; ++step) {
        const auto force =
            force_on_first({along_x, width, height}, {along_y, width, height}, cx, cy);
        const double signed_step = score > 0 ? kStep : -kStep;
        cx[0] = cx[1] + signed_step * force[0];
        cy[0] = cy[1] + signed_step * force[1];
      }
      found.push_back({column, row, score, mean_of(curve(cx, false)),
                       mean_of(curve(cy, false)) - kStrayRows + crop.top});
    }
  return found;
}

}  // namespace tessera
