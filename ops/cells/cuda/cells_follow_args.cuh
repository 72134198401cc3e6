// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels of cells that find and follow them.
#pragma once

#include "ops/cells/cuda/cells_image_args.cuh"
#include "ops/cells/detect/cells_contour.cuh"
#include "ops/cells/follow/cells_ring.cuh"
#include "ops/cells/follow/cells_star_snake.cuh"

namespace tessera {

/// Directions of snaxels and of a circle's points: the host's, so that all paths have the same.
struct CellsDirections {
  StarDirections<float> star;
  CirclePoints<float> circle;
};

/// What detection found in a plane, after refinement.
struct CellsFinds {
  CellFind<float>* list;  ///< `most` a plane
  int* counts;
  int most;
};

struct CellsRefineArgs {
  CellsDirections directions;
  const float *across, *down, *floors;
  long long frame_step;  ///< as in CellsGicovArgs
  int films, width, height;
  CellsRegion region;
  const CellsCandidate* candidates;
  const int* candidate_counts;
  const float* radii;
  ContourRules<float> rules;
  CellFind<float>* refined;  ///< room for as many a plane as candidates
  int* places;               ///< and for these
  bool* stays;
  CellsFinds finds;
};

inline constexpr int kCellsRefineThreads = 256;

/// A film's cells between frames.
struct CellsFilmLife {
  int tracks;         ///< begun so far
  unsigned finished;  ///< blocks of this frame
  int frames_done;    ///< frames that the film's life has been through
};

/// Some frames of every film: blocks share the slots; after each frame the last block of a film
/// runs its life, and the others wait for it. So more than one frame needs all blocks at once.
struct CellsFollowArgs {
  CellsDirections directions;
  LifeRules<float> rules;
  const float *across, *down, *floors;  ///< planes of the first frame, a film each, then the next
  int width, height;
  int frame, frames;  ///< the number of the first, and how many
  int slots, films;
  int vx, vy;                    ///< signs of the flow
  CellSlot<float>* slots_of[2];  ///< `slots` a film, before frames of even and of odd numbers
  CellsFilmLife* lives;
  CellsFinds finds;              ///< of all times, a plane a film
  int find_times[kCells.epoch];  ///< of every frame; -1: there was no detection
  CellRow<float>* rows;          ///< `slots` a film and frame; track 0: a free slot
};

inline constexpr int kCellsSide = 2 * kCells.window + 1;
/// Threads for a window where each has `strip` pixels of a column in registers.
constexpr int cells_threads_for(int strip) {
  return (kCellsSide * ((kCellsSide + strip - 1) / strip) + 31) / 32 * 32;
}
inline constexpr int kCellsStrip = cells_threads_for(4) <= 1024 ? 4 : 8;
inline constexpr int kCellsWindowThreads = cells_threads_for(kCellsStrip);
static_assert(kCellsWindowThreads <= 1024, "a block has a thread for every strip of a window");

/// What a block shares: the window's gradients, the field and its directions. `field_across` is the
/// field's second copy before.
struct CellsWindowMemory {
  float across[kCellsSide * kCellsSide], down[kCellsSide * kCellsSide];
  float field[kCellsSide * kCellsSide];
  float field_across[kCellsSide * kCellsSide], field_down[kCellsSide * kCellsSide];
  float warp_most[32];
  int warp_place[32];
};

/// Shared memory of a block: the window, a bit for every slot whose outline is taken out of it. At
/// the end as many slots as fit.
TESSERA_BOTH constexpr int cells_follow_shared_bytes(int slots) {
  return static_cast<int>(sizeof(CellsWindowMemory)) + (slots + 31) / 32 * 4;
}

}  // namespace tessera
