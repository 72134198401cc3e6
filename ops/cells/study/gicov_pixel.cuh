// SPDX-License-Identifier: Apache-2.0
// Shared by the detection rungs: a thread makes one pixel of a map. Threads of a block have pixels
// below each other, as published, so matrices stored column by column are read side by side.
#pragma once

#include "ops/cells/study/detect_args.cuh"

namespace tessera {

/// Gradients as a rung reads them.
struct MemoryRows {
  const DetectArgs& a;
  __device__ float x(int column, int row) const { return a.along_x[row * a.width + column]; }
  __device__ float y(int column, int row) const { return a.along_y[row * a.width + column]; }
};
struct TextureRows {
  const DetectArgs& a;
  __device__ float x(int column, int row) const {
    return tex1Dfetch<float>(a.along_x_texture, row * a.width + column);
  }
  __device__ float y(int column, int row) const {
    return tex1Dfetch<float>(a.along_y_texture, row * a.width + column);
  }
};
struct TextureColumns {
  const DetectArgs& a;
  __device__ float x(int column, int row) const {
    return tex1Dfetch<float>(a.along_x_texture, column * a.height + row);
  }
  __device__ float y(int column, int row) const {
    return tex1Dfetch<float>(a.along_y_texture, column * a.height + row);
  }
};

template <class Gradients>
__device__ float slope_at(const Gradients& gradients, const DetectTables& t, int column, int row,
                          int circle, int n) {
  const int x = column + t.offset_x[circle * kGicovPoints + n];
  const int y = row + t.offset_y[circle * kGicovPoints + n];
  return gradients.x(x, y) * t.cosine[n] + gradients.y(x, y) * t.sine[n];
}

struct MeanAndVariance {
  float mean, variance;
};

/// The slopes are kept between the passes, in memory: unrolled, 150 of them would fit today's
/// registers; they did not fit then.
struct TwoPasses {
  template <class Slope>
  __device__ static MeanAndVariance of(Slope slope) {
    float slopes[kGicovPoints], sum = 0, squares = 0;
#pragma unroll 1
    for (int n = 0; n < kGicovPoints; ++n) {
      slopes[n] = slope(n);
      sum += slopes[n];
    }
    const float mean = sum / kGicovPoints;
#pragma unroll 1
    for (int n = 0; n < kGicovPoints; ++n) squares += (slopes[n] - mean) * (slopes[n] - mean);
    return {mean, squares / (kGicovPoints - 1)};
  }
};

/// Mean and squares are updated with every slope (Welford).
struct OnePass {
  template <class Slope>
  __device__ static MeanAndVariance of(Slope slope) {
    float mean = 0, squares = 0;
    for (int n = 0; n < kGicovPoints; ++n) {
      const float value = slope(n), off = value - mean;
      mean += off / static_cast<float>(n + 1);
      squares += off * (value - mean);
    }
    return {mean, squares / (kGicovPoints - 1)};
  }
};

template <class Gradients, class Passes>
__device__ void gicov_pixel(const DetectArgs& a, const DetectTables& t) {
  const Gradients gradients{a};
  const int column = static_cast<int>(blockIdx.x) + kGicovMargin;
  const int row = static_cast<int>(threadIdx.x) + kGicovMargin;
  float best = 0, score = 0;
  for (int circle = 0; circle < kCircles; ++circle) {
    const MeanAndVariance found =
        Passes::of([&](int n) { return slope_at(gradients, t, column, row, circle, n); });
    const float square = found.mean * found.mean / found.variance;
    if (square > best) {
      best = square;
      score = found.mean / sqrtf(found.variance);
    }
  }
  a.gicov[row * a.width + column] = score;
}

/// Scores as a rung reads them.
struct MemoryScores {
  const DetectArgs& a;
  __device__ float at(int k) const { return a.gicov[k]; }
};
struct TextureScores {
  const DetectArgs& a;
  __device__ float at(int k) const { return tex1Dfetch<float>(a.gicov_texture, k); }
};

template <class Scores>
__device__ void dilated_pixel(const DetectArgs& a, const DetectTables& t) {
  const Scores scores{a};
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= a.width * a.height) return;
  const int x = k % a.width, y = k / a.width;
  float largest = 0;
  for (int j = 0; j < kDiskSide; ++j)
    for (int i = 0; i < kDiskSide; ++i) {
      const int from_x = x + i - kDiskReach, from_y = y + j - kDiskReach;
      if (from_x < 0 || from_x >= a.width || from_y < 0 || from_y >= a.height) continue;
      if (t.disk[j * kDiskSide + i] == 0) continue;
      const float score = scores.at(from_y * a.width + from_x);
      largest = fmaxf(largest, score * score);
    }
  a.dilated[k] = largest;
}

}  // namespace tessera
