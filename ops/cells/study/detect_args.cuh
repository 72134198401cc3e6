// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the detection ladder. Matrices are stored row by row, gradients also
// column by column.
#pragma once

namespace tessera {

inline constexpr int kCircles = 7;
inline constexpr int kLeastCircle = 8, kCircleStep = 2;
inline constexpr int kGicovPoints = 150;
inline constexpr int kGicovMargin = 22;  ///< twice the radius of a cell, and 2
inline constexpr int kDiskReach = 12, kDiskSide = 2 * kDiskReach + 1;
inline constexpr int kDilationThreads = 176;  ///< of a block, as published

/// Offsets, angles and the disk.
struct DetectTables {
  float sine[kGicovPoints], cosine[kGicovPoints];
  int offset_x[kCircles * kGicovPoints], offset_y[kCircles * kGicovPoints];
  float disk[kDiskSide * kDiskSide];  ///< 1 inside
};

struct DetectArgs {
  const DetectTables* tables;  ///< in device memory
  const float *along_x, *along_y;
  unsigned long long along_x_texture, along_y_texture, gicov_texture;
  float *gicov, *dilated;
  int width, height;
};

/// With the tables among the arguments, which kernels read through the constant cache.
struct ConstantDetectArgs {
  DetectArgs detect;
  DetectTables tables;
};

}  // namespace tessera
