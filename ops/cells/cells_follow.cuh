// SPDX-License-Identifier: Apache-2.0
// Cells from one frame to the next: each in a block, then their lives by the last block of a film.
// The steps of cells_outline.hpp and cells_film_tracks.hpp.
#pragma once

#include "ops/cells/cells_window.cuh"

namespace tessera {

/// A slot as it is expected in this frame.
__device__ inline CellSlot<float> cells_expected(const CellSlot<float>& before) {
  CellSlot<float> slot = before;
  if (slot.stage != CellStage::free) motion_predict(slot.motion);
  return slot;
}

/// Marks the slots whose outlines are in this one's window.
__device__ inline void cells_mark_others(const CellsFollowArgs& a, const CellSlot<float>* slots,
                                         const CellSlot<float>& own, unsigned* marks) {
  for (int first = 0; first < a.slots; first += kCellsWindowThreads) {
    const int i = first + threadIdx.x;
    const bool counts = i < a.slots && i != static_cast<int>(blockIdx.x) &&
                        ring_counts(cells_expected(slots[i]), own);
    const unsigned word = __ballot_sync(~0U, counts);
    if (threadIdx.x % 32 == 0 && i < a.slots) marks[i / 32] = word;
  }
  __syncthreads();
}

/// The window's gradients without the outlines of the other cells.
__device__ inline void cells_cut(const CellsFollowArgs& a, const CellSlot<float>* slots,
                                 const CellWindow& window, const unsigned* marks,
                                 CellsWindowMemory& memory) {
  const long long frame = 1LL * blockIdx.y * a.width * a.height;
  for (int i = threadIdx.x; i < window.width * window.height; i += kCellsWindowThreads) {
    const int x = window.x + i % window.width, y = window.y + i / window.width;
    const long long place = frame + 1LL * y * a.width + x;
    float across = a.across[place], down = a.down[place];
    for (int word = 0; word < (a.slots + 31) / 32; ++word)
      for (unsigned left = marks[word]; left; left &= left - 1) {
        const int other = 32 * word + __ffs(static_cast<int>(left)) - 1;
        ring_subtract(ring_of(cells_expected(slots[other])), static_cast<float>(x),
                      static_cast<float>(y), across, down);
      }
    memory.across[i] = across;
    memory.down[i] = down;
  }
  __syncthreads();
}

/// Moves (x, y), in the window's pixels, to where the cell's circle has the steepest outline: a
/// thread a place.
__device__ inline void cells_search(const CellsFollowArgs& a, CellsWindowMemory& memory,
                                    const CellWindow& window, const CellSlot<float>& slot, float& x,
                                    float& y) {
  const float sigma = cell_sqrt(slot.motion.place);
  if (!(sigma > static_cast<float>(kCells.search_sigma))) return;
  const int reach = cell_min(kCells.search, cell_round(2 * sigma) + 1), side = 2 * reach + 1;
  float best = 0;
  int place = side * side;
  for (int i = threadIdx.x; i < side * side; i += kCellsWindowThreads) {
    const float cx = x + static_cast<float>(i % side - reach);
    const float cy = y + static_cast<float>(i / side - reach);
    const float slope = cell_sign(slot.slope) *
                        circle_measure(memory.across, memory.down, window.width, window.height,
                                       a.directions.circle, cx, cy, slot.radius, 0.0F)
                            .slope;
    if (!(slope > best)) continue;
    best = slope;
    place = i;
  }
  cells_largest(memory, best, place);
  if (place == side * side) return;
  x += static_cast<float>(place % side - reach);
  y += static_cast<float>(place / side - reach);
}

/// As circle_climb, by a warp: lanes measure the circle moved back and forth in x, y and radius.
__device__ inline void cells_climb(const CellsFollowArgs& a, const CellsWindowMemory& memory,
                                   const CellWindow& window, float sign,
                                   CirclePlace<float>& circle) {
  const int lane = threadIdx.x % 32, axis = lane / 2;
  const float moved = axis > 2 ? 0.0F : lane % 2 ? 1.0F : -1.0F;
  for (int i = 0; i < kCells.climbs; ++i) {
    const float slope =
        sign * circle_measure(memory.across, memory.down, window.width, window.height,
                              a.directions.circle, circle.x + (axis == 0 ? moved : 0.0F),
                              circle.y + (axis == 1 ? moved : 0.0F),
                              circle.radius + (axis == 2 ? moved : 0.0F), 0.0F)
                   .slope;
    const auto of = [&](int from) { return __shfl_sync(~0U, slope, from); };
    const float here = of(6), left = of(0), right = of(1), up = of(2), low = of(3), in = of(4),
                out = of(5);
    circle.x += parabola_top(left, here, right);
    circle.y += parabola_top(up, here, low);
    circle.radius += parabola_top(in, here, out);
  }
}

/// What the window says of the cell; the first thread has it.
__device__ inline OutlineMeasure<float> cells_measure(const CellsFollowArgs& a,
                                                      CellsWindowMemory& memory,
                                                      const CellWindow& window,
                                                      const CellSlot<float>& slot) {
  float x = slot.motion.x - static_cast<float>(window.x);
  float y = slot.motion.y - static_cast<float>(window.y);
  cells_search(a, memory, window, slot, x, y);
  const CellsStrip strip(window);
  float edge[kCellsStrip] = {};
  for (int k = 0; k < strip.rows; ++k) {
    const int i = (strip.top + k) * window.width + strip.x;
    edge[k] = own_edge(memory.across[i], memory.down[i], static_cast<float>(strip.x) - x,
                       static_cast<float>(strip.top + k) - y, cell_sign(slot.slope), slot.radius);
  }
  cells_field(a.vx, a.vy, memory, window, edge);
  cells_directions(memory, window);
  OutlineMeasure<float> found{};
  if (threadIdx.x >= 32) return found;
  const int j = threadIdx.x < kSnaxels ? threadIdx.x : 0;
  const StarField<float> field{memory.field, memory.field_across, memory.field_down, window.width,
                               window.height};
  const StarPrior<float> prior{x, y, slot.radius};
  float radius = slot.radius;
  found.iterations = cells_settle(field, prior, a.directions.star.cosine[j],
                                  a.directions.star.sine[j], x, y, radius);
  CirclePlace<float> place{x, y, slot.radius};
  cells_climb(a, memory, window, cell_sign(slot.slope), place);
  const CircleMeasure<float> circle =
      circle_measure(memory.across, memory.down, window.width, window.height, a.directions.circle,
                     place.x, place.y, slot.radius, a.floors[blockIdx.y]);
  found.x = place.x + static_cast<float>(window.x);
  found.y = place.y + static_cast<float>(window.y);
  found.radius = place.radius;
  found.score = circle.score;
  found.slope = circle.slope;
  return found;
}

/// Who ends, and who begins, in the order of finds. From slot `used` on all are free, and a birth
/// takes the first free one: the others need not be looked at.
__device__ inline void cells_live_on(const CellsFollowArgs& a, CellSlot<float>* slots, int used) {
  const int film = blockIdx.y;
  life_after(slots, used, a.frame, a.rules);
  if (!a.finds.list) return;
  const CellFind<float>* finds = a.finds.list + 1LL * film * a.finds.most;
  for (int k = 0; k < a.finds.counts[film]; ++k) {
    const int slot =
        life_birth(slots, min(used + 1, a.slots), a.frame, a.lives[film].tracks, finds[k], a.rules);
    used = max(used, slot + 1);
  }
}

__device__ inline CellRow<float> cells_row(const CellSlot<float>& s, int frame) {
  if (s.stage == CellStage::free) return {frame, 0, 0, 0, 0, 0, false, false};
  return {frame,
          s.track,
          s.motion.x,
          s.motion.y,
          outline_radius(s.radius),
          s.score,
          s.unseen == 0,
          s.stage == CellStage::confirmed};
}

/// A film's cells after a frame: who ends, who begins, and the rows of all.
__device__ inline void cells_live(const CellsFollowArgs& a, unsigned char* shared) {
  const int film = blockIdx.y;
  CellSlot<float>* const after = a.after + 1LL * film * a.slots;
  // One thread goes through slots again and again: from shared memory where they fit.
  const bool fits = a.slots * sizeof(CellSlot<float>) <= sizeof(CellsWindowMemory);
  CellSlot<float>* slots = fits ? reinterpret_cast<CellSlot<float>*>(shared) : after;
  __shared__ int used;
  if (threadIdx.x == 0) used = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < a.slots; i += kCellsWindowThreads) {
    if (fits) slots[i] = after[i];
    if (slots[i].stage != CellStage::free) atomicMax(&used, i + 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cells_live_on(a, slots, used);
    a.lives[film].finished = 0;
  }
  __syncthreads();
  CellRow<float>* const rows = a.rows + 1LL * film * a.slots;
  for (int i = threadIdx.x; i < a.slots; i += kCellsWindowThreads) {
    if (fits) after[i] = slots[i];
    rows[i] = cells_row(slots[i], a.frame);
  }
}

/// Whether this is the film's last block to come here; what the others wrote is then seen.
__device__ inline bool cells_is_last(const CellsFollowArgs& a) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&a.lives[blockIdx.y].finished, 1U) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

__device__ inline void cells_follow(const CellsFollowArgs& a) {
  extern __shared__ __align__(16) unsigned char cells_follow_memory[];
  auto& memory = *reinterpret_cast<CellsWindowMemory*>(cells_follow_memory);
  auto* marks = reinterpret_cast<unsigned*>(cells_follow_memory + sizeof(CellsWindowMemory));
  const long long first = 1LL * blockIdx.y * a.slots;
  const CellSlot<float>* slots = a.before + first;
  CellSlot<float> slot = cells_expected(slots[blockIdx.x]);
  if (slot.stage != CellStage::free) {
    const CellWindow window = cell_window(slot.motion.x, slot.motion.y, a.width, a.height);
    cells_mark_others(a, slots, slot, marks);
    cells_cut(a, slots, window, marks, memory);
    const OutlineMeasure<float> found = cells_measure(a, memory, window, slot);
    if (threadIdx.x == 0) take_measure(slot, found, a.frame, a.rules);
  }
  if (threadIdx.x == 0) a.after[first + blockIdx.x] = slot;
  if (cells_is_last(a)) cells_live(a, cells_follow_memory);
}

}  // namespace tessera
