// SPDX-License-Identifier: Apache-2.0
/// The published program as one would first write it: loops in double over rows of packed images.
/// As in the product's classic model PI is 3.14159, the step function is an arctangent, and rows
/// are shifted where the program shifts them.
#pragma once

#include <array>
#include <vector>

namespace tessera {

inline constexpr double kPublishedPi = 3.14159;

/// Central differences, one-sided at the ends.
void plain_gradient(const double* image, int width, int height, double* along_x, double* along_y);

/// Offsets and angles of the points of all circles.
struct CircleTables {
  std::vector<double> sine, cosine;     ///< per point
  std::vector<int> offset_x, offset_y;  ///< per point of a circle, circle after circle
};
const CircleTables& circle_tables();

/// A row of the score m / sqrt(v) of the circle with the largest m^2 / v; 0 near the edges.
void plain_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                     double* row);

/// The same with mean and variance in one pass.
void one_pass_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                        double* row);
/// The same from gradients that are stored column after column.
void column_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                      double* row);
std::vector<double> by_columns(const std::vector<double>& rows, int width, int height);

/// A row of the largest score^2 within a disk.
void plain_dilation_row(const double* gicov, int width, int height, int y, double* row);

/// A cell that detection found: its centre in the frame, and the pixel of the map it began with.
struct FoundCell {
  int column = 0, row = 0;
  double score = 0, x = 0, y = 0;
};

/// The position of the crop in the frame.
struct StudyCrop {
  int top = 0, frame_height = 0;
};

/// Local maxima of the map that pass, settled on the cell's outline by a closed spline.
std::vector<FoundCell> plain_outlines(const double* gicov, const double* dilated,
                                      const double* along_x, const double* along_y, int width,
                                      int height, const StudyCrop& crop);

inline constexpr int kStarPoints = 20;

/// A cell that is followed.
struct StarCell {
  double x = 0, y = 0;
  double expected_y = 0;  ///< its mean over the last frames
  std::array<double, kStarPoints> radii = {};
};

/// The part of the frame in which a cell is searched.
struct StudyWindow {
  int left = 0, top = 0, width = 0, height = 0;
};
StudyWindow window_of(const StarCell& cell, int frame_width, int frame_height);

/// Edges of a window of the frame, from 0 to 1.
void plain_edges(const double* frame, int frame_width, const StudyWindow& window, double* edges);

/// One Jacobi step of a row of the field; returns the sum of its changes.
double plain_mgvf_row(const double* edges, const double* from, int width, int height, int y,
                      double* to);
/// Iterates until the mean change is at most 1e-5, or 500 times; returns the number of steps.
int plain_mgvf(const double* edges, int width, int height, double* field);

/// The same field with one parallel loop for every call of the step function, eight in an
/// iteration; everything else is one thread's.
int mgvf_by_heaviside(const double* edges, int width, int height, double* field, int threads);

/// The star settles in the field; returns the number of steps.
int plain_star(const double* field, const StudyWindow& window, StarCell& cell);

}  // namespace tessera
