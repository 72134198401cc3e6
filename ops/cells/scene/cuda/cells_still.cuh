// SPDX-License-Identifier: Apache-2.0
// The still scene: partial sums of frames shifted by their drift, scenes made from these sums, and
// frames minus their scene. The arithmetic of cells_still_scene.hpp and cells_plain_parts.hpp.
#pragma once

#include "ops/cells/cells_model.cuh"
#include "ops/cells/cuda/cells_image_args.cuh"
#include "ops/cells/scene/cuda/cells_still_args.cuh"

namespace tessera {

static_assert(kCells.epoch / kCells.epoch_step < 256, "an epoch's counts are bytes");

__device__ inline bool cells_inside(const CellsPlanes& p, float x, float y) {
  return x >= 0 && y >= 0 && x <= static_cast<float>(p.width - 1) &&
         y <= static_cast<float>(p.height - 1);
}

__device__ inline void cells_accumulate(const CellsAccumulateArgs& a) {
  const long long pixel = 1LL * blockIdx.x * kCellsStillThreads + threadIdx.x;
  const int film = blockIdx.z;
  if (pixel >= a.in.pixels()) return;
  const auto x = static_cast<float>(pixel % a.in.width), y = static_cast<float>(pixel / a.in.width);
  const long long place = a.places.epoch(a.epoch, film) * a.in.pixels() + pixel;
  float sum = a.begins ? 0.0F : a.sums[place];
  int count = a.begins ? 0 : a.counts[place];
  const int first = (a.in.first + a.step - 1) / a.step * a.step;
  for (int frame = first; frame < a.in.first + a.in.count; frame += a.step) {
    const CellsShift shift = a.places.shift(frame, a.epoch, film);
    if (!cells_inside(a.in, x + shift.x, y + shift.y)) continue;
    const long long plane = 1LL * (frame - a.in.first) * a.places.films + film;
    sum += cell_bilinear(a.in.smooth + plane * a.in.pixels(), a.in.width, a.in.height, x + shift.x,
                         y + shift.y);
    ++count;
  }
  a.sums[place] = sum;
  a.counts[place] = static_cast<unsigned char>(count);
}

/// Where the canvas of a new epoch lies: at the last frame's drift, in whole pixels.
__device__ inline CellsCanvas cells_canvas(const CellsSceneArgs& a, int film) {
  if (a.begins < 0) return a.places.canvases[a.places.epoch(a.at, film)];
  const CellsPlace drift = a.places.drifts[a.places.frame(a.begins, film)];
  return {static_cast<int>(round(drift.x)), static_cast<int>(round(drift.y))};
}

__device__ inline float cells_infinity() { return __int_as_float(0x7f800000); }

/// The median of the finite means of epochs. Loops go through all positions without variable
/// indices, so that the values stay in registers.
struct CellsMedian {
  static constexpr int kMost = 2 * kCells.epochs_around + 1;
  float sorted[kMost];
  int count = 0;

  __device__ CellsMedian() {
#pragma unroll
    for (float& value : sorted) value = cells_infinity();
  }
  __device__ void add(float value) {
#pragma unroll
    for (float& place : sorted) {
      const float low = fminf(place, value);
      value = fmaxf(place, value);
      place = low;
    }
    ++count;
  }
  __device__ float at(int index) const {
    float found = 0;
#pragma unroll
    for (int k = 0; k < kMost; ++k) found = k == index ? sorted[k] : found;
    return found;
  }
  __device__ float middle() const {
    return count % 2 ? at(count / 2) : (at(count / 2 - 1) + at(count / 2)) / 2;
  }
};

__device__ inline void cells_scene(const CellsSceneArgs& a) {
  const long long pixels = 1LL * a.width * a.height;
  const long long pixel = 1LL * blockIdx.x * kCellsStillThreads + threadIdx.x;
  const int film = blockIdx.z;
  const CellsCanvas at = cells_canvas(a, film);
  if (pixel == 0) a.places.canvases[a.places.epoch(a.at, film)] = at;
  if (pixel >= pixels) return;
  if (a.whole) {
    a.out.known[film * pixels + pixel] = 1;
    a.out.value[film * pixels + pixel] = a.whole[film * pixels + pixel];
    return;
  }
  const int x = static_cast<int>(pixel % a.width), y = static_cast<int>(pixel / a.width);
  CellsMedian means;
  for (int epoch = a.first; epoch < a.end; ++epoch) {
    const long long canvas = a.places.epoch(epoch, film);
    const int u = x + a.places.canvases[canvas].x - at.x;
    const int v = y + a.places.canvases[canvas].y - at.y;
    if (u < 0 || v < 0 || u >= a.width || v >= a.height) continue;
    const long long from = canvas * pixels + 1LL * v * a.width + u;
    if (a.counts[from] < kCells.known_least) continue;
    const float mean = a.sums[from] / static_cast<float>(a.counts[from]);
    if (cell_abs(mean) < cells_infinity()) means.add(mean);
  }
  a.out.known[film * pixels + pixel] = means.count > 0;
  a.out.value[film * pixels + pixel] = means.count > 0 ? means.middle() : 0.0F;
}

/// A pixel of a frame minus the scene; 0 where the scene is unknown.
__device__ inline float cells_without(const CellsSubtractArgs& a, CellsShift shift, int plane,
                                      int x, int y) {
  const float here = a.in.smooth[plane * a.in.pixels() + 1LL * y * a.in.width + x];
  if (!a.scene.value) return here;
  const float cx = static_cast<float>(x) - shift.x, cy = static_cast<float>(y) - shift.y;
  if (!cells_inside(a.in, cx, cy)) return 0;
  const long long first = plane % a.places.films * a.in.pixels();
  const int left = static_cast<int>(cx), top = static_cast<int>(cy);
  const int right = min(left + 1, a.in.width - 1), bottom = min(top + 1, a.in.height - 1);
  const unsigned char* known = a.scene.known + first;
  if (!known[1LL * top * a.in.width + left] || !known[1LL * bottom * a.in.width + right]) return 0;
  return here - cell_bilinear<float>(a.scene.value + first, a.in.width, a.in.height, cx, cy);
}

/// A block makes one tile: the frame minus the scene in shared memory, with a border of one pixel,
/// then its gradients.
__device__ inline void cells_subtract(const CellsSubtractArgs& a) {
  constexpr int kWide = kCellsTileWidth + 2;
  __shared__ float tile[kWide * (kCellsTileHeight + 2)];
  const int left = blockIdx.x * kCellsTileWidth - 1, top = blockIdx.y * kCellsTileHeight - 1;
  const int plane = blockIdx.z;
  const CellsShift shift = a.scene.value ? a.places.shift(a.in.first + plane / a.places.films, a.at,
                                                          plane % a.places.films)
                                         : CellsShift{0, 0};
  for (int i = threadIdx.x; i < kWide * (kCellsTileHeight + 2); i += kCellsTileThreads)
    tile[i] = cells_without(a, shift, plane, min(max(left + i % kWide, 0), a.in.width - 1),
                            min(max(top + i / kWide, 0), a.in.height - 1));
  __syncthreads();
  const int x = left + 1 + threadIdx.x % kCellsTileWidth;
  for (int row = threadIdx.x / kCellsTileWidth; row < kCellsTileHeight;
       row += kCellsTileThreads / kCellsTileWidth) {
    const int y = top + 1 + row;
    if (x >= a.in.width || y >= a.in.height) break;
    // At the frame's edge, where the tile repeats the last pixel, the difference spans one pixel.
    const bool side = x == 0 || x == a.in.width - 1, end = y == 0 || y == a.in.height - 1;
    const float* here = tile + (row + 1) * kWide + x - left;
    const long long place = plane * a.in.pixels() + 1LL * y * a.in.width + x;
    a.across[place] = (here[1] - here[-1]) / (side ? 1.0F : 2.0F);
    a.down[place] = (here[kWide] - here[-kWide]) / (end ? 1.0F : 2.0F);
  }
}

/// The floor of the scores of a plane: the warps of a block add up rows of its gradients, in an
/// order that depends only on the size of the frame.
__device__ inline void cells_floor(const CellsFloorArgs& a) {
  __shared__ double sums[kCellsFloorThreads];
  const int plane = blockIdx.x, rows = (a.height + kCells.noise_step - 1) / kCells.noise_step;
  double sum = 0;
  for (int row = threadIdx.x / 32; row < rows; row += kCellsFloorThreads / 32) {
    const long long first = (1LL * plane * a.height + row * kCells.noise_step) * a.width;
    for (int x = threadIdx.x % 32; x < a.width; x += 32)
      sum += cell_abs(a.across[first + x]) + cell_abs(a.down[first + x]);
  }
  sums[threadIdx.x] = sum;
  for (int reach = kCellsFloorThreads / 2; reach > 0; reach /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < reach) sums[threadIdx.x] += sums[threadIdx.x + reach];
  }
  if (threadIdx.x == 0)
    a.floors[plane] = static_cast<float>(score_floor(sums[0] / (2.0 * rows * a.width)));
}

}  // namespace tessera
