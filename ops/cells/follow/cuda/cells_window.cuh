// SPDX-License-Identifier: Apache-2.0
// A cell's window, processed by a block: its edges, the field they spread to, and the star that
// settles in it.
#pragma once

#include "ops/cells/cuda/cells_follow_args.cuh"

namespace tessera {

/// The pixels of the window that a thread has: some rows of one column, perhaps none.
struct CellsStrip {
  int x, top, rows;

  __device__ explicit CellsStrip(const CellWindow& window) {
    x = threadIdx.x % window.width;
    top = threadIdx.x / window.width * kCellsStrip;
    rows = min(max(window.height - top, 0), kCellsStrip);
  }
};

/// The largest of the block's values and the first place that has it, known to all threads.
__device__ inline void cells_largest(CellsWindowMemory& memory, float& value, int& place) {
  const auto take = [&](float other, int where) {
    if (!(other > value) && !(other == value && where < place)) return;
    value = other;
    place = where;
  };
  for (int reach = 16; reach > 0; reach /= 2) {
    const float other = __shfl_xor_sync(~0U, value, reach);
    take(other, __shfl_xor_sync(~0U, place, reach));
  }
  if (threadIdx.x % 32 == 0) {
    memory.warp_most[threadIdx.x / 32] = value;
    memory.warp_place[threadIdx.x / 32] = place;
  }
  __syncthreads();
  for (int warp = 0; warp < kCellsWindowThreads / 32; ++warp)
    take(memory.warp_most[warp], memory.warp_place[warp]);
  __syncthreads();
}

/// The buffer in which the field begins so that it ends in `field`.
__device__ inline float* cells_first_copy(CellsWindowMemory& memory) {
  return kCells.mgvf_iterations % 2 ? memory.field_across : memory.field;
}

/// The contribution of the neighbour (DX, DY) away: as mgvf_term, with the signs of the flow known.
template <int VX, int VY, int DX, int DY>
__device__ float cells_pull(float neighbour, float here) {
  constexpr int kAlong = VX * DX + VY * DY;
  const float d = neighbour - here;
  if constexpr (kAlong > 0) return fmaxf(d, 0.0F);
  if constexpr (kAlong < 0) return fminf(d, 0.0F);
  return 0.5F * d;
}

/// Every value takes its step. Neighbours come from shared memory, those above and below inside the
/// strip from registers; with two copies, one barrier per iteration is enough.
template <int VX, int VY>
__device__ void cells_spread(CellsWindowMemory& memory, const CellWindow& window,
                             const CellsStrip& strip, const float (&edge)[kCellsStrip]) {
  const int last = window.height - 1;
  const int left = max(strip.x - 1, 0), right = min(strip.x + 1, window.width - 1);
  float here[kCellsStrip];
  for (int k = 0; k < kCellsStrip; ++k) here[k] = edge[k];
  float *from = cells_first_copy(memory),
        *to = from == memory.field ? memory.field_across : memory.field;
  for (int iteration = 0; iteration < kCells.mgvf_iterations; ++iteration) {
    if (strip.rows > 0) {
      float west[kCellsStrip + 2], east[kCellsStrip + 2], column[kCellsStrip + 2];
#pragma unroll
      for (int k = 0; k < kCellsStrip + 2; ++k) {
        const int row = min(max(strip.top + k - 1, 0), last) * window.width;
        west[k] = from[row + left];
        east[k] = from[row + right];
        column[k] =
            k >= 1 && k <= kCellsStrip && k <= strip.rows ? here[k - 1] : from[row + strip.x];
      }
#pragma unroll
      for (int k = 0; k < kCellsStrip; ++k) {
        const float c = column[k + 1];
        float sum = cells_pull<VX, VY, -1, -1>(west[k], c);
        sum += cells_pull<VX, VY, 0, -1>(column[k], c);
        sum += cells_pull<VX, VY, 1, -1>(east[k], c);
        sum += cells_pull<VX, VY, -1, 0>(west[k + 1], c);
        sum += cells_pull<VX, VY, 1, 0>(east[k + 1], c);
        sum += cells_pull<VX, VY, -1, 1>(west[k + 2], c);
        sum += cells_pull<VX, VY, 0, 1>(column[k + 2], c);
        sum += cells_pull<VX, VY, 1, 1>(east[k + 2], c);
        here[k] = mgvf_step(c, sum, edge[k]);
        if (k < strip.rows) to[(strip.top + k) * window.width + strip.x] = here[k];
      }
    }
    __syncthreads();
    float* const other = from;
    from = to;
    to = other;
  }
}

/// The signs of the flow as template arguments: nine loops without a branch inside.
__device__ inline void cells_spread_along(int vx, int vy, CellsWindowMemory& memory,
                                          const CellWindow& window, const CellsStrip& strip,
                                          const float (&edge)[kCellsStrip]) {
  switch (3 * vy + vx) {
    case -4:
      return cells_spread<-1, -1>(memory, window, strip, edge);
    case -3:
      return cells_spread<0, -1>(memory, window, strip, edge);
    case -2:
      return cells_spread<1, -1>(memory, window, strip, edge);
    case -1:
      return cells_spread<-1, 0>(memory, window, strip, edge);
    case 0:
      return cells_spread<0, 0>(memory, window, strip, edge);
    case 1:
      return cells_spread<1, 0>(memory, window, strip, edge);
    case 2:
      return cells_spread<-1, 1>(memory, window, strip, edge);
    case 3:
      return cells_spread<0, 1>(memory, window, strip, edge);
    default:
      return cells_spread<1, 1>(memory, window, strip, edge);
  }
}

/// From the edge strengths of the thread's pixels to the field.
__device__ inline void cells_field(int vx, int vy, CellsWindowMemory& memory,
                                   const CellWindow& window, float (&edge)[kCellsStrip]) {
  const CellsStrip strip(window);
  float most = 0;
  int place = 0;
  for (int k = 0; k < strip.rows; ++k) most = cell_max(most, edge[k]);
  cells_largest(memory, most, place);
  float* field = cells_first_copy(memory);
  for (int k = 0; k < strip.rows; ++k) {
    if (most > 0) edge[k] /= most;
    field[(strip.top + k) * window.width + strip.x] = edge[k];
  }
  __syncthreads();
  cells_spread_along(vx, vy, memory, window, strip, edge);
}

/// The field's gradients, normalised to length 1.
__device__ inline void cells_directions(CellsWindowMemory& memory, const CellWindow& window) {
  const int width = window.width, height = window.height;
  for (int i = threadIdx.x; i < width * height; i += kCellsWindowThreads) {
    const int x = i % width, y = i / width;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const int top = max(y - 1, 0), bottom = min(y + 1, height - 1);
    const float gx = (memory.field[y * width + right] - memory.field[y * width + left]) /
                     static_cast<float>(max(right - left, 1));
    const float gy = (memory.field[bottom * width + x] - memory.field[top * width + x]) /
                     static_cast<float>(max(bottom - top, 1));
    const float length = cell_sqrt(gx * gx + gy * gy);
    memory.field_across[i] = length > 0 ? gx / length : 0.0F;
    memory.field_down[i] = length > 0 ? gy / length : 0.0F;
  }
  __syncthreads();
}

/// The sum over a warp, always in the same order.
__device__ inline float cells_warp_sum(float value) {
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
  return value;
}

/// As star_settle, by a warp: one lane per snaxel. `radius` is the lane's own.
__device__ inline int cells_settle(const StarField<float>& field, const StarPrior<float>& prior,
                                   float cosine, float sine, float& x, float& y, float& radius) {
  const int lane = threadIdx.x % 32;
  const bool real = lane < kSnaxels;
  const StarDirections<float> direction{{cosine}, {sine}};
  for (int iteration = 1; iteration <= kCells.snake_iterations; ++iteration) {
    const StarSnake<float> star{x, y, {radius}};
    const Snaxel<float> s = snaxel_of(field, star, direction, 0);
    const int next = lane + 1 < kSnaxels ? lane + 1 : 0;
    const float dx = __shfl_sync(~0U, s.dx, next) - s.dx, dy = __shfl_sync(~0U, s.dy, next) - s.dy;
    const StarSums<float> sums{cells_warp_sum(real ? cell_sqrt(dx * dx + dy * dy) : 0.0F),
                               cells_warp_sum(real ? s.value : 0.0F),
                               cells_warp_sum(real ? s.across : 0.0F),
                               cells_warp_sum(real ? s.down : 0.0F)};
    const float new_x = star_centre(x, sums.across, sums.length, prior.x);
    const float new_y = star_centre(y, sums.down, sums.length, prior.y);
    radius = star_radius(radius, s, sums, prior.radius);
    const float moved = cell_abs(new_x - x) + cell_abs(new_y - y);
    x = new_x;
    y = new_y;
    if (moved <= static_cast<float>(kCells.snake_stop)) return iteration;
  }
  return kCells.snake_iterations;
}

}  // namespace tessera
