// SPDX-License-Identifier: Apache-2.0
// Cells from frame to frame: one block for each, then their lives, run by the last block of a film.
// The steps of cells_outline.hpp and cells_film_tracks.hpp.
#pragma once

#include "ops/cells/follow/cuda/cells_shape_warp.cuh"
#include "ops/cells/follow/cuda/cells_window.cuh"
#include "ops/cells/life/cells_jump.cuh"

namespace tessera {

/// One film in one frame.
struct CellsFollowFrame {
  const float *across, *down;
  float floor;
  CellBackdrop<float> ground;
  CellsJump<float> jump;  ///< of the picture, since the last frame
  int frame;
  const CellSlot<float>* before;
  CellSlot<float>* after;
  const CellFind<float>* finds;  ///< null: there was no detection
  int find_count;
  CellRow<float>* rows;

  __device__ CellsFollowFrame(const CellsFollowArgs& a, int k) {
    const long long plane = 1LL * k * a.films + blockIdx.y, pixels = 1LL * a.width * a.height;
    const long long first = 1LL * blockIdx.y * a.slots;
    across = a.across + plane * pixels;
    down = a.down + plane * pixels;
    floor = a.floors[plane];
    frame = a.frame + k;
    ground = {};
    if (a.scene.value) {
      const CellsShift shift = a.places.shift(frame, a.at, static_cast<int>(blockIdx.y));
      ground = {a.scene.value + blockIdx.y * pixels, a.scene.known + blockIdx.y * pixels, shift.x,
                shift.y};
    }
    if (a.places.drifts && frame > 0) {
      const CellsPlace last = a.places.drifts[a.places.frame(frame - 1, blockIdx.y)];
      const CellsPlace here = a.places.drifts[a.places.frame(frame, blockIdx.y)];
      jump = jump_between<float>(last.x, last.y, here.x, here.y);
    }
    before = a.slots_of[frame % 2] + first;
    after = a.slots_of[(frame + 1) % 2] + first;
    const int time = a.find_times[k];
    const long long found = 1LL * time * a.films + blockIdx.y;
    finds = time < 0 ? nullptr : a.finds.list + found * a.finds.most;
    find_count = time < 0 ? 0 : a.finds.counts[found];
    rows = a.rows + plane * a.slots;
  }
};

/// A slot as expected in this frame.
__device__ inline CellSlot<float> cells_expected(const CellsFollowFrame& f, int number) {
  CellSlot<float> slot = f.before[number];
  expect_slot(slot, f.jump);
  return slot;
}

/// Marks the slots whose outlines are in this one's window.
__device__ inline void cells_mark_others(const CellsFollowArgs& a, const CellsFollowFrame& f,
                                         int number, const CellSlot<float>& own, unsigned* marks) {
  for (int first = 0; first < a.slots; first += kCellsWindowThreads) {
    const int i = first + threadIdx.x;
    const bool counts = i < a.slots && i != number && ring_counts(cells_expected(f, i), own);
    const unsigned word = __ballot_sync(~0U, counts);
    if (threadIdx.x % 32 == 0 && i < a.slots) marks[i / 32] = word;
  }
  __syncthreads();
}

/// The window's gradients without the outlines of the other cells.
__device__ inline void cells_cut(const CellsFollowArgs& a, const CellsFollowFrame& f,
                                 const CellWindow& window, const unsigned* marks,
                                 CellsWindowMemory& memory) {
  for (int i = threadIdx.x; i < window.width * window.height; i += kCellsWindowThreads) {
    const int x = window.x + i % window.width, y = window.y + i / window.width;
    const long long place = 1LL * y * a.width + x;
    float across = f.across[place], down = f.down[place];
    for (int word = 0; word < (a.slots + 31) / 32; ++word)
      for (unsigned left = marks[word]; left; left &= left - 1) {
        const int other = 32 * word + __ffs(static_cast<int>(left)) - 1;
        ring_subtract(ring_of(cells_expected(f, other)), static_cast<float>(x),
                      static_cast<float>(y), across, down);
      }
    memory.across[i] = across;
    memory.down[i] = down;
  }
  __syncthreads();
}

/// Moves (x, y), in the window's pixels, to the position at which the cell's circle has the
/// steepest outline: one thread per position.
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

/// The measurement of the cell in its window; only the first thread has it. `radii` takes the
/// outline.
__device__ inline OutlineMeasure<float> cells_measure(const CellsFollowArgs& a,
                                                      const CellsFollowFrame& f,
                                                      CellsWindowMemory& memory,
                                                      const CellWindow& window,
                                                      const CellSlot<float>& slot, float* radii) {
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
                     place.x, place.y, slot.radius, f.floor);
  found.x = place.x + static_cast<float>(window.x);
  found.y = place.y + static_cast<float>(window.y);
  found.radius = place.radius;
  found.score = circle.score;
  found.slope = circle.slope;
  found.outlined =
      cells_outline_around(a.directions, {memory.across, memory.down, window.width, window.height},
                           cell_sign(slot.slope), place, slot.radius, radii);
  const CircleMeasure<float> plain =
      plain_measure(f.across, f.down, f.ground, a.width, a.height, a.directions.circle, found.x,
                    found.y, slot.radius, f.floor);
  found.plain = plain.score;
  found.ground = plain.slope;
  return found;
}

/// Ends tracks, and begins new ones in the order of finds. All slots from `used` on are free, and a
/// birth takes the first free one: the others need not be looked at.
__device__ inline void cells_live_on(const CellsFollowArgs& a, const CellsFollowFrame& f,
                                     CellSlot<float>* slots, int used) {
  life_after(slots, used, f.frame, a.rules);
  for (int k = 0; k < f.find_count; ++k) {
    const int slot = life_birth(slots, min(used + 1, a.slots), f.frame, a.lives[blockIdx.y].tracks,
                                f.finds[k], a.rules);
    used = max(used, slot + 1);
  }
}

/// The slot's row; the radii of its outline are there already.
__device__ inline void cells_complete_row(const CellSlot<float>& s, int frame,
                                          CellRow<float>& row) {
  const bool lives = s.stage != CellStage::free;
  row.frame = frame;
  row.track = lives ? s.track : 0;
  row.x = lives ? s.motion.x : 0.0F;
  row.y = lives ? s.motion.y : 0.0F;
  row.radius = lives ? outline_radius(s.radius) : 0.0F;
  row.score = lives ? s.score : 0.0F;
  row.seen = lives && s.unseen == 0;
  row.confirmed = s.stage == CellStage::confirmed;
  row.outlined = lives && s.outlined;
  row.unused = false;
  if (!row.outlined)
    for (float& radius : row.radii) radius = 0;
}

/// A film's cells after a frame: which end, which begin, and the rows of all.
__device__ inline void cells_live(const CellsFollowArgs& a, const CellsFollowFrame& f,
                                  unsigned char* shared) {
  // One thread goes through the slots several times: from shared memory if they fit.
  const bool fits = a.slots * sizeof(CellSlot<float>) <= sizeof(CellsWindowMemory);
  CellSlot<float>* slots = fits ? reinterpret_cast<CellSlot<float>*>(shared) : f.after;
  __shared__ int used;
  if (threadIdx.x == 0) used = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < a.slots; i += kCellsWindowThreads) {
    if (fits) slots[i] = f.after[i];
    if (slots[i].stage != CellStage::free) atomicMax(&used, i + 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cells_live_on(a, f, slots, used);
    a.lives[blockIdx.y].finished = 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < a.slots; i += kCellsWindowThreads) {
    if (fits) f.after[i] = slots[i];
    cells_complete_row(slots[i], f.frame, f.rows[i]);
  }
}

/// Whether this is the last block of the film to arrive here; the writes of the others are then
/// visible.
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

/// The film's life has processed this frame: signals the blocks that wait for it.
__device__ inline void cells_frame_done(const CellsFollowArgs& a, const CellsFollowFrame& f) {
  __syncthreads();
  if (threadIdx.x > 0) return;
  __threadfence();
  atomicExch(&a.lives[blockIdx.y].frames_done, f.frame + 1);
}

/// Waits for that signal; the writes of the others are then visible.
__device__ inline void cells_wait_for(const CellsFollowArgs& a, const CellsFollowFrame& f) {
  if (threadIdx.x == 0) {
    const volatile int& done = a.lives[blockIdx.y].frames_done;
    while (done <= f.frame) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

/// Moves a slot from the previous frame to this one.
__device__ inline void cells_follow_slot(const CellsFollowArgs& a, const CellsFollowFrame& f,
                                         int number, unsigned char* shared) {
  auto& memory = *reinterpret_cast<CellsWindowMemory*>(shared);
  auto* marks = reinterpret_cast<unsigned*>(shared + sizeof(CellsWindowMemory));
  CellSlot<float> slot = cells_expected(f, number);
  if (slot.stage != CellStage::free) {
    const CellWindow window = cell_window(slot.motion.x, slot.motion.y, a.width, a.height);
    __syncthreads();  // the previous slot may still be using the memory
    cells_mark_others(a, f, number, slot, marks);
    cells_cut(a, f, window, marks, memory);
    const OutlineMeasure<float> found =
        cells_measure(a, f, memory, window, slot, f.rows[number].radii);
    if (threadIdx.x == 0) take_measure(slot, found, f.frame, a.rules);
  }
  if (threadIdx.x == 0) f.after[number] = slot;
}

__device__ inline void cells_follow(const CellsFollowArgs& a) {
  extern __shared__ __align__(16) unsigned char cells_follow_memory[];
  for (int k = 0; k < a.frames; ++k) {
    const CellsFollowFrame f(a, k);
    for (int slot = blockIdx.x; slot < a.slots; slot += gridDim.x)
      cells_follow_slot(a, f, slot, cells_follow_memory);
    if (cells_is_last(a)) {
      cells_live(a, f, cells_follow_memory);
      cells_frame_done(a, f);
    } else if (k + 1 < a.frames) {
      cells_wait_for(a, f);
    }
    __syncthreads();  // before the next frame overwrites shared memory
  }
}

}  // namespace tessera
