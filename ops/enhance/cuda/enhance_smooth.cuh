// SPDX-License-Identifier: Apache-2.0
// Smoothing of any image: weights that are a product of two rows of numbers go through shared
// memory, all others are summed weight by weight. Only weights inside the image count.
#pragma once

#include "ops/enhance/cuda/enhance_args.cuh"

namespace tessera {

/// The work of a block: a channel of a plane, its first output.
struct SmoothPlace {
  int plane, channel, x, y;
  bool alpha;
};

__device__ inline SmoothPlace smooth_place(const EnhanceSmoothArgs& a, int width, int height) {
  const int channels = a.image.channels, z = static_cast<int>(blockIdx.z);
  return {z / channels, z % channels, static_cast<int>(blockIdx.x) * width,
          a.image.made.first + static_cast<int>(blockIdx.y) * height,
          channels % 2 == 0 && z % channels == channels - 1};
}

/// A sample of the image, after its curve.
template <class T>
__device__ inline unsigned smooth_sample(const EnhanceSmoothArgs& a, const SmoothPlace& p, int x,
                                         int y) {
  const PieceArgs& image = a.image;
  const unsigned v = static_cast<const T*>(
      image.in)[p.plane * image.in_plane + (y - image.held.first) * image.in_row +
                x * image.in_pixel + p.channel];
  if (!a.curve || p.alpha) return v;
  const long long group = 1LL * p.plane * a.groups + (a.groups > 1 ? p.channel : 0);
  return a.curve[group * a.levels + v];
}

template <class T>
__device__ inline void smooth_store(const EnhanceSmoothArgs& a, const SmoothPlace& p, int x, int y,
                                    unsigned value) {
  const PieceArgs& image = a.image;
  static_cast<T*>(image.out)[p.plane * image.out_plane + (y - image.made.first) * image.out_row +
                             x * image.out_pixel + p.channel] = static_cast<T>(value);
}

/// The `weights` that lie on pixels [0, size) if the first lies on `at`.
__device__ inline unsigned weights_inside(const int* weights, int count, int at, int size) {
  unsigned sum = 0;
  for (int k = 0; k < count; ++k)
    if (at + k >= 0 && at + k < size) sum += static_cast<unsigned>(weights[k]);
  return sum;
}

/// Sums of weights are at most 65535 and samples 65535: 32 bits hold them.
template <class T>
__device__ void enhance_smooth_separable(const EnhanceSmoothArgs& a) {
  extern __shared__ __align__(16) unsigned enhance_sums[];
  const PieceArgs& image = a.image;
  const SmoothPlace p = smooth_place(a, kSmoothWidth, kSmoothHeight);
  const int columns = kSmoothWidth + a.filter_width - 1, rows = kSmoothHeight + a.filter_height - 1;
  auto* values = reinterpret_cast<unsigned short*>(enhance_sums + kSmoothWidth * rows);
  const int left = p.x - image.anchor_x, top = p.y - image.anchor_y;
  const int thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < columns * rows; k += kSmoothThreads) {
    const int x = left + k % columns, y = top + k / columns;
    const bool inside = x >= 0 && x < image.width && image.held.contains(y);
    values[k] = inside ? static_cast<unsigned short>(smooth_sample<T>(a, p, x, y)) : 0;
  }
  __syncthreads();
  for (int k = thread; k < kSmoothWidth * rows; k += kSmoothThreads) {
    const unsigned short* from = values + k / kSmoothWidth * columns + k % kSmoothWidth;
    unsigned sum = 0;
    for (int i = 0; i < a.filter_width; ++i) sum += static_cast<unsigned>(a.weights[i]) * from[i];
    enhance_sums[k] = sum;
  }
  __syncthreads();
  const int* down = a.weights + a.filter_width;
  for (int k = thread; k < kSmoothWidth * kSmoothHeight; k += kSmoothThreads) {
    const int x = p.x + k % kSmoothWidth, y = p.y + k / kSmoothWidth;
    if (x >= image.width || y >= image.made.end) continue;
    unsigned sum = 0;
    for (int j = 0; j < a.filter_height; ++j)
      sum += static_cast<unsigned>(down[j]) * enhance_sums[k + j * kSmoothWidth];
    const unsigned total =
        weights_inside(a.weights, a.filter_width, x - image.anchor_x, image.width) *
        weights_inside(down, a.filter_height, y - image.anchor_y, image.height);
    const bool stays = p.alpha || total == 0;
    smooth_store<T>(a, p, x, y, stays ? smooth_sample<T>(a, p, x, y) : (sum + total / 2) / total);
  }
}

/// A thread makes one sample.
template <class T>
__device__ void enhance_smooth_any(const EnhanceSmoothArgs& a) {
  const PieceArgs& image = a.image;
  constexpr int kRows = kSmoothThreads / 32;
  const SmoothPlace p = smooth_place(a, 32, kRows);
  const int x = p.x + static_cast<int>(threadIdx.x % 32),
            y = p.y + static_cast<int>(threadIdx.x / 32);
  if (x >= image.width || y >= image.made.end) return;
  long long sum = 0, total = 0;
  for (int j = 0; j < a.filter_height && !p.alpha; ++j) {
    const int row = y + j - image.anchor_y;
    if (row < 0 || row >= image.height) continue;
    for (int i = 0; i < a.filter_width; ++i) {
      const int column = x + i - image.anchor_x;
      if (column < 0 || column >= image.width) continue;
      const int weight = a.weights[j * a.filter_width + i];
      sum += 1LL * weight * smooth_sample<T>(a, p, column, row);
      total += weight;
    }
  }
  if (total <= 0) return smooth_store<T>(a, p, x, y, smooth_sample<T>(a, p, x, y));
  const long long most = a.levels - 1, value = sum < 0 ? 0 : (sum + total / 2) / total;
  smooth_store<T>(a, p, x, y, static_cast<unsigned>(value < most ? value : most));
}

}  // namespace tessera
