// SPDX-License-Identifier: Apache-2.0
// Cells that stand are taken out of the still scene. The steps of cells_still_scene.hpp.
#pragma once

#include "ops/cells/cuda/cells_follow_args.cuh"
#include "ops/cells/scene/cuda/cells_still.cuh"

namespace tessera {

/// A scene between its pixels, moved by whole ones; false where it is not known.
struct CellsSceneReader {
  const float* value;
  const unsigned char* known;
  int width, height, dx, dy;

  __device__ bool operator()(float x, float y, float& out) const {
    const float px = x + static_cast<float>(dx), py = y + static_cast<float>(dy);
    if (!(px >= 0 && py >= 0 && px <= static_cast<float>(width - 1) &&
          py <= static_cast<float>(height - 1)) ||
        !known[1LL * static_cast<int>(py) * width + static_cast<int>(px)])
      return false;
    out = cell_bilinear(value, width, height, px, py);
    return true;
  }
};
__device__ inline CellsSceneReader cells_read_scene(const CellsStill& scene, int width, int height,
                                                    int film) {
  const long long first = 1LL * film * width * height;
  return {scene.value + first, scene.known + first, width, height, 0, 0};
}
__device__ inline CellsSceneReader cells_read_median(const CellsFillArgs& a, int film) {
  return cells_read_scene(a.median, a.width, a.height, film);
}
__device__ inline CellsSceneReader cells_read_before(const CellsFillArgs& a, int film) {
  const long long first = 1LL * film * a.width * a.height;
  const CellsCanvas at = a.places.canvases[a.places.epoch(a.at, film)];
  const CellsCanvas before = a.places.canvases[a.places.epoch(a.at - 1, film)];
  return {a.before.value + first, a.before.known + first, a.width, a.height,
          before.x - at.x,        before.y - at.y};
}

/// A pixel's mean in an epoch; x and y in pixels of the scene that is made.
__device__ inline bool cells_read_epoch(const CellsFillArgs& a, int film, int epoch, int x, int y,
                                        float& out) {
  const long long canvas = a.places.epoch(epoch, film);
  const CellsCanvas at = a.places.canvases[a.places.epoch(a.at, film)];
  const int u = x + a.places.canvases[canvas].x - at.x, v = y + a.places.canvases[canvas].y - at.y;
  if (u < 0 || v < 0 || u >= a.width || v >= a.height) return false;
  const long long from = canvas * a.width * a.height + 1LL * v * a.width + u;
  if (a.counts[from] == 0) return false;
  out = a.sums[from] / static_cast<float>(a.counts[from]);
  return cell_abs(out) < cells_infinity();
}

/// One thread per film.
__device__ inline void cells_first_slopes(const CellsFirstArgs& a) {
  const int film = blockIdx.x * kCellsStillThreads + threadIdx.x;
  if (film >= a.films) return;
  const CellsSceneReader scene = cells_read_scene(a.scene, a.width, a.height, film);
  a.slopes[film] = typical_slopes(
      a.finds.list + 1LL * film * a.finds.most, a.finds.counts[film],
      [&](const CellFind<float>& find) { return !is_ghost_find(scene, a.points, find); });
}

/// Chooses the fillings of the circles of a film's scene: a warp for each, its lanes look at
/// epochs.
__device__ inline void cells_standing(const CellsFillArgs& a) {
  static_assert(2 * kCells.epochs_around + 1 < 32, "the last lane looks at the scene before");
  const int film = blockIdx.x, lane = threadIdx.x % 32, count = a.finds.counts[film];
  // Every thread goes through the slots: a struct with initial values cannot be shared memory.
  TypicalSlopes<float> typical = typical_slopes(a.slots + 1LL * film * a.slot_count, a.slot_count);
  if (!typical.known()) typical = a.typical[film];
  for (int k = threadIdx.x / 32; k < count; k += kCellsStandingThreads / 32) {
    CellFind<float> circle = a.finds.list[1LL * film * a.finds.most + k];
    float slope = 0;
    const bool known = slope_on_canvas(cells_read_median(a, film), a.points, circle.x, circle.y,
                                       circle.radius, circle.slope);
    bool shown = false;
    if (known && lane < a.end - a.first) {
      const auto there = [&](float x, float y, float& value) {
        return cells_read_epoch(a, film, a.first + lane, cell_round(x), cell_round(y), value);
      };
      shown = slope_on_canvas(there, a.points, circle.x, circle.y, circle.radius, slope);
    } else if (known && lane == 31 && a.before.value) {
      shown = slope_on_canvas(cells_read_before(a, film), a.points, circle.x, circle.y,
                              circle.radius, slope);
    }
    const bool lacks = shown && does_not_show(slope, circle);
    const unsigned epochs = 0x7fffffffU, all = __ballot_sync(~0U, lacks), absent = all & epochs;
    const int present = __popc(__ballot_sync(~0U, shown && !lacks) & epochs);
    const CellFill fill = known ? fill_of(circle, __popc(absent), present, all != absent, typical)
                                : CellFill::nothing;
    if (lane == 0) a.standing[1LL * film * a.finds.most + k] = {circle, absent, fill};
  }
}

/// The median of a pixel in these epochs; false if none knows it.
__device__ inline bool cells_median_at(const CellsFillArgs& a, int film, unsigned absent, int x,
                                       int y, float& out) {
  CellsMedian means;
  for (; absent; absent &= absent - 1) {
    float mean = 0;
    const int epoch = a.first + __ffs(static_cast<int>(absent)) - 1;
    if (cells_read_epoch(a, film, epoch, x, y, mean)) means.add(mean);
  }
  if (means.count > 0) out = means.middle();
  return means.count > 0;
}

/// The scene without cells that stand: one thread per pixel, which is filled by the last circle
/// that has it.
__device__ inline void cells_fill(const CellsFillArgs& a) {
  const long long pixels = 1LL * a.width * a.height;
  const long long pixel = 1LL * blockIdx.x * kCellsStillThreads + threadIdx.x;
  const int film = blockIdx.z;
  if (pixel >= pixels) return;
  const int x = static_cast<int>(pixel % a.width), y = static_cast<int>(pixel / a.width);
  const auto px = static_cast<float>(x), py = static_cast<float>(y);
  float value = a.median.value[film * pixels + pixel];
  for (int k = 0; k < a.finds.counts[film]; ++k) {
    const CellsStanding& s = a.standing[1LL * film * a.finds.most + k];
    const float radius = fill_radius(s.circle), dx = px - s.circle.x, dy = py - s.circle.y;
    if (s.fill == CellFill::nothing || !(dx * dx + dy * dy <= radius * radius)) continue;
    float behind = 0;
    const bool known =
        s.fill == CellFill::epochs ? cells_median_at(a, film, s.absent, x, y, behind)
        : s.fill == CellFill::scene_before
            ? cells_read_before(a, film)(px, py, behind)
            : from_surroundings(cells_read_median(a, film), a.points, s.circle, px, py, behind);
    if (known) value = behind;
  }
  a.out.value[film * pixels + pixel] = value;
  a.out.known[film * pixels + pixel] = a.median.known[film * pixels + pixel];
}

}  // namespace tessera
